"""Answers of tools that say nothing of their form: as things of their kind usually are, coherent in themselves and from call to call."""

import json
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.predictors.example import ExamplePredictor
from mcp_sim.predictors.instances.usual import kind_of
from tests.worlds import make_tool, make_world

WORLD = make_world(
    *(make_tool(name) for name in ("get_forecast", "list_transactions", "list_events", "find_available_slots", "get_order_status"))
)


async def asked(name: str, arguments: dict[str, Any], session: Session | None = None) -> Any:
    world = WORLD if name in WORLD.tools_by_name else make_world(make_tool(name))
    session = session or Session.begin(world, "plain")
    answer = await ExamplePredictor(world).predict(session, Action.call(name, arguments), Context())
    return json.loads(answer.observation.text)


async def test_a_forecast_without_a_schema_is_one() -> None:
    made = await asked("get_forecast", {"city": "Oslo", "days": 3})
    assert made["city"] == "Oslo"
    days = [date.fromisoformat(item["date"]) for item in made["forecast"]]
    assert [(day - WORLD.settings.clock.date()).days for day in days] == [0, 1, 2]
    assert all(item["temp_min"] <= item["temp_max"] for item in made["forecast"])


async def test_transactions_have_amounts_and_belong_to_whom_they_were_asked_of() -> None:
    made = await asked("list_transactions", {"account_id": "a1", "limit": 4})
    assert len(made) == 4
    assert all(item["account_id"] == "a1" and round(item["amount"], 2) == item["amount"] > 0 for item in made)
    assert [item["date"] for item in made] == sorted((item["date"] for item in made), reverse=True)


async def test_events_lie_between_the_days_asked_for_and_in_order() -> None:
    made = await asked("list_events", {"start_date": "2026-01-10", "end_date": "2026-01-12"})
    assert all("2026-01-10" <= item["start"][:10] <= "2026-01-12" and item["start"] < item["end"] for item in made)
    assert [item["start"] for item in made] == sorted(item["start"] for item in made)


async def test_slots_follow_each_other_on_the_day_asked_for() -> None:
    made = (await asked("find_available_slots", {"date": "2026-01-05", "duration_minutes": 30}))["available_slots"]
    assert made[0]["start"] == "2026-01-05T09:00:00Z"
    for item in made:
        assert (datetime.fromisoformat(item["end"]) - datetime.fromisoformat(item["start"])).total_seconds() == 1800


async def test_the_thing_asked_for_is_the_one_shown() -> None:
    assert (await asked("get_order_status", {"order_id": "o1"}))["id"] == "o1"


async def test_what_is_read_does_not_change_because_something_else_did() -> None:
    world = make_world(make_tool("list_transactions"), make_tool("set_it"))
    before = Session.begin(world, "plain")
    after = before.append(await ExamplePredictor(world).predict(before, Action.call("set_it", {}), Context()))
    assert after.fingerprint != before.fingerprint
    assert await asked("list_transactions", {}, before) == await asked("list_transactions", {}, after)


@pytest.mark.parametrize(
    ("nouns", "kind"), [(["unread", "emails"], "email"), (["clients"], "customer"), (["stock", "quotes"], "quote"), (["zebra"], "")]
)
def test_kinds_are_known_by_their_nouns(nouns: list[str], kind: str) -> None:
    assert kind_of(nouns) == kind


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from("get list find search upcoming".split()),
    st.sampled_from("weather forecast orders invoices slots emails metrics zebras tasks history flights".split()),
    st.dictionaries(
        st.sampled_from("id limit days date start_date city user_id status".split()), st.integers(-3, 60) | st.text(max_size=9), max_size=3
    ),
)
async def test_any_such_call_is_answered(verb: str, noun: str, arguments: dict[str, Any]) -> None:
    world = make_world(make_tool(f"{verb}_{noun}"))
    answer = await ExamplePredictor(world).predict(Session.begin(world, "plain"), Action.call(f"{verb}_{noun}", arguments), Context())
    assert answer.observation.text
