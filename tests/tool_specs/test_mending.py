import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types.methods import validate_server_result

from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import LeftOut
from mcp_sim.tool_specs.mending import mend, mend_all

OBJECT = {"type": "object"}
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
SCHEMA_KEYS = "type properties required $ref $schema $id anyOf items enum pattern additionalProperties".split()
SCHEMAS = st.dictionaries(st.sampled_from(SCHEMA_KEYS), JSON_VALUES | st.sampled_from(["object", "array", ["object", "null"], {"a": True}]))
TOOL_PARTS = {
    "name": st.text(min_size=1, max_size=5) | JSON_VALUES,
    "title": JSON_VALUES,
    "description": JSON_VALUES,
    "inputSchema": SCHEMAS | JSON_VALUES,
    "outputSchema": SCHEMAS | JSON_VALUES,
    "annotations": st.dictionaries(st.sampled_from(["title", "readOnlyHint", "openWorldHint", "x"]), JSON_VALUES) | JSON_VALUES,
    "icons": st.lists(st.dictionaries(st.sampled_from(["src", "mimeType", "sizes", "theme"]), JSON_VALUES), max_size=2) | JSON_VALUES,
    "execution": st.fixed_dictionaries({"taskSupport": JSON_VALUES}) | JSON_VALUES,
    "_meta": JSON_VALUES,
    "x-more": JSON_VALUES,
}
TOOLS = st.fixed_dictionaries({}, optional=TOOL_PARTS)


def mended(**parts: Any) -> ToolSpec:
    tool = mend({"name": "t", "inputSchema": OBJECT, **parts})
    assert isinstance(tool, ToolSpec), tool
    return tool


def test_a_sound_tool_stays_as_its_author_wrote_it() -> None:
    raw = {
        "x-custom": [1],
        "name": "t",
        "title": "T",
        "description": "d",
        "inputSchema": {"required": ["b", "a"], "type": "object", "properties": {"b": {"x-unit": "m"}, "a": {}}, "x-y": 1},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "category": "c"},
        "icons": [{"src": "data:,", "x": 1}],
        "execution": {"taskSupport": "forbidden"},
        "_meta": {"a/b": 1},
    }
    tool = mended(**copy.deepcopy(raw))
    assert tool.definition == raw
    assert list(tool.definition["inputSchema"]) == ["required", "type", "properties", "x-y"]
    assert tool.mended == ()
    assert (tool.description, tool.annotations, tool.output_schema) == ("d", raw["annotations"], OBJECT)


@pytest.mark.parametrize(
    ("schema", "served"),
    [
        ({}, OBJECT),
        (None, OBJECT),
        (True, OBJECT),
        ({"type": None}, OBJECT),
        ({"type": ["object", "null"]}, OBJECT),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        ({"type": "object", "properties": None, "required": None}, OBJECT),
        ({"type": "object", "properties": {"a": True, "b": False}}, {"type": "object", "properties": {"a": {}, "b": {"not": {}}}}),
    ],
)
def test_an_input_schema_that_clients_choke_on_is_mended_and_reported(schema: Any, served: Any) -> None:
    tool = mended(inputSchema=schema)
    assert tool.input_schema == tool.definition["inputSchema"] == served
    assert tool.mended
    assert all("inputSchema" in sentence for sentence in tool.mended)


def test_a_missing_input_schema_is_reported_with_the_key_of_another_format() -> None:
    tool = mend({"name": "t", "input_schema": {"type": "object"}})
    assert isinstance(tool, ToolSpec)
    assert 'MCP does not know "input_schema"' in tool.mended[0]


def test_a_pattern_that_is_not_enforced_is_reported_with_its_place() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?!x)y"}}}
    tool = mended(inputSchema=schema, outputSchema=schema)
    assert tool.definition == {"name": "t", "inputSchema": schema, "outputSchema": schema}
    assert [sentence.partition(":")[0] for sentence in tool.mended] == [
        "inputSchema#/properties/a/pattern",
        "outputSchema#/properties/a/pattern",
    ]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (False, "true or false"),
        ("object", "a text, not an object"),
        ({"type": "string"}, 'type is "string"'),
        ({"type": 3}, "type is 3"),
        ({"type": "object", "properties": []}, "properties"),
        ({"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}, "example.com"),
    ],
)
def test_a_tool_whose_arguments_cannot_be_checked_is_left_out(schema: Any, said: str) -> None:
    left_out = mend({"name": "t", "inputSchema": schema})
    assert isinstance(left_out, LeftOut)
    assert left_out.name == "t"
    assert said in left_out.reason


@pytest.mark.parametrize(
    "schema", [None, True, [], {"type": "strnig"}, {"$ref": "https://example.com/a.json"}, {"type": "object", "properties": 3}]
)
def test_an_output_schema_that_cannot_be_used_is_removed(schema: Any) -> None:
    tool = mended(outputSchema=schema)
    assert "outputSchema" not in tool.definition
    assert tool.output_schema is None
    assert tool.mended[0].startswith("outputSchema was removed: ")


