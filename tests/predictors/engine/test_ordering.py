"""In what order things are listed: as the arguments ask, else as the description of the tool says."""

from itertools import pairwise
from typing import Any

import pytest

from mcp_sim.core.state import freeze
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.index.catalogue import Catalogue
from tests.predictors.engine.lists import TEXT, one_of, tool, world_of
from tests.predictors.engine.test_sources import Talk

PRIORITIES = ("low", "normal", "high", "urgent")
MAKES = tool("create_ticket", title=TEXT, priority_=one_of(*PRIORITIES), start_=TEXT)
GETS = tool("get_ticket", ticket_id=TEXT)
SORTED = tool("list_tickets", sort_=one_of("created_at", "priority", "id"), direction_=one_of("asc", "desc"))
DAYS = (5, 28, 1, 14, 9)
GIVEN = [
    {"id": f"t{n}", "title": f"no {n}", "priority": PRIORITIES[n % 4], "created_at": f"2026-01-{day:02}T00:00:00Z"}
    for n, day in enumerate(DAYS)
]
STARTS = [{"id": f"t{n}", "title": f"no {n}", "start": f"2026-03-{day:02}T09:00:00Z"} for n, day in enumerate(DAYS)]


def talk(*tools: dict[str, Any], tickets: Any = None) -> Talk:
    return Talk(world_of("desk", list(tools), **({"first_state": freeze({"collections": {"tickets": tickets}})} if tickets else {})))


def listed(session: Talk, **arguments: Any) -> list[dict[str, Any]]:
    shown = session.value("list_tickets", **arguments)
    return shown if isinstance(shown, list) else shown["tickets"]


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_given_things_are_sorted_by_their_own_dates(direction: str, indexed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Catalogue, "least", 0 if indexed else 10**9)
    session = talk(MAKES, GETS, SORTED, tickets=GIVEN)
    newest = session.value("create_ticket", title="new")  # the clock of the world stands before some of the given dates
    days = [ticket["created_at"] for ticket in listed(session, sort="created_at", direction=direction)]
    assert newest["created_at"] in days
    assert days == sorted([*(ticket["created_at"] for ticket in GIVEN), newest["created_at"]], reverse=direction == "desc")


def test_what_was_there_all_the_time_is_sorted_by_its_own_dates() -> None:
    tickets = listed(talk(MAKES, GETS, SORTED), sort="created_at", direction="asc")
    assert len(tickets) > 2
    assert all(one["created_at"] <= other["created_at"] for one, other in pairwise(tickets))


def test_of_what_was_made_at_once_the_last_comes_first_where_the_newest_do() -> None:
    same = [{**ticket, "created_at": "2026-01-01T00:00:00Z"} for ticket in GIVEN]
    session = talk(MAKES, GETS, SORTED, tickets=same)
    assert [ticket["id"] for ticket in listed(session, sort="created_at", direction="desc")] == ["t4", "t3", "t2", "t1", "t0"]


@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_an_enum_is_sorted_as_its_schema_lists_it(direction: str) -> None:
    shown = [ticket["priority"] for ticket in listed(talk(MAKES, GETS, SORTED, tickets=GIVEN), sort="priority", direction=direction)]
    assert shown == sorted(shown, key=PRIORITIES.index, reverse=direction == "desc")
    assert set(shown) == set(PRIORITIES)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("List tickets between two times, ordered by start.", [1, 5, 9, 14, 28]),
        ("List tickets sorted by start time in descending order.", [28, 14, 9, 5, 1]),
        ("Lists tickets in chronological order", [1, 5, 9, 14, 28]),
        ("Lists tickets, in reverse chronological order", [28, 14, 9, 5, 1]),
        ("List tickets. Results will be sorted by start.", [1, 5, 9, 14, 28]),
        ("List tickets.", list(DAYS)),
        ("List tickets, which can be sorted by start.", list(DAYS)),
        ("List tickets ordered by mail.", list(DAYS)),
    ],
)
def test_a_description_tells_the_order(says: str, expected: list[int]) -> None:
    session = talk(MAKES, GETS, tool("list_tickets", _says=says), tickets=STARTS)
    assert [int(ticket["start"][8:10]) for ticket in listed(session)] == expected


@pytest.mark.parametrize(("says", "down"), [("The newest first.", True), ("List tickets, oldest first.", False)])
def test_the_newest_first_is_told_by_their_dates(says: str, down: bool) -> None:
    session = talk(MAKES, GETS, tool("list_tickets", _says=says), tickets=GIVEN)
    assert [int(ticket["created_at"][8:10]) for ticket in listed(session)] == sorted(DAYS, reverse=down)


def test_what_is_asked_for_goes_before_what_a_description_says() -> None:
    told = tool("list_tickets", _says="List tickets ordered by start.", sort_=one_of("title", "start"))
    engine = Engine(world_of("desk", [MAKES, GETS, told]))
    assert "sorts by: `sort`" in engine.explain("list_tickets")
    assert [ticket["id"] for ticket in listed(talk(MAKES, GETS, told, tickets=STARTS), sort="title")] == ["t0", "t1", "t2", "t3", "t4"]
