"""What the arguments of a listing and the words of a search select."""

from typing import Any

import pytest

from mcp_sim.core.state import freeze
from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, tool, world_of
from tests.predictors.engine.test_sources import Talk

TOURS = [
    {"id": "t1", "title": "Harbour walk", "price": 10, "start": "2026-03-02T09:00:00Z", "end": "2026-03-02T11:00:00Z", "tags": ["sea"]},
    {
        "id": "t2",
        "title": "Night walk by the harbour",
        "price": 25,
        "start": "2026-03-02T20:00:00Z",
        "end": "2026-03-02T22:00:00Z",
        "tags": [],
    },
    {"id": "t3", "title": "Museum", "price": 40, "start": "2026-03-05T09:00:00Z", "end": "2026-03-05T10:00:00Z", "tags": ["art", "sea"]},
]
LISTING: dict[str, Any] = {f"{name}_": TEXT for name in ("time_min", "time_max", "start_after", "start_before", "tag", "since", "mood")}
TOOLS = [
    tool("create_tour", title=TEXT, price_=NUMBER, start_=TEXT, end_=TEXT, tags_=TEXTS),
    tool("get_tour", tour_id=TEXT),
    tool("list_tours", min_price_=NUMBER, max_price_=NUMBER, **LISTING),
    tool("search_tours", query=TEXT),
]


def talk() -> Talk:
    return Talk(world_of("tours", TOOLS, first_state=freeze({"collections": {"tours": TOURS}})))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"min_price": 25}, ["t2", "t3"]),
        ({"max_price": 25}, ["t1", "t2"]),
        ({"min_price": 20, "max_price": 30}, ["t2"]),
        ({"tag": "sea"}, ["t1", "t3"]),
        ({"time_min": "2026-03-02T12:00:00Z"}, ["t2", "t3"]),
        ({"time_max": "2026-03-02T12:00:00Z"}, ["t1"]),
        ({"time_min": "2026-03-02T10:00:00Z", "time_max": "2026-03-02T10:30:00Z"}, ["t1"]),  # under way
        ({"time_min": "2026-03-05", "time_max": "2026-03-05"}, ["t3"]),
        ({"start_after": "2026-03-03"}, ["t3"]),
        ({"start_before": "2026-03-02T09:00:00Z"}, ["t1"]),
        ({"since": "2026-03-04T00:00:00Z"}, ["t3"]),
    ],
)
def test_a_listing_heeds_its_filters(arguments: dict[str, Any], expected: list[str]) -> None:
    session = talk()
    assert [tour["id"] for tour in session.value("list_tours", **arguments)] == expected
    assert session("list_tours", **arguments).source == "computed"


def test_a_filter_that_nothing_can_be_made_of_is_named() -> None:
    answer = talk()("list_tours", mood="merry")
    assert answer.source == "imagined"
    assert answer.notes == ["Did not heed `mood`."]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("harbour walk", ["t1", "t2"]),
        ('"harbour walk"', ["t1"]),
        ("price:>10", ["t2", "t3"]),
        ("price:10..25", ["t1", "t2"]),
        ("price:>=25 walk", ["t2"]),
        ("-price:25", ["t1", "t3"]),
        ("walk in:title", ["t1", "t2"]),
        ("sea in:title", []),
        ("tag:sea", ["t1", "t3"]),
        ("no:tags", ["t2"]),
        ("start:>2026-03-02", ["t3"]),
        ("start:2026-03-02..2026-03-03", ["t1", "t2"]),
    ],
)
def test_a_search_heeds_phrases_and_qualifiers(query: str, expected: list[str]) -> None:
    session = talk()
    found = session.value("search_tours", query=query)
    assert sorted(tour["id"] for tour in found["tours"]) == expected
    assert session("search_tours", query=query).source == "computed"


def test_a_qualifier_that_nothing_can_be_made_of_is_named() -> None:
    answer = talk()("search_tours", query="walk review:approved")
    assert answer.source == "imagined"
    assert answer.notes == ["Did not heed `review:approved`."]


def test_the_qualifiers_of_a_forge() -> None:
    person = {"login": "ada"}
    issues = [
        {
            "owner": "acme",
            "repo": "api",
            "number": 1,
            "title": "Leak",
            "state": "open",
            "user": person,
            "assignee": None,
            "labels": [{"name": "bug"}],
        },
        {
            "owner": "acme",
            "repo": "web",
            "number": 1,
            "title": "Leak again",
            "state": "closed",
            "user": {"login": "bo"},
            "assignee": person,
            "labels": [],
        },
    ]
    tools = [
        tool("create_issue", owner=TEXT, repo=TEXT, title=TEXT, assignee_=TEXT, labels_=TEXTS),
        tool("get_issue", owner=TEXT, repo=TEXT, issue_number=NUMBER),
        tool("search_issues", q=TEXT),
    ]
    session = Talk(world_of("acme", tools, first_state=freeze({"collections": {"issues": issues}})))
    for query, expected in {
        "is:issue leak": ["api", "web"],
        "is:open": ["api"],
        "is:closed leak": ["web"],
        "state:closed": ["web"],
        "author:ada": ["api"],
        "assignee:ada": ["web"],
        "no:assignee": ["api"],
        "label:bug": ["api"],
        "-label:bug": ["web"],
        "repo:acme/web": ["web"],
        "user:acme": ["api", "web"],
        "org:other": [],
    }.items():
        answer = session("search_issues", q=query)
        assert answer.source == "computed", query
        assert [issue["repo"] for issue in session.value("search_issues", q=query)["issues"]] == expected, query
    assert session("search_issues", q="is:pr").source == "imagined"
