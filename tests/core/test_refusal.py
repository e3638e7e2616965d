"""Refusals in the words of real servers. The texts were recorded from them; tests/peers/refusal asks them again."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.canonical import JSON
from mcp_sim.core.refusal import admit, refuse, unknown_tool
from mcp_sim.core.schema import Schema
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import ErrorStyle
from mcp_sim.errors import SchemaBudgetError, SetupError
from tests.core.schema_strategies import mutated, names, schemas, values

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
styles = st.sampled_from(get_args(ErrorStyle))


def tool(name: str, schema: dict[str, Any]) -> ToolSpec:
    return ToolSpec(name=name, input_schema=schema, definition={})


def refusal(style: ErrorStyle, spec: ToolSpec, arguments: JSON) -> str | None:
    _, problems = admit(style, Schema(spec.input_schema), arguments)
    if not problems:
        return None
    observation = refuse(style, spec, arguments, problems)
    assert observation.is_error
    assert not observation.has_structured_content
    return observation.text


EDIT_FILE = tool(
    "edit_file",
    {
        "$schema": DRAFT_7,
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"oldText": {"type": "string"}, "newText": {"type": "string"}},
                    "required": ["oldText", "newText"],
                },
            },
            "dryRun": {"default": False, "type": "boolean"},
        },
        "required": ["path", "edits"],
    },
)
ZOD = "MCP error -32602: Input validation error: Invalid arguments for tool "


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            {},
            "Invalid input: expected string, received undefined at path\nInvalid input: expected array, received undefined at edits",
        ),
        (
            {"edits": [{"oldText": 1}, {}, "x"], "path": "/a"},
            "Invalid input: expected string, received number at edits[0].oldText\n"
            "Invalid input: expected string, received undefined at edits[0].newText\n"
            "Invalid input: expected string, received undefined at edits[1].oldText\n"
            "Invalid input: expected string, received undefined at edits[1].newText\n"
            "Invalid input: expected object, received string at edits[2]",
        ),
        ({"path": "/a", "edits": [], "dryRun": "yes"}, "Invalid input: expected boolean, received string at dryRun"),
    ],
)
def test_zod_words_of_the_filesystem_server(arguments: JSON, text: str) -> None:
    assert refusal("zod", EDIT_FILE, arguments) == f"{ZOD}edit_file: {text}"


@pytest.mark.parametrize(
    ("rule", "value", "text"),
    [
        ({"type": "string", "enum": ["name", "size"]}, 5, 'Invalid option: expected one of "name"|"size" at it'),
        ({"type": "array", "minItems": 1, "items": {"type": "string"}}, [], "Too small: expected array to have >=1 items at it"),
        ({"type": "array", "minItems": 2, "maxItems": 3}, "a", "Invalid input: expected array, received string at it\n"
         "Too small: expected string to have >=2 characters at it"),
        ({"type": "string", "minLength": 4, "maxLength": 4}, "aaa", "Too small: expected string to have exactly 4 characters at it"),
        ({"type": "integer", "minimum": 1, "maximum": 9007199254740991}, 0, "Too small: expected number to be >=1 at it"),
        ({"type": "integer", "minimum": 1, "maximum": 9007199254740991}, 1e20, "Too big: expected int to be <=9007199254740991 at it"),
        ({"type": "integer", "exclusiveMinimum": 0}, -1.5, "Invalid input: expected int, received number at it"),
        ({"type": "string", "pattern": r"^a[/]b\/c"}, "x", r"Invalid string: must match pattern /^a[/]b\/c/ at it"),
        ({"type": "string", "format": "email", "pattern": "@"}, "x", "Invalid email address at it"),
        ({"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}, "a", "Too small: expected string to have >=2 characters at it"),
        ({"anyOf": [{"type": "string", "minLength": 5}, {"type": "number"}]}, True, "Invalid input at it"),
        ({"type": "object", "propertyNames": {"pattern": "^x"}, "additionalProperties": {"type": "number"}}, {"y": 1},
         "Invalid key in record at it.y"),
        ({"oneOf": [{"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]} for kind in ("one", "two")]},
         {"kind": "three"}, "Invalid discriminator value. Expected 'one' | 'two' at it.kind"),
    ],
)  # fmt: skip
def test_zod_words(rule: JSON, value: JSON, text: str) -> None:
    spec = tool("t", {"$schema": DRAFT_7, "type": "object", "properties": {"it": rule}})
    assert refusal("zod", spec, {"it": value}) == f"{ZOD}t: {text}"


def test_zod_leaves_unknown_keys_out_unless_the_object_is_strict() -> None:
    strict: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    current = {"$schema": DRAFT_7, **strict}  # the SDK with zod 4: only a strict object says false
    with_zod_3 = {**strict, "$schema": DRAFT_7}
    of_an_output = {"$schema": "https://json-schema.org/draft/2020-12/schema", **strict}
    for schema in (strict, current):
        assert refusal("zod", tool("t", schema), {"a": "x", "c": 1, "d": 2}) == f'{ZOD}t: Unrecognized keys: "c", "d"'
    for schema in (with_zod_3, of_an_output):
        assert admit("zod", Schema(schema), {"a": "x", "c": 1, "d": 2}) == ({"a": "x"}, [])
        assert refusal("zod", tool("t", schema), {"a": 1, "c": 1}) == f"{ZOD}t: Invalid input: expected string, received number at a"


def test_unknown_keys_are_left_out_at_every_depth() -> None:
    item = {"type": "object", "properties": {"n": {"type": "number"}}, "additionalProperties": False}
    schema = Schema({"properties": {"rows": {"items": item}}, "additionalProperties": False, "$schema": DRAFT_7})
    arguments = {"rows": [{"n": 1, "x": 1}, {"y": 2}], "z": 3}
    assert admit("zod", schema, arguments) == ({"rows": [{"n": 1}, {}]}, [])
    assert arguments == {"rows": [{"n": 1, "x": 1}, {"y": 2}], "z": 3}


GIT_ADD = tool(
    "git_add",
    {
        "properties": {
            "repo_path": {"title": "Repo Path", "type": "string"},
            "files": {"items": {"type": "string"}, "minItems": 1, "title": "Files", "type": "array"},
            "depth": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}], "default": None},
        },
        "required": ["repo_path", "files"],
        "type": "object",
        "title": "addArguments",
    },
)


def test_pydantic_words_of_the_git_server() -> None:
    text = refusal("pydantic", GIT_ADD, {"files": "x", "depth": "1"})
    assert text is not None
    lines = text.split("\n")
    assert lines[0] == "Error executing tool git_add: 3 validation errors for addArguments"
    assert lines[1:3] == [
        "repo_path",
        "  Field required [type=missing, input_value={'files': 'x', 'depth': '1'}, input_type=dict]",
    ]
    assert lines[4:6] == ["files", "  Input should be a valid list [type=list_type, input_value='x', input_type=str]"]
    assert lines[7:9] == [
        "depth",
        "  Input should be greater than or equal to 3 [type=greater_than_equal, input_value='1', input_type=str]",
    ]
    assert lines[3].startswith("    For further information visit https://errors.pydantic.dev/2.")
    assert lines[3].endswith("/v/missing")


def test_pydantic_reads_numbers_and_json_from_strings() -> None:
    arguments = {"repo_path": "/x", "files": '["a", "b"]', "depth": "5"}
    assert admit("pydantic", Schema(GIT_ADD.input_schema), arguments) == ({"repo_path": "/x", "files": ["a", "b"], "depth": 5}, [])
    number = Schema({"properties": {"n": {"type": "number"}}})
    for text in ("nan", "inf", "1e999"):  # JSON has none of them
        assert admit("pydantic", number, {"n": text})[1] != []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "'query' is a required property"),
        ({"query": 5}, "5 is not of type 'string'"),
        ({"query": "x", "zz": 1, "limit": 0}, "Additional properties are not allowed ('zz' was unexpected)"),
    ],
)
def test_jsonschema_words_of_the_sqlite_server(arguments: JSON, message: str) -> None:
    properties = {"query": {"type": "string"}, "limit": {"minimum": 1}}
    spec = tool("read_query", {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False})
    assert refusal("jsonschema", spec, arguments) == f"Input validation error: {message}"


def test_unknown_tools() -> None:
    zod, lowlevel = unknown_tool("zod", "nope"), unknown_tool("jsonschema", "nope")
    assert zod is not None
    assert lowlevel is not None
    assert (zod.is_error, zod.text) == (True, "MCP error -32602: Tool nope not found")
    assert (lowlevel.is_error, lowlevel.text) == (True, "Unknown tool: nope")
    assert unknown_tool("pydantic", "nope") is None


@given(styles, schemas | mutated, st.dictionaries(names, values))
def test_any_bad_arguments_get_a_refusal(style: ErrorStyle, schema: JSON, arguments: dict[str, JSON]) -> None:
    before = json.dumps(arguments)
    try:
        text = refusal(style, tool("t", schema), arguments)
        _, problems = admit(style, Schema(schema), arguments)
    except (SetupError, SchemaBudgetError):
        return
    assert (text is None) is (problems == [])
    assert text is None or len(text) > len(ZOD) or style != "zod"
    assert json.dumps(arguments) == before
