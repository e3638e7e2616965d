"""Lists over time, and lists as long as a call asks for."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker, make_instance

NOW = datetime(2026, 3, 30, 14, 25, 11, tzinfo=UTC)
DAY = {"type": "string", "format": "date"}
TIME = {"type": "string", "format": "date-time"}
NUMBER = {"type": "number"}
COUNT = {"type": "integer"}
TEXT = {"type": "string"}


def shape(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def rows(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "items": shape(**properties)}


def asked(tool: str, schema: dict[str, Any], number: int = 0, **arguments: Any) -> Any:
    made = make_instance(schema, Random(number), Hints(arguments, NOW, topic=tuple(tool.split("_"))))
    Draft202012Validator(schema).validate(made)
    return made


@pytest.mark.parametrize("number", range(5))
def test_a_forecast_goes_day_by_day_from_today_on(number: int) -> None:
    made = asked("get_forecast", shape(days=rows(date=DAY, high=NUMBER)), number, city="Oslo", days=5)
    assert [item["date"] for item in made["days"]] == ["2026-03-30", "2026-03-31", "2026-04-01", "2026-04-02", "2026-04-03"]


def test_a_history_ends_now() -> None:
    made = asked("get_price_history", shape(prices=rows(date=DAY, close=NUMBER)), symbol="ACME", days=3)
    assert [item["date"] for item in made["prices"]] == ["2026-03-28", "2026-03-29", "2026-03-30"]


def test_hours_months_and_asked_steps_lie_as_far_apart_as_they_say() -> None:
    made = asked("get_forecast", shape(hourly=rows(time=TIME, temperature=NUMBER)), hours=3)
    assert [item["time"][:16] for item in made["hourly"]] == ["2026-03-30T14:00", "2026-03-30T15:00", "2026-03-30T16:00"]
    made = asked("get_report", shape(months=rows(month={"type": "string", "pattern": r"^\d{4}-\d{2}$"}, revenue=NUMBER)), months=3)
    assert len(made["months"]) == 3
    made = asked("get_candles", rows(timestamp=COUNT, open=NUMBER, high=NUMBER, low=NUMBER, close=NUMBER), interval="15m", limit=4)
    stamps = [item["timestamp"] for item in made]
    assert [after - before for before, after in pairwise(stamps)] == [900] * 3
    assert all(item["low"] <= min(item["open"], item["close"]) <= max(item["open"], item["close"]) <= item["high"] for item in made)


def test_a_series_lies_between_the_dates_that_are_asked_for() -> None:
    made = asked("get_usage", shape(daily=rows(date=DAY, requests=COUNT)), start_date="2026-02-27", end_date="2026-03-02")
    assert [item["date"] for item in made["daily"]] == ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]


def test_the_day_of_the_week_is_that_of_the_date() -> None:
    weekday = {"enum": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()}
    for item in asked("get_forecast", rows(date=DAY, weekday=weekday, sunrise=TIME), days=7):
        assert date.fromisoformat(item["date"]).strftime("%A") == item["weekday"]
        assert item["sunrise"][:10] == item["date"]


def test_columns_beside_times_are_as_long_as_they() -> None:
    column = {"type": "array", "minItems": 1, "items": NUMBER}
    schema = shape(daily=shape(time={"type": "array", "minItems": 1, "items": DAY}, temperature_max=column, temperature_min=column))
    made = asked("get_forecast", schema, days=4)["daily"]
    assert made["time"] == ["2026-03-30", "2026-03-31", "2026-04-01", "2026-04-02"]
    assert len(made["temperature_max"]) == len(made["temperature_min"]) == 4


@pytest.mark.parametrize("name", ["limit", "count", "n", "num_results", "top_k", "max_results"])
def test_a_list_of_things_is_as_long_as_asked(name: str) -> None:
    schema = shape(results=rows(title=TEXT, url={"type": "string", "format": "uri"}), tags={"type": "array", "items": TEXT}, total=COUNT)
    made = asked("web_search", schema, query="tides", **{name: 6})
    assert len(made["results"]) == 6
    assert made["total"] == 6


def test_what_is_to_come_is_told_soonest_first_and_what_was_newest_first() -> None:
    ahead = asked("list_upcoming_events", rows(id=COUNT, title=TEXT, start=TIME, end=TIME), limit=6)
    assert [item["start"] for item in ahead] == sorted(item["start"] for item in ahead)
    past = asked("list_commits", rows(sha=TEXT, message=TEXT, date=TIME), limit=6)
    assert [item["date"] for item in past] == sorted((item["date"] for item in past), reverse=True)


def test_arguments_that_steer_an_answer_come_back_in_it() -> None:
    schema = shape(location=shape(name=TEXT, city=TEXT), unit=TEXT, days=rows(date=DAY, unit=TEXT))
    made = asked("get_forecast", schema, city="Port Merrow", units="imperial", days=2)
    assert made["location"]["city"] == "Port Merrow"
    assert [made["unit"], *(item["unit"] for item in made["days"])] == ["imperial"] * 3


def test_an_answer_that_the_author_wrote_is_left_as_it_is() -> None:
    own = {"days": [{"date": "2020-01-05", "high": 3}, {"date": "2020-01-01", "high": 2}]}
    schema = {**shape(days=rows(date=DAY, high=NUMBER)), "examples": [own]}
    assert asked("get_forecast", schema) == own


KEYS = st.sampled_from("date time day timestamp high low temp_min temp_max value id name open close start end weekday count".split())
PARTS = st.sampled_from(
    [
        DAY,
        TIME,
        NUMBER,
        COUNT,
        TEXT,
        {"enum": ["2020-01-01", "2021-05-05"]},
        {"type": "integer", "multipleOf": 7},
        {"type": "number", "maximum": 3},
    ]
)
ITEMS = st.dictionaries(KEYS, PARTS, min_size=1, max_size=5).map(lambda properties: shape(**properties))
ARRAYS = st.builds(
    lambda items, extra: {"type": "array", "items": items, **extra},
    ITEMS | PARTS,
    st.sampled_from([{}, {"minItems": 2}, {"maxItems": 2}, {"uniqueItems": True}, {"prefixItems": [DAY]}, {"contains": {"const": 1}}]),
)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "days": st.integers(-2, 400),
        "limit": st.integers(0, 10**6),
        "hours": st.integers(0, 50),
        "interval": st.sampled_from(["1h", "1d", "1M", "x", "weekly", "0m"]),
        "start_date": st.sampled_from(["2026-01-01", "1000-01-01", "9999-12-31", "soon"]),
        "end_date": st.sampled_from(["2026-02-01", "0001-01-01", 10**12]),
    },
)


DATED: Any = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"date": {"type": "string", "format": "date"}, "id": {"type": "string"}},
        "required": ["date", "id"],
    },
}


@settings(max_examples=150, deadline=None)
@example({"days": DATED}, {"start_date": "9999-12-31"}, 0)
@example({"days": DATED}, {"end_date": "0001-01-01"}, 0)
@given(
    st.dictionaries(st.sampled_from("days hourly items results dates times history".split()), ARRAYS, min_size=1, max_size=3),
    ARGUMENTS,
    st.integers(0, 99),
)
def test_whatever_is_asked_for_the_answer_holds(arrays: dict[str, Any], arguments: dict[str, Any], number: int) -> None:
    schema = shape(**arrays)
    try:
        maker = InstanceMaker(schema)
        made = maker.make(Random(number), Hints(arguments, NOW, topic=("get", "forecast")))
    except PredictionError:
        return
    assert Draft202012Validator(schema).is_valid(made)
    assert made == InstanceMaker(schema).make(Random(number), Hints(arguments, NOW, topic=("get", "forecast")))


@given(st.integers(1, 28), st.integers(0, 20))
def test_days_of_a_forecast_are_consecutive(count: int, number: int) -> None:
    made = asked("get_forecast", shape(forecast=rows(date=DAY, high=NUMBER)), number, days=count)["forecast"]
    assert [date.fromisoformat(item["date"]) for item in made] == [NOW.date() + timedelta(days=place) for place in range(count)]
