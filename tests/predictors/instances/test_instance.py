"""Instances of arbitrary schemas. jsonschema itself is the judge: the product uses its own bounded reading of it."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from mcp_sim.errors import McpSimError, PredictionError, SchemaBudgetError, UnsatisfiableSchemaError
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker, make_instance
from tests.predictors.instances.schemas import satisfiable


def is_instance(value: Any, schema: Any) -> bool:
    return bool(validator_for(schema, default=Draft202012Validator)(schema).is_valid(value))


def test_at_least_99_of_100_schemas_around_a_known_instance_are_met() -> None:
    outcomes: list[bool] = []
    failures: list[str] = []

    @seed(20_260_101)
    @settings(max_examples=400, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(satisfiable())
    def run(drawn: tuple[Any, Any]) -> None:
        schema, known = drawn
        assert is_instance(known, schema), "the strategy drew a schema that its own value does not satisfy"
        try:
            made = make_instance(schema, Random(len(outcomes)))
        except PredictionError as error:
            outcomes.append(False)
            failures.append(f"{error}: {json.dumps(schema)}")
            return
        outcomes.append(is_instance(made, schema))
        if not outcomes[-1]:
            failures.append(f"{made!r}: {json.dumps(schema)}")

    run()
    assert len(outcomes) >= 390
    assert sum(outcomes) / len(outcomes) >= 0.99, "\n".join(failures)


_WORDS = "type enum const minimum maximum multipleOf minLength maxLength pattern items prefixItems contains minItems maxItems uniqueItems \
properties required additionalProperties patternProperties propertyNames minProperties allOf anyOf oneOf not if then else $ref $defs \
dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems minContains maxContains format default examples".split()
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["string", "object", "array", "null", "integer", "#", "#/$defs/a", "^(a+)+$", "[", "a{1000}", "date-time", "(?=a)"]),
)
_ANYTHING = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(_WORDS), inner, max_size=4),
        st.dictionaries(st.sampled_from("ab"), inner),
    ),
    max_leaves=25,
)


@settings(max_examples=300)
@given(_ANYTHING, st.integers())
def test_whatever_is_given_as_a_schema_ends_in_an_instance_or_in_an_error_of_ours(schema: Any, number: int) -> None:
    try:
        maker = InstanceMaker(schema)
    except McpSimError:
        return
    try:
        made = maker.make(Random(number))
    except PredictionError:
        return
    json.dumps(made, allow_nan=False)


_DOUBLING = {
    f"n{level}": {
        "type": "object",
        "required": ["x", "y"],
        "properties": {"x": {"$ref": f"#/$defs/n{level + 1}"}, "y": {"$ref": f"#/$defs/n{level + 1}"}},
    }
    for level in range(30)
}


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "string", "enum": [1]},
        {"type": "string", "minLength": 5, "maxLength": 2},
        {"allOf": [{"type": "string"}, {"type": "number"}]},
        {"type": "integer", "minimum": 1.2, "maximum": 1.8},
        {"const": "abc", "pattern": "^x"},
        {"type": "string", "allOf": [{"pattern": "^a$"}, {"pattern": "^b$"}]},
        {"type": "object", "required": ["a"], "properties": {"a": False}},
        {"type": "object", "minProperties": 3, "propertyNames": {"enum": ["a", "b"]}},
        {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3},
        {"type": "array", "items": {"type": "string"}, "contains": {"type": "integer"}},
        {"oneOf": [{"type": "string"}, {"type": "string"}]},
        {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#/$defs/n"}}}}},
    ],
)
def test_what_cannot_be_met_is_said_to_be_so(schema: Any) -> None:
    with pytest.raises(UnsatisfiableSchemaError, match="could be made: at "):
        make_instance(schema, Random(1))


def test_the_error_points_at_the_place() -> None:
    schema = {
        "properties": {"a": {"properties": {"b/c": {"type": "string", "enum": [1]}}, "required": ["b/c"]}},
        "required": ["a"],
        "type": "object",
    }
    schema["properties"]["a"]["type"] = "object"  # type: ignore[index]
    with pytest.raises(UnsatisfiableSchemaError, match="at /a/b~1c, "):
        make_instance(schema, Random(1))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "minItems": 10**9},
        {"type": "string", "minLength": 10**12},
        {"type": "object", "minProperties": 10**9},
        {"type": "array", "contains": {"const": 1}, "minContains": 10**8},
        {"type": "array", "minItems": 5000, "items": {"type": "string", "minLength": 100_000}},
        {"type": "array", "minItems": 1000, "items": {"type": "array", "minItems": 1000, "items": {"type": "integer"}}},
        {"type": "string", "maxLength": 2, "allOf": [{"anyOf": [{"minLength": n}, {"minLength": n + 1}]} for n in range(3, 63)]},
        {"$ref": "#/$defs/n0", "$defs": {**_DOUBLING, "n30": {"type": "integer"}}},
    ],
)
def test_what_would_take_for_ever_stops_at_the_budget(schema: Any) -> None:
    with pytest.raises(SchemaBudgetError):
        make_instance(schema, Random(1))


@pytest.mark.parametrize(
    "pattern", ["a{1000}{1000}", "^(a+)+$", r"^(?=.*[0-9])[a-z0-9]{8}$", "(" * 300 + ")" * 300, "(((a{1,900}){1,900}){1,9}){1,9}"]
)
def test_hostile_patterns_cost_little(pattern: str) -> None:
    assert len(make_instance({"type": "string", "pattern": pattern}, Random(1))) < 2_000


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^v[0-9]+\\.[0-9]+\\.[0-9]+(-(alpha|beta)\\.[0-9]+)?$"},
        {"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$", "minLength": 8},
        {"type": "string", "pattern": "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$", "maxLength": 12},
        {"type": "string", "pattern": "^[a-z]+$", "minLength": 300, "maxLength": 300},
        {"type": "string", "allOf": [{"pattern": "foo"}, {"pattern": "bar"}]},
        {"type": "number", "multipleOf": 0.01, "minimum": 0.015, "maximum": 0.4},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1e-9},
        {"type": "integer", "allOf": [{"multipleOf": 6}, {"multipleOf": 10}], "exclusiveMinimum": 30, "maximum": 60},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "array",
            "items": [{"const": 1}],
            "additionalItems": False,
            "minItems": 1,
        },
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"x": {"const": 4}},
            "$ref": "#/definitions/x",
            "type": "string",
        },
        {
            "type": "object",
            "required": ["a"],
            "properties": {"a": {}},
            "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"const": 2}}}},
        },
        {
            "type": "object",
            "properties": {"kind": {"enum": ["x"]}},
            "required": ["kind"],
            "if": {"properties": {"kind": {"const": "x"}}},
            "then": {"required": ["deep"]},
        },
        {"oneOf": [{"type": "object", "required": [f"p{n}"], "properties": {f"p{n}": {"const": n}}} for n in range(100)]},
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            "unevaluatedProperties": True,
        },
        {"type": "array", "items": {"enum": ["a", "b", "c", "d"]}, "uniqueItems": True, "minItems": 4},
        {
            "type": "array",
            "contains": {"type": "integer"},
            "minContains": 2,
            "maxContains": 2,
            "items": {"type": ["integer", "string"]},
            "minItems": 4,
        },
        {"not": {"anyOf": [{"type": ["string", "number", "null", "boolean", "array"]}, {"required": ["x"]}]}},
        {"allOf": [{"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}], "unevaluatedProperties": False},
    ],
)
@pytest.mark.parametrize("number", range(5))
def test_keywords_that_are_hard_to_meet_by_chance(schema: Any, number: int) -> None:
    assert is_instance(make_instance(schema, Random(number)), schema)


_FORMATS = (
    "date-time date time duration email idn-email hostname ipv4 ipv6 uri uri-reference uri-template uuid json-pointer regex iri".split()
)


@pytest.mark.parametrize("name", _FORMATS)
def test_formats(name: str) -> None:
    schema = {"type": "string", "format": name}
    checker = Draft202012Validator.FORMAT_CHECKER
    for number in range(20):
        text = make_instance(schema, Random(number))
        checker.check(text, name)
        assert " " not in text or name == "regex"


RECURSIVE = {
    "type": "object",
    "required": ["name", "children"],
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}, "parent": {"$ref": "#"}},
}


def depth_of(value: Any) -> int:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(depth_of, inner), default=0)


def test_recursion_ends_and_results_stay_small() -> None:
    for number in range(20):
        made = make_instance(RECURSIVE, Random(number))
        assert is_instance(made, RECURSIVE)
        assert depth_of(made) < 100
        assert len(json.dumps(made, indent=2)) < 40_000


PERSON = {
    "type": "object",
    "required": [
        "id",
        "email",
        "url",
        "created_at",
        "updated_at",
        "items",
        "total_count",
        "latitude",
        "city",
        "price",
        "currency",
        "query",
        "due_date",
    ],
    "properties": {
        "id": {"type": "integer"},
        "email": {"type": "string"},
        "url": {"type": "string"},
        "created_at": {"type": "string", "format": "date-time"},
        "updated_at": {"type": "string", "format": "date-time"},
        "due_date": {"type": "string", "description": "YYYY-MM-DD"},
        "items": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
        "total_count": {"type": "integer"},
        "latitude": {"type": "number"},
        "city": {"type": "string"},
        "price": {"type": "number"},
        "currency": {"type": "string"},
        "query": {"type": "string"},
        "branch": {"type": "string", "description": "Branch name, e.g. `release/7`"},
    },
}


@given(st.integers())
def test_values_mean_what_their_names_say(number: int) -> None:
    now = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    made = make_instance(PERSON, Random(number), Hints({"query": "tide tables", "id": 77}, now))
    assert made["query"] == "tide tables"
    assert made["id"] == 77
    assert "@example." in made["email"]
    assert made["url"].startswith("https://")
    assert "2029" < made["created_at"] < made["updated_at"] <= "2031-05-06T07:08:09Z" < made["due_date"]
    assert made["total_count"] == len(made["items"])
    assert all(item["id"] != 77 for item in made["items"][1:])
    assert -90 <= made["latitude"] <= 90
    assert made["price"] > 0
    assert len(made["currency"]) == 3
    assert made.get("branch", "release/7") == "release/7"


def test_an_argument_is_not_echoed_where_the_schema_forbids_it() -> None:
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "maximum": 10}}}
    assert make_instance(schema, Random(1), Hints({"id": 11}))["id"] <= 10


_PRINTS = """
import json, sys
from random import Random
from mcp_sim.predictors.instances.instance import make_instance
print(json.dumps([make_instance(json.loads(sys.argv[1]), Random("seed")) for _ in range(2)]))
"""


def test_other_processes_make_the_same() -> None:
    schema = {**PERSON, "additionalProperties": {"type": "string", "pattern": "^[^a-f]{3}\\W"}, "minProperties": 18}
    made = {
        subprocess.run(
            [sys.executable, "-c", _PRINTS, json.dumps(schema)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hash_seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(made) == 1
    first, second = json.loads(made.pop())
    assert first == second


def test_what_a_maker_has_worked_out_does_not_show_in_its_values() -> None:
    maker = InstanceMaker(PERSON)
    for number in range(5):
        maker.make(Random(number))
    assert maker.make(Random("x")) == make_instance(PERSON, Random("x"))


@pytest.mark.skipif("MCP_SIM_CORPUS" not in os.environ, reason="needs a corpus of real tool lists")
def test_every_output_schema_of_real_servers_is_met() -> None:
    checked = 0
    for path in sorted(Path(os.environ["MCP_SIM_CORPUS"], "toolslists").glob("*.json")):
        for tool in json.loads(path.read_text())["tools"]:
            if (schema := tool.get("outputSchema")) is not None:
                checked += 1
                maker = InstanceMaker(schema)
                for number in range(3):
                    made = maker.make(Random(number))
                    assert is_instance(made, schema), tool["name"]
                    assert len(json.dumps(made, indent=2)) <= 40_000
    assert checked > 50