def test_an_output_schema_of_another_type_stays_for_newer_clients() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    tool = mended(outputSchema=schema)
    assert tool.definition["outputSchema"] == tool.output_schema == schema
    assert "2026-07-28 only" in tool.mended[0]


def test_an_output_schema_with_properties_is_of_type_object() -> None:
    assert mended(outputSchema={"properties": {"a": {}}}).output_schema == {"type": "object", "properties": {"a": {}}}


@pytest.mark.parametrize(
    ("execution", "served"),
    [
        ({"taskSupport": "required"}, None),
        ({"taskSupport": "optional", "x": 1}, {"x": 1}),
        ({"taskSupport": "forbidden"}, {"taskSupport": "forbidden"}),
        ({}, {}),
        ("no", None),
    ],
)
def test_tasks_are_not_promised(execution: Any, served: Any) -> None:
    tool = mended(execution=execution)
    assert tool.definition.get("execution") == served
    assert bool(tool.mended) == (execution != served)


@pytest.mark.parametrize(
    "parts",
    [
        {"description": None},
        {"description": ["d"]},
        {"title": 1},
        {"annotations": []},
        {"_meta": "m"},
        {"icons": {}},
        {"icons": [{"mimeType": "image/png"}]},
        {"icons": [{"src": "x", "sizes": "48x48"}]},
        {"icons": [{"src": "x", "theme": "pink"}]},
    ],
)
def test_a_known_key_of_the_wrong_type_is_removed(parts: Any) -> None:
    tool = mended(**parts)
    assert tool.definition == {"name": "t", "inputSchema": OBJECT}
    assert len(tool.mended) == 1
    assert next(iter(parts)) in tool.mended[0]


def test_a_hint_of_the_wrong_type_is_removed_from_the_others() -> None:
    tool = mended(annotations={"readOnlyHint": "yes", "idempotentHint": True, "category": None, "title": 3})
    assert tool.annotations == {"idempotentHint": True, "category": None}
    assert "readOnlyHint, title" in tool.mended[0]


@pytest.mark.parametrize(
    "raw", [None, 3, [], {}, {"name": 3}, {"name": ""}, {"name": "  "}, {"name": "a" * 129}, {"name": "a\nb"}, {"name": "\ud800"}]
)
def test_what_has_no_usable_name_is_left_out(raw: Any) -> None:
    left_out = mend(raw)
    assert isinstance(left_out, LeftOut)
    assert left_out.name.isprintable()


def test_what_cannot_be_sent_is_left_out() -> None:
    deep: Any = {}
    for _ in range(200):
        deep = {"properties": {"a": deep}}
    for raw in ({"description": "\udfff"}, {"x": deep}, {"x": float("inf")}):
        left_out = mend({"name": "t", "inputSchema": OBJECT, **raw})
        assert isinstance(left_out, LeftOut)
        assert "cannot be sent" in left_out.reason


def test_no_tool_costs_the_others() -> None:
    tools, left_out = mend_all([3, {"name": "a"}, {"name": "b", "inputSchema": 3}, {"name": "a", "title": "again"}, {"name": "c"}])
    assert [tool.name for tool in tools] == ["a", "c"]
    assert [out.name for out in left_out] == ["(tool 1 of the list)", "b", "a"]
    assert "same name" in left_out[2].reason


@given(TOOLS | JSON_VALUES)
def test_whatever_is_served_passes_the_sdks_own_models_in_both_eras(raw: Any) -> None:
    before = copy.deepcopy(raw)
    tool = mend(raw)
    assert raw == before
    if isinstance(tool, LeftOut):
        assert tool.reason
        return
    modern = {"tools": [tool.definition], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    validate_server_result("tools/list", "2026-07-28", modern)
    legacy = dict(tool.definition)
    if tool.output_schema is not None and tool.output_schema.get("type") != "object":
        del legacy["outputSchema"]
    validate_server_result("tools/list", "2025-11-25", {"tools": [legacy]})
    again = mend(tool.definition)
    assert isinstance(again, ToolSpec)
    assert again.definition == tool.definition


@pytest.mark.parametrize("fault", [{"contains": None}, {"format": None}, {"properties": {"x": {"title": 5}}}, {"readOnly": "yes"}])
def test_an_output_schema_that_clients_cannot_read_is_removed(fault: dict[str, Any]) -> None:
    """A client of the SDK reads a schema without `$schema` as 2020-12 and raises where that fails, at every call."""
    raw: dict[str, Any] = {"name": "a", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", **fault}}
    tool = mend(raw)
    assert isinstance(tool, ToolSpec)
    assert tool.output_schema is None
    assert any("outputSchema was removed" in sentence for sentence in tool.mended)


def test_properties_that_are_called_like_remarks_are_none() -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}, "format": {"enum": [1]}, "examples": {}}}
    tool = mend({"name": "a", "inputSchema": {"type": "object"}, "outputSchema": schema})
    assert isinstance(tool, ToolSpec)
    assert tool.output_schema == schema
