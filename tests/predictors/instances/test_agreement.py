"""What the fields of one object say together."""

from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import make_instance

NUMBER = {"type": "number"}
COUNT = {"type": "integer", "minimum": 0}
TIME = {"type": "string", "format": "date-time"}


def shape(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def made_of(schema: dict[str, Any], number: int, **arguments: Any) -> Any:
    made = make_instance(schema, Random(number), Hints(arguments, datetime(2026, 3, 1, tzinfo=UTC)))
    Draft202012Validator(schema).validate(made)
    return made


@given(
    st.sampled_from(
        [("temp_min", "temp", "temp_max"), ("low", "average", "high"), ("minPrice", "avgPrice", "maxPrice"), ("min", "mean", "max")]
    ),
    st.integers(0, 200),
)
def test_the_lowest_is_not_above_the_highest(names: tuple[str, ...], number: int) -> None:
    made = made_of(shape(**dict.fromkeys(names, NUMBER)), number)
    assert [made[name] for name in names] == sorted(made[name] for name in names)


@given(st.sampled_from([("start", "end"), ("departure_time", "arrival_time"), ("check_in_start", "check_in_end")]), st.integers(0, 100))
def test_nothing_ends_before_it_begins(names: tuple[str, str], number: int) -> None:
    made = made_of(shape(**dict.fromkeys(names, TIME), duration_minutes=COUNT), number)
    lasts = datetime.fromisoformat(made[names[1]]) - datetime.fromisoformat(made[names[0]])
    assert lasts.total_seconds() > 0
    assert abs(lasts.total_seconds() - made["duration_minutes"] * 60) <= 30


@given(st.integers(0, 100))
def test_a_bill_adds_up(number: int) -> None:
    line = shape(name={"type": "string"}, quantity={"type": "integer", "minimum": 1, "maximum": 9}, unit_price=NUMBER, total=NUMBER)
    bill = shape(
        items={"type": "array", "minItems": 1, "items": line}, subtotal=NUMBER, tax=NUMBER, shipping=NUMBER, discount=NUMBER, total=NUMBER
    )
    made = made_of(bill, number)
    for item in made["items"]:
        assert item["total"] == pytest.approx(item["quantity"] * item["unit_price"], abs=0.006)
    assert made["subtotal"] == pytest.approx(sum(item["quantity"] * item["unit_price"] for item in made["items"]), abs=0.006)
    assert made["total"] == pytest.approx(made["subtotal"] + made["tax"] + made["shipping"] - made["discount"], abs=0.006)
    assert 0 <= made["tax"] <= 0.3 * made["subtotal"] + 0.006
    assert all(round(made[name], 2) == made[name] for name in ("subtotal", "tax", "shipping", "discount", "total"))


@given(st.integers(0, 100))
def test_what_is_used_and_what_is_left_make_the_whole(number: int) -> None:
    made = made_of(shape(total_gb=COUNT, used_gb=COUNT, free_gb=COUNT, used_gb_percent=COUNT), number)
    assert made["used_gb"] + made["free_gb"] == made["total_gb"]
    made = made_of(shape(total=COUNT, passed=COUNT, failed=COUNT, skipped=COUNT), number)
    assert made["total"] == made["passed"] + made["failed"] + made["skipped"]
    made = made_of(shape(total=COUNT, per_page={"const": 10}, total_pages=COUNT, page={"const": 1}, has_more={"type": "boolean"}), number)
    assert made["total_pages"] == max(-(-made["total"] // 10), 1)
    assert made["has_more"] == (made["total_pages"] > 1)


def test_what_was_asked_with_stays_and_the_rest_gives_way() -> None:
    made = made_of(shape(min_price=NUMBER, max_price=NUMBER), 3, max_price=12.5)
    assert made["min_price"] <= made["max_price"] == 12.5


@pytest.mark.parametrize("number", range(10))
def test_shares_and_places_are_within_their_bounds(number: int) -> None:
    made = made_of(
        shape(humidity=NUMBER, battery_pct=NUMBER, lat=NUMBER, lon=NUMBER, coordinates={"type": "array", "items": NUMBER}), number
    )
    assert 0 <= made["humidity"] <= 100
    assert 0 <= made["battery_pct"] <= 100
    assert -90 <= made["lat"] <= 90
    assert -180 <= made["lon"] <= 180
    assert all(-90 <= one <= 90 for one in made["coordinates"])


NAMES = (
    "min max low high start end from to total used free subtotal tax quantity price amount page per_page total_pages created_at updated_at"
).split()
PARTS = st.sampled_from(
    [
        NUMBER,
        COUNT,
        TIME,
        {"type": "string"},
        {"type": "integer", "multipleOf": 5},
        {"type": "number", "exclusiveMaximum": 0},
        {"const": 7},
        {"enum": [1, 2.5, "x"]},
        {"type": ["number", "null"]},
        {"type": "array", "items": shape(quantity=COUNT, price=NUMBER)},
        {"oneOf": [NUMBER, {"type": "string"}]},
        {"not": {"type": "number"}},
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.sampled_from(NAMES), PARTS, min_size=2, max_size=8), st.integers(0, 99), st.sampled_from([{}, {"minProperties": 1}])
)
def test_agreeing_never_costs_validity(properties: dict[str, Any], number: int, extra: dict[str, Any]) -> None:
    try:
        made_of({**shape(**properties), **extra}, number, max=3, total="many", limit=2)
    except PredictionError:
        return
