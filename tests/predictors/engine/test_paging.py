"""Which part of a listing is asked for, by numbers of any size."""

from typing import Any

import pytest

from mcp_sim.core.state import freeze
from tests.predictors.engine.lists import NUMBER, TEXT, said, tool, world_of
from tests.predictors.engine.test_sources import Talk

NOTES = [{"id": f"n{number}", "title": f"note {number}"} for number in range(1, 8)]
TOOLS = [
    tool("create_note", title=TEXT),
    tool("get_note", note_id=TEXT),
    tool("list_notes", page_=NUMBER, per_page_=NUMBER),
    tool("search_notes", query=TEXT, offset_=NUMBER, limit_=said("How many at most; 0 for no limit.", NUMBER)),
]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"page": 2, "per_page": 3}, [4, 5, 6]),
        ({"page": 10**9}, []),
        ({"page": 10**12}, []),
        ({"page": 10**30, "per_page": 1}, []),
        ({"page": 0, "per_page": 2}, [1, 2]),
        ({"page": -1, "per_page": 2}, [1, 2]),
        ({"page": -(10**20), "per_page": 2}, [1, 2]),
        ({"per_page": 0}, []),
        ({"per_page": -1}, [1, 2, 3, 4, 5, 6, 7]),
        ({"per_page": 10**20}, [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_a_number_out_of_bounds_is_not_the_same_as_none(arguments: dict[str, Any], expected: list[int]) -> None:
    session = Talk(world_of("notes", TOOLS, first_state=freeze({"collections": {"notes": NOTES}})))
    assert [note["id"] for note in session.value("list_notes", **arguments)["notes"]] == [f"n{number}" for number in expected]


def test_none_at_all_is_no_limit_where_the_author_says_so() -> None:
    session = Talk(world_of("notes", TOOLS, first_state=freeze({"collections": {"notes": NOTES}})))
    assert len(session.value("search_notes", query="note", limit=0)["notes"]) == 7
    assert len(session.value("search_notes", query="note", limit=2, offset=6)["notes"]) == 1
    assert session.value("search_notes", query="note", offset=10**15)["notes"] == []
