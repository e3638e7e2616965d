import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.schema import Schema
from mcp_sim.predictors.language.structured import NoJSONError, bound, read_json
from tests.predictors.language.worlds import USER_SCHEMA

NESTED = {
    "type": "object",
    "properties": {
        "users": {"type": "array", "items": {"$ref": "#/$defs/user"}},
        "note": {"type": ["string", "null"]},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "count": {"type": "integer", "minimum": 5},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
        "long": {"type": "string", "minLength": 5000},
        "many": {"type": "array", "minItems": 300, "items": {"type": "boolean"}},
        "free": True,
    },
    "$defs": {"user": USER_SCHEMA},
}


def test_what_can_run_on_gets_limits_and_what_has_them_keeps_them() -> None:
    bounded = bound(NESTED)
    properties = bounded["properties"]
    assert properties["users"]["maxItems"] >= 100
    assert properties["note"]["maxLength"] > 0
    assert properties["kind"] == NESTED["properties"]["kind"]  # type: ignore[index]
    assert (properties["count"]["minimum"], properties["count"]["maximum"]) == (5, 2**53 - 1)
    assert "maxLength" not in properties["code"]
    assert properties["long"]["maxLength"] >= 5000
    assert properties["many"]["maxItems"] >= 300
    assert properties["free"] is True
    assert bounded["$defs"]["user"]["properties"]["name"]["maxLength"] > 0
    assert "maxItems" not in NESTED["properties"]["users"]  # type: ignore[index]


@given(st.fixed_dictionaries({"id": st.integers(), "name": st.text(max_size=10) | st.just("x" * 5000)}))
def test_what_fits_the_bounded_copy_fits_the_schema(value: object) -> None:
    assert Schema(USER_SCHEMA).is_valid(value)
    assert Schema(bound(USER_SCHEMA)).is_valid(value) == (abs(value["id"]) < 2**53 and len(value["name"]) < 4097)  # type: ignore[index]


def test_a_failure_may_be_said_where_the_tool_is_known_to_fail() -> None:
    schema = Schema(bound(NESTED, or_failure=True))
    assert schema.is_valid("no such user")
    assert schema.is_valid({"users": [{"id": 1, "name": "Ada"}]})
    assert not schema.is_valid({"users": [1]})
    assert not schema.is_valid(7)


@pytest.mark.parametrize("schema", [True, False, {}, {"type": 7}, {"items": [1]}, {"properties": []}, {"anyOf": {}}])
def test_odd_schemas_are_passed_on(schema: object) -> None:
    assert bound(schema) == schema


def test_a_schema_nested_without_end_is_bounded() -> None:
    schema: object = {"type": "string"}
    for _ in range(5000):
        schema = {"items": schema}
    assert bound(schema)["items"]["items"]  # no RecursionError


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(json_values, st.sampled_from(["{}", "```json\n{}\n```", "\n {}\n"]))
def test_json_is_read_back_bare_or_fenced(value: object, around: str) -> None:
    assert read_json(around.replace("{}", json.dumps(value))) == value


@given(st.dictionaries(st.text(), json_values))
def test_an_object_is_found_between_words(value: dict[str, object]) -> None:
    assert read_json(f"The result is: {json.dumps(value)} as asked.") == value


@given(st.text())
def test_any_text_is_json_or_an_error_of_ours(text: str) -> None:
    try:
        json.dumps(read_json(text), allow_nan=False)
    except NoJSONError:
        return
