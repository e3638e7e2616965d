"""JSON Schema checks: known answers, agreement with jsonschema, and that nothing makes them hang or crash."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from jsonschema import Draft202012Validator

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Problem, Schema
from mcp_sim.errors import SchemaBudgetError, SetupError
from tests.core.schema_strategies import hostile, mutated, schemas, values

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def told(path: Iterable[str | int], message: str) -> tuple[str, str]:
    lost = message.startswith("False schema")  # jsonschema forgets the last step of the path there
    return "" if lost else "/".join(map(str, path)), message


def test_problems_name_place_keyword_and_value() -> None:
    schema = Schema({"properties": {"edits": {"type": "array", "items": {"required": ["old"], "properties": {"old": {"maxLength": 2}}}}}})
    assert schema.problems({"edits": [{"old": "abc"}, {}]}) == [
        Problem(path=("edits", 0, "old"), keyword="maxLength", message="'abc' is too long", expected=2, value="abc", rule={"maxLength": 2}),
        Problem(
            path=("edits", 1),
            keyword="required",
            message="'old' is a required property",
            expected=["old"],
            value={},
            rule=schema.raw["properties"]["edits"]["items"],
        ),
    ]


def test_context_tells_the_branches_of_a_union_with_whole_paths() -> None:
    union = {"anyOf": [{"type": "string"}, {"properties": {"n": {"type": "integer"}}}]}
    (problem,) = Schema({"properties": {"u": union}}).problems({"u": {"n": "x"}})
    assert [(inner.branch, inner.path, inner.keyword) for inner in problem.context] == [(0, ("u",), "type"), (1, ("u", "n"), "type")]


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"type": "integer"}, 10**30, True),
        ({"enum": [1]}, True, False),
        ({"enum": [[1]]}, [1.0], True),
        ({"const": {"a": 1, "b": [0]}}, {"b": [False], "a": 1}, False),
        ({"uniqueItems": True}, [1, True, "1", [1], ["1"]], True),
        ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], False),
        ({"uniqueItems": True}, ["[1]", [1]], True),
        ({"multipleOf": 0.01}, 0.07, False),  # as binary floats have it, and jsonschema
        ({"multipleOf": 0.5}, 10**400, True),
        ({"multipleOf": 3}, float("inf"), False),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}], "additionalItems": False}, ["a", 1], False),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/n", "type": "string", "definitions": {"n": {"type": "null"}}}, None, True),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": True}, 3, False),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], False),
        ({"$schema": DRAFT_7, "prefixItems": [{"type": "string"}]}, [1], True),
        ({"$ref": "#deep", "$defs": {"x": {"$anchor": "deep", "type": "null"}}}, 1, False),
        ({"$ref": "item", "$id": "http://example.com/root", "$defs": {"x": {"$id": "item", "type": "null"}}}, 1, False),
        ({"properties": {"next": {"$ref": "#"}}, "required": ["n"]}, {"n": 1, "next": {"n": 2, "next": {}}}, False),
        ({"format": "date"}, "yesterday", True),
    ],
)
def test_known_answers(schema: JSON, value: JSON, valid: bool) -> None:
    assert Schema(schema).is_valid(value) is valid


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("b", "abc", True),
        ("^b$", "b\n", False),
        (r"^\S+@\S+$", "a@b", True),
        (r"^\s$", "\ufeff", True),
        (r"^[\s\S]$", "\u2028", True),
        (r"^[^\S]$", "\xa0", True),
        ("^.$", "\u2028", False),
        (r"^\d$", "٣", False),
        (r"^\uD83D\uDE00$", "😀", True),
        (r"^\u0061\/$", "a/", True),
        (r"^(?<year>\d{4})-", "2026-", True),
        ("^[[a]$", "[", True),
        (r"^\cJ$", "\n", True),
        (r"^\p{Lu}\p{Letter}$", "Éa", True),
        (r"^[\w-]+\Z", "a-b", True),
        ("x", "\ud800x", True),
    ],
)
def test_patterns_mean_what_ecma_262_says(pattern: str, text: str, matches: bool) -> None:
    schema = Schema({"pattern": pattern})
    assert schema.notices == ()
    assert schema.is_valid(text) is matches


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){20}$", r"(\w+\s?)*$!"])
def test_patterns_that_hang_other_engines_do_not(pattern: str) -> None:
    Schema({"pattern": pattern}).problems("a" * 50_000 + "\x00")


def test_unreadable_patterns_are_noticed_and_not_enforced() -> None:
    schema = Schema(
        {
            "properties": {"a": {"pattern": "^(?!x)"}, "b": {"pattern": r"(.)\1"}, "c": {"pattern": "["}},
            "patternProperties": {"(?=d)": {"type": "string"}},
            "additionalProperties": False,
        }
    )
    assert [notice.split(":")[0] for notice in sorted(schema.notices)] == [
        "#/patternProperties/(?=d)",
        "#/properties/a/pattern",
        "#/properties/b/pattern",
        "#/properties/c/pattern",
    ]
    assert schema.is_valid({"a": "x", "b": "y", "c": "z", "dd": 1})


def test_pattern_properties_excuse_from_additional_and_unevaluated() -> None:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        schema = {"patternProperties": {"^x-": {"type": "integer"}}, keyword: False}
        assert Schema(schema).is_valid({"x-a": 1})
        assert not Schema(schema).is_valid({"x-a": "1"})
        assert not Schema(schema).is_valid({"y": 1})


def test_an_unknown_dialect_is_noticed() -> None:
    schema = Schema({"$schema": "http://example.com/mine", "type": "string"})
    assert "http://example.com/mine" in schema.notices[0]
    assert schema.dialect == "https://json-schema.org/draft/2020-12/schema"
    assert not schema.is_valid(1)


def test_a_schema_without_dialect_may_be_of_an_older_one() -> None:
    schema = Schema({"items": [{"type": "string"}, {"exclusiveMinimum": 2}], "additionalItems": False})
    assert schema.dialect == DRAFT_7
    assert "/items" in schema.notices[0]
    assert [problem.path for problem in schema.problems([1, 2])] == [(0,), (1,)]
    assert not Schema({"minimum": 2, "exclusiveMinimum": True}).is_valid(2)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (7, "#"),
        ({"type": "strnig"}, "#/type"),
        ({"properties": {"a/b": {"minLength": "3"}}}, "#/properties/a~1b/minLength"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{"type": "string"}]}, "#/items"),
        ({"required": "name"}, "#/required"),
        ({"anyOf": []}, "#/anyOf"),
        ({"$ref": "#/$defs/gone"}, "#/$ref"),
        ({"properties": {"a": {"$ref": "https://example.com/schema.json"}}}, "#/properties/a/$ref"),
        ({"properties": {"a": {"$ref": "file:///etc/passwd"}}}, "#/properties/a/$ref"),
        ({"$ref": "#"}, "#"),
        (
            {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}},
            "#/",
        ),
    ],
)
def test_unusable_schemas_are_refused_with_the_place(schema: JSON, pointer: str) -> None:
    with pytest.raises(SetupError, match=rf"^{pointer}".replace("$", r"\$")):
        Schema(schema)


def test_a_bad_reference_that_nothing_reaches_harms_nobody() -> None:
    assert Schema({"type": "null", "$defs": {"a": {"$ref": "https://example.com/x"}}}).is_valid(None)


def nested(depth: int, wrap: Any) -> JSON:
    value: JSON = {}
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize(
    "schema",
    [
        nested(5_000, lambda inner: {"not": inner}),
        nested(200, lambda inner: {"properties": {"a": inner}}),
        {"enum": ["x"] * 200_000},
        {"description": "x" * 3_000_000},
        {"anyOf": [{"pattern": rf"\p{{L}}{{500}}{number}"} for number in range(1_000)]},
    ],
    ids=["deep", "less deep", "many", "long", "patterns"],
)
def test_schemas_without_measure_are_refused(schema: JSON) -> None:
    with pytest.raises(SetupError, match="Make"):
        Schema(schema)


_DOUBLING = {"$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)} | {"d40": {}}, "$ref": "#/$defs/d0"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (_DOUBLING, 1),
        ({"properties": {"c": {"$ref": "#"}}}, nested(5_000, lambda inner: {"c": inner})),
        ({"const": 1}, nested(100_000, lambda inner: [inner])),
        ({"type": "integer"}, "x" * 300_000_000),
        ({"patternProperties": {f"{n}$": {} for n in range(300)}}, {str(n): n for n in range(30_000)}),
        ({"unevaluatedItems": False}, list(range(100_000))),
        ({"items": {"anyOf": [{"type": "string", "const": f"{n}"} for n in range(100)]}}, list(range(100_000))),
        ({"pattern": r"\p{L}{30}$"}, "é" * 1_000_000),
    ],
    ids=["doubling", "deep", "deep const", "long", "patterns", "unevaluated", "union", "large pattern"],
)
def test_checks_end_within_their_budget(schema: JSON, value: JSON) -> None:
    with pytest.raises(SchemaBudgetError, match="the schema"):
        Schema(schema).problems(value)


def test_large_ordinary_values_are_within_the_budget() -> None:
    rows = [{"id": number, "name": f"row {number}", "tags": ["a", "b"]} for number in range(4_000)]
    row = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["id", "name"],
        "additionalProperties": False,
    }
    schema = Schema({"type": "object", "properties": {"rows": {"type": "array", "items": row, "uniqueItems": True}}})
    assert schema.problems({"rows": rows}) == []
    assert Schema({"type": "string", "minLength": 1, "pattern": "^[^\\0]*$"}).is_valid("x" * 2_000_000)


def _as_jsonschema(schema: JSON, value: JSON) -> list[tuple[str, str]] | str:
    try:
        return sorted(told(error.path, error.message) for error in Draft202012Validator(schema).iter_errors(value))
    except (OverflowError, RecursionError):  # its own limits
        return "no answer"


@given(schemas, values)
def test_verdicts_are_those_of_jsonschema(schema: JSON, value: JSON) -> None:
    try:
        ours = Schema(schema)
    except SetupError as error:
        assume("Break that circle" not in str(error) and "leads to nothing" not in str(error))
        raise
    theirs = _as_jsonschema(schema, value)
    assume(theirs != "no answer")
    assert ours.is_valid(value) is (theirs == [])
    if "unevaluated" not in json.dumps(schema):  # jsonschema repeats names there
        assert sorted(told(problem.path, problem.message) for problem in ours.problems(value)) == theirs


@given(hostile | mutated, values)
def test_no_schema_and_no_value_do_harm(schema: JSON, value: JSON) -> None:
    try:
        compiled = Schema(schema)
    except SetupError:
        return
    for part in (value, schema):
        try:
            assert compiled.is_valid(part) is (compiled.problems(part) == [])
        except SchemaBudgetError:
            continue


@pytest.mark.skipif("MCP_SIM_CORPUS" not in os.environ, reason="MCP_SIM_CORPUS names no folder of real tool lists")
def test_schemas_of_real_servers_compile() -> None:
    count = 0
    for file in sorted(Path(os.environ["MCP_SIM_CORPUS"], "toolslists").glob("*.json")):
        for tool in json.loads(file.read_text())["tools"]:
            for schema in (tool["inputSchema"], tool.get("outputSchema", True)):
                compiled = Schema(schema)
                assert compiled.notices == (), f"{file.name}: {tool['name']}"
                count += 1
    assert count > 500
