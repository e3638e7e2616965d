"""Each client's limits, as the client states them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from mcp_sim.core.schema import Schema
from mcp_sim.core.world import World
from mcp_sim.tool_specs.importers import import_value, write_imported
from mcp_sim.tool_specs.linting.finding import CLIENTS, Client, Finding
from mcp_sim.tool_specs.linting.linting import lint_world
from mcp_sim.tool_specs.linting.mended import mend_for
from mcp_sim.tool_specs.linting.writing import write_mended
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.world_folder import load_world, write_world
from tests.core.schema_strategies import mutated, schemas
from tests.tool_specs.importing.documents import STYLES

FINE = {"type": "object", "properties": {"a": {"type": "string"}}}


def world_of(*definitions: Any, **fields: Any) -> World:
    tools, left_out = mend_all(definitions)
    return World(name="srv", key="srv", source="srv", tools=tools, left_out=left_out, **fields)


def tool(schema: Any = FINE, name: str = "get_it", description: str = "Get it.") -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": schema}


def told(world: World, *clients: Client) -> list[tuple[str, bool]]:
    return [(finding.pointer, finding.loses) for finding in lint_world(world, clients or CLIENTS)]


def props(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_a_plain_tool_suits_every_client() -> None:
    assert lint_world(world_of(tool())) == []


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_combinators_at_the_root_lose_the_request(keyword: str) -> None:
    world = world_of(tool({**FINE, keyword: [{"required": ["a"]}]}))
    pointer = f"/inputSchema/{keyword}"
    assert told(world, "claude") == [(pointer, True)]
    assert told(world, "openai") == [(pointer, True)]
    assert told(world, "cursor", "vscode") == []
    assert told(world_of(tool(props(a={keyword: [{"type": "string"}]}))), "claude", "openai") == []


@pytest.mark.parametrize(
    ("name", "lost", "changed"),
    [
        ("get it", {"claude", "openai", "gemini"}, {"vscode"}),
        ("get.it", {"claude", "openai"}, {"vscode"}),
        ("9lives", {"gemini"}, set()),
        ("x" * 56, set(), {"claude"}),
        ("x" * 57, {"cursor"}, {"claude"}),
        ("x" * 65, {"cursor", "openai", "gemini"}, {"claude"}),
        ("x" * 119, {"claude", "cursor", "openai", "gemini"}, set()),
    ],
)
def test_names(name: str, lost: set[str], changed: set[str]) -> None:
    findings = lint_world(world_of(tool(name=name)))
    assert {client for finding in findings if finding.loses for client in finding.clients} == lost
    assert {client for finding in findings if not finding.loses for client in finding.clients} == changed


def test_the_servers_name_counts() -> None:
    world = world_of(tool(name="x" * 50))
    assert lint_world(world, ("cursor",)) == []
    assert [finding.loses for finding in lint_world(world, ("cursor",), "a-longer-name")] == [True]


@pytest.mark.parametrize(("key", "is_refused"), [("a.b-c_1", False), ("$top", True), ("filter[x]", True), ("a b", True), ("x" * 65, True)])
def test_names_of_arguments(key: str, is_refused: bool) -> None:
    assert (told(world_of(tool(props(**{key: {"type": "string"}}))), "claude") != []) is is_refused
    assert told(world_of(tool(props(a=props(**{key: {"type": "string"}})))), "claude") == [], "only the root is looked at"


def test_arrays_need_items() -> None:
    world = world_of(tool(props(a={"type": "array"}, b={"type": "object", "properties": {"c": {"type": ["array", "null"]}}})))
    pointers = ["/inputSchema/properties/a", "/inputSchema/properties/b/properties/c"]
    assert told(world, "vscode") == [(pointer, True) for pointer in pointers]
    assert told(world, "claude") == []


def test_vscode_checks_as_draft_7() -> None:
    world = world_of(tool(props(a={"type": "string", "examples": "not a list", "title": 3})))
    assert sorted(told(world, "vscode")) == [("/inputSchema/properties/a/examples", True), ("/inputSchema/properties/a/title", True)]
    assert told(world_of(tool(props(a={"type": "array", "prefixItems": [{}], "unevaluatedItems": False}))), "vscode") == []


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": ["string", "integer"]}, 'type ["string", "integer"]'),
        ({"type": "string", "format": "uri"}, 'format "uri"'),
        ({"type": "integer", "exclusiveMinimum": 0}, "exclusiveMinimum"),
        ({"oneOf": [{"type": "string"}]}, "oneOf"),
        ({"type": "integer", "enum": [1, 2]}, "an enum of more than texts"),
        ({"type": "object"}, "an object without properties"),
        ({"type": "array", "items": True}, "true"),
        ({"type": "object", "properties": {"b": {}}, "additionalProperties": False}, None),
        ({"type": ["string", "null"]}, None),
        ({"type": "string", "format": "date-time"}, None),
    ],
)
def test_gemini_knows_less(schema: Any, says: str | None) -> None:
    findings = lint_world(world_of(tool(props(a=schema))), ("gemini",))
    assert [finding.says for finding in findings] == ([] if says is None else [says])


def test_texts_that_are_cut_or_missing() -> None:
    assert told(world_of(tool(description="x" * 2049)), "claude", "openai") == [("/description", False)] * 2
    assert told(world_of(tool(description="x" * 1025)), "claude", "openai") == [("/description", False)]
    assert told(world_of(tool(description="")), "vscode") == [("/description", False)]
    assert told(world_of(tool(), instructions="x" * 3000), "claude") == [("/instructions", False)]


@pytest.mark.parametrize(("count", "lost"), [(40, set()), (41, {"cursor"}), (128, {"cursor"}), (129, {"cursor", "vscode", "openai"})])
def test_how_many_tools(count: int, lost: set[str]) -> None:
    findings = lint_world(world_of(*(tool(name=f"t{number}") for number in range(count))))
    assert {client for finding in findings for client in finding.clients} == lost


def test_what_every_client_would_lose_of_the_list_as_it_was_sent() -> None:
    findings = lint_world(world_of({"name": "a", "inputSchema": {"properties": {}}}, {"name": "b", "inputSchema": 3}), ("claude",))
    assert [(finding.tool, finding.clients, finding.loses) for finding in findings] == [("b", (), True), ("a", (), False)]


SPOILED = {
    "type": "object",
    "properties": {
        "filter[x]": {"type": "string", "format": "uri"},
        "list": {"type": "array"},
        "kind": {"type": ["string", "integer"], "title": 3},
        "node": {"$ref": "#/$defs/Node"},
        "fixed": {"const": "a"},
    },
    "required": ["filter[x]"],
    "oneOf": [{"required": ["list"]}, {"required": ["kind"], "properties": {"extra": {"type": "string"}}}],
    "$defs": {"Node": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}}}},
}


def test_what_can_be_mended_is_mended() -> None:
    world = world_of(tool(SPOILED, "get it " + "x" * 60, "Long. " * 500))
    mended = mend_for(world, CLIENTS)
    (definition,) = mended.definitions
    assert definition["name"] == "get_it_" + "x" * 47  # with mcp__srv__ before it, 64
    schema = definition["inputSchema"]
    assert schema["required"] == ["filter_x"]
    assert list(schema["properties"]) == ["filter_x", "list", "kind", "node", "fixed", "extra"]
    assert schema["properties"]["fixed"]["enum"] == ["a"]
    assert len(definition["description"]) <= 1024
    (short,) = mend_for(world_of(tool(SPOILED)), CLIENTS).definitions
    assert short["description"] == "Get it.\n\nGive exactly one of these: list; or kind."
    after = world_of(definition)
    assert [finding for finding in lint_world(after) if finding.loses] == []


def test_only_what_the_named_client_needs_is_changed() -> None:
    world = world_of(tool(SPOILED))
    (definition,) = mend_for(world, ("vscode",)).definitions
    assert definition["inputSchema"]["oneOf"] == SPOILED["oneOf"]
    assert "filter[x]" in definition["inputSchema"]["properties"]
    assert definition["inputSchema"]["properties"]["list"] == {"type": "array", "items": {}}
    assert list(Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(definition["inputSchema"])) == []
    assert lint_world(world_of(definition), ("vscode",)) == []


@given(schemas | mutated, st.dictionaries(st.text(max_size=8), schemas | st.booleans(), max_size=3))
@settings(max_examples=150)
def test_mending_any_schema_gives_a_usable_one_that_loses_nothing(schema: Any, properties: Any) -> None:
    known = schema.get("properties")
    merged = {**(known if isinstance(known, dict) else {}), **{name: part for name, part in properties.items() if part is not False}}
    world = world_of(tool({**schema, "type": "object", "properties": merged}))
    mended = mend_for(world, CLIENTS).definitions
    for definition in mended:
        Schema(definition["inputSchema"])
    assert [finding for finding in lint_world(world_of(*mended)) if finding.loses] == []


@pytest.mark.parametrize("style", STYLES)
def test_what_is_imported_loses_nothing(style: str, tmp_path: Path) -> None:
    from_document = load_world(write(tmp_path / "api", STYLES[style]))
    assert [finding for finding in lint_world(from_document, ("claude", "vscode")) if finding.loses] == []


def write(folder: Path, document: Any) -> Path:
    write_imported(import_value(document), folder)
    return folder


def test_a_mended_world_keeps_its_other_files_under_the_new_names(tmp_path: Path) -> None:
    call = {"name": "get it", "arguments": {"$top": 1}, "result": {"content": [{"type": "text", "text": "1"}]}}
    resource = {"method": "resources/read", "params": {"uri": "a://b"}, "result": {"contents": [{"uri": "a://b", "text": "c"}]}}
    (tmp_path / "company.md").write_text("We are Larkfield.", encoding="utf-8")
    write_world(
        tmp_path / "old",
        listing={"tools": [tool(props(**{"$top": {"type": "integer"}}), "get it")]},
        server={"serverInfo": {"name": "s", "version": "1"}, "instructions": "Do."},
        settings={"title": "T", "reading": ["get it"], "shared": ["company.md"]},
        background="Facts.",
        state={"a": 1},
        demonstrations=[call],
        frozen=[call, resource],
    )
    world = load_world(tmp_path / "old")
    new_folder = tmp_path / "elsewhere" / "new"
    notices = write_mended(world, tmp_path / "old", mend_for(world, ("claude",)), new_folder)
    assert notices == ["world.toml speaks of get it, which is now get_it."]
    new = load_world(new_folder)
    assert [item.name for item in new.tools] == ["get_it"]
    assert [(line.action.name, line.action.arguments) for line in (*new.demonstrations, *new.frozen[:1])] == [("get_it", {"top": 1})] * 2
    assert new.frozen[1].action.method == "resources/read"
    assert (new.background, new.instructions, new.settings.title) == ("We are Larkfield.\n\nFacts.", "Do.", "T")
    assert load_world(tmp_path / "old") == world


def test_a_mended_list_can_be_a_file(tmp_path: Path) -> None:
    world = world_of(tool(SPOILED))
    write_mended(world, None, mend_for(world, CLIENTS), tmp_path / "tools.json")
    assert [item["name"] for item in json.loads((tmp_path / "tools.json").read_text(encoding="utf-8"))["tools"]] == ["get_it"]


def test_findings_are_for_whom_they_concern() -> None:
    finding = Finding(clients=("claude",), tool="a", pointer="", says="", happens="", remedy="", loses=True)
    assert finding.concerns(("claude", "vscode"))
    assert not finding.concerns(("vscode",))
