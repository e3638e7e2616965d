"""Filters on what things come to have: by verbs, by members, by movements; and what follows where nothing can be known of it."""

from typing import Any

import pytest

from mcp_sim.core.state import freeze
from mcp_sim.predictors.engine.engine import Engine
from tests.predictors.engine.lists import NUMBER, TEXT, TRUTH, one_of, tool, world_of
from tests.predictors.engine.test_sources import Talk

TASKS = [
    tool("create_task", title=TEXT, due_date_=TEXT),
    tool("get_task", task_id=NUMBER),
    tool("list_tasks", completed_=TRUTH, due_before_=TEXT, prefix_=TEXT, assignee_=TEXT, mood_=TEXT, include_archived_=TRUTH),
    tool("complete_task", task_id=NUMBER),
    tool("reopen_task", task_id=NUMBER),
    tool("archive_task", task_id=NUMBER),
    tool("assign_task", task_id=NUMBER, assignee=TEXT),
    tool("delete_task", task_id=NUMBER),
]
GIVEN = [
    {"id": 1, "title": "mend nets", "due_date": "2026-02-01"},
    {"id": 2, "title": "Mend sails", "due_date": "2026-03-01"},
    {"id": 3, "title": "paint", "due_date": "some day"},
]


def talk() -> Talk:
    return Talk(world_of("tasks", TASKS, first_state=freeze({"collections": {"tasks": GIVEN}})))


def ids(session: Talk, name: str = "list_tasks", key: str = "id", **arguments: Any) -> list[Any]:
    shown = session.value(name, **arguments)
    records = shown if isinstance(shown, list) else next(value for value in shown.values() if isinstance(value, list))
    return [record[key] for record in records]


def test_what_a_verb_sets_can_be_asked_for() -> None:
    session = talk()
    assert (ids(session, completed=True), ids(session, completed=False)) == ([], [1, 2, 3])
    session("complete_task", task_id=2)
    assert (ids(session, completed=True), ids(session, completed=False)) == ([2], [1, 3])
    session("reopen_task", task_id=2)
    assert (ids(session, completed=True), ids(session, completed=False)) == ([], [1, 2, 3])
    assert session("list_tasks", completed=True).source == "computed"


def test_what_a_verb_put_away_is_shown_on_demand_only() -> None:
    session = talk()
    session("archive_task", task_id=1)
    assert ids(session) == [2, 3]
    assert ids(session, include_archived=True) == [1, 2, 3]
    assert session("get_task", task_id=1).source == "computed"


def test_what_nobody_put_away_for_good_is_listed_where_nothing_says_otherwise() -> None:
    plain = [tool("list_tasks") if one["name"] == "list_tasks" else one for one in TASKS]
    session = Talk(world_of("tasks", plain, first_state=freeze({"collections": {"tasks": GIVEN}})))
    session("archive_task", task_id=1)
    assert ids(session) == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"due_before": "2026-02-15"}, [1]),
        ({"due_before": "2026-04-01"}, [1, 2]),
        ({"due_before": "9999-12-31"}, [1, 2]),
        ({"prefix": "mend"}, [1, 2]),
        ({"prefix": "x"}, []),
        ({"assignee": "ada"}, []),
    ],
)
def test_a_filter_on_a_field_that_things_can_have_leaves_out_those_without(arguments: dict[str, Any], expected: list[int]) -> None:
    assert ids(talk(), **arguments) == expected


def test_a_filter_that_nothing_can_be_known_of_is_named_beforehand() -> None:
    said = Engine(world_of("tasks", TASKS)).explain("list_tasks")
    assert "does not follow: `mood`" in said
    assert "`completed`, `due_before`, `prefix`, `assignee`" in said


def test_fields_by_a_longer_name() -> None:
    tools = [
        tool("create_account", owner_name=TEXT, account_type=one_of("checking", "savings")),
        tool("get_account", account_id=TEXT),
        tool("list_accounts", owner_=TEXT, type_=one_of("checking", "savings")),
    ]
    accounts = [{"id": "a1", "owner_name": "Ann", "account_type": "savings"}, {"id": "a2", "owner_name": "Bo", "account_type": "checking"}]
    session = Talk(world_of("bank", tools, first_state=freeze({"collections": {"accounts": accounts}})))
    assert (ids(session, "list_accounts", owner="Ann"), ids(session, "list_accounts", type="checking")) == (["a1"], ["a2"])
    assert ids(session, "list_accounts", owner="Ann", type="checking") == []


def test_a_number_is_a_yes_where_there_is_any() -> None:
    tools = [
        tool("create_product", name=TEXT, stock=NUMBER),
        tool("get_product", product_id=TEXT),
        tool("list_products", in_stock_=TRUTH),
    ]
    products = [{"id": f"p{n}", "name": f"no {n}", "stock": n} for n in range(3)]
    session = Talk(world_of("shop", tools, first_state=freeze({"collections": {"products": products}})))
    assert (ids(session, "list_products", in_stock=True), ids(session, "list_products", in_stock=False)) == (["p1", "p2"], ["p0"])


def test_movements_are_told_apart_by_their_type() -> None:
    tools = [
        tool("create_account", owner=TEXT, balance_=NUMBER),
        tool("get_account", account_id=TEXT),
        tool("deposit", account_id=TEXT, amount=NUMBER),
        tool("withdraw", account_id=TEXT, amount=NUMBER),
        tool("list_transactions", account_id=TEXT, type_=one_of("deposit", "withdrawal")),
    ]
    session = Talk(world_of("bank", tools, first_state=freeze({"collections": {"accounts": [{"id": "a1", "owner": "Ann", "balance": 9}]}})))
    session("deposit", account_id="a1", amount=5)
    session("withdraw", account_id="a1", amount=2)
    assert 5 in ids(session, "list_transactions", key="amount", account_id="a1", type="deposit")
    assert -2 not in ids(session, "list_transactions", key="amount", account_id="a1", type="deposit")


def test_what_is_no_time_is_in_no_window() -> None:
    tools = [
        tool("create_event", title=TEXT, start=TEXT),
        tool("get_event", event_id=TEXT),
        tool("list_events", time_min_=TEXT, time_max_=TEXT),
    ]
    events = [{"id": "e1", "start": "2026-03-02T09:00:00Z", "title": "a"}, {"id": "e2", "title": "b", "start": "not a date"}]
    session = Talk(world_of("calendar", tools, first_state=freeze({"collections": {"events": events}})))
    session("create_event", title="c", start="whenever")  # was made at a time, which is not when it is to be
    assert ids(session, "list_events", time_min="2020-01-01") == ["e1"]
    assert ids(session, "list_events", time_max="2030-01-01") == ["e1"]
    assert len(ids(session, "list_events")) == 3
