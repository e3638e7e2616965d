"""Operations as tools: names, arguments, schemas, answers, and what the document says beside them."""

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.example import check_output_schemas
from mcp_sim.tool_specs.importers import import_value, write_imported
from mcp_sim.tool_specs.importing.imported import Imported
from mcp_sim.tool_specs.importing.naming import PLAIN_TOOL_NAME
from mcp_sim.tool_specs.importing.openapi.schema import MOST_VALUES
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.world_folder import load_world
from tests.tool_specs.importing import documents
from tests.tool_specs.importing.arguments import valid_arguments
from tests.tool_specs.importing.documents import OK, PET, REF_PET, STYLES, answers, document, swagger, takes


def tools_of(raw: Any) -> dict[str, Any]:
    return {tool["name"]: tool for tool in import_value(raw, "doc").tools}


def one(operation: dict[str, Any], schemas: dict[str, Any] | None = None, version: str = "3.0.3", method: str = "post") -> dict[str, Any]:
    """Return the tool of a single operation."""
    raw = document({"/it": {method: {"operationId": "it", "responses": OK, **operation}}}, schemas, version)
    return tools_of(raw)["it"]


def body_of(schema: Any, schemas: dict[str, Any] | None = None, version: str = "3.0.3") -> Any:
    return one({"requestBody": takes({"type": "object", "properties": {"p": schema}})}, schemas, version)["inputSchema"]["properties"]["p"]


async def call_each(world: World, arguments: dict[str, Any]) -> None:
    async with open_simulator(world, SimulatorOptions()) as simulator:
        for tool in world.tools:
            given = arguments.get(tool.name)
            transition = await simulator.call(
                "s", Action.call(tool.name, given if given is not None else valid_arguments(tool.input_schema))
            )
            assert not transition.observation.is_error or "not found" in transition.observation.text.lower(), transition.observation.text


@pytest.mark.parametrize("style", STYLES)
async def test_every_tool_is_valid_and_can_be_called(style: str, tmp_path: Any) -> None:
    raw = copy.deepcopy(STYLES[style])
    imported = import_value(raw, "doc")
    assert raw == STYLES[style], "the document was changed"
    for tool in imported.tools:
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator.check_schema(tool.get("outputSchema", {}))
        assert PLAIN_TOOL_NAME.fullmatch(tool["name"])
    write_imported(imported, tmp_path / "shop")
    world = load_world(tmp_path / "shop")
    assert [tool.name for tool in world.tools] == [tool["name"] for tool in imported.tools]
    assert not world.left_out
    assert not [tool.mended for tool in world.tools if tool.mended]
    assert not list(check_output_schemas(world))
    await call_each(world, {})


async def test_what_was_created_is_found_again(tmp_path: Any) -> None:
    write_imported(import_value(documents.CRUD, "doc"), tmp_path / "shop")
    async with open_simulator(load_world(tmp_path / "shop"), SimulatorOptions()) as simulator:
        created = (await simulator.call("s", Action.call("createPet", {"name": "Ada"}))).observation.structured_content
        assert created["name"] == "Ada"
        found = await simulator.call("s", Action.call("getPet", {"petId": created["id"]}))
        assert found.observation.structured_content["name"] == "Ada"
        listed = (await simulator.call("s", Action.call("listPets", {"limit": 50}))).observation.structured_content["result"]
        assert "Ada" in [pet["name"] for pet in listed]
        assert len((await simulator.call("s", Action.call("listPets", {"limit": 1}))).observation.structured_content["result"]) == 1
        await simulator.call("s", Action.call("deletePet", {"petId": created["id"]}))
        gone = await simulator.call("s", Action.call("getPet", {"petId": created["id"]}))
        assert gone.observation.is_error


def test_arguments_are_merged() -> None:
    tools = tools_of(documents.CLASHING)
    assert list(tools["touch"]["inputSchema"]["properties"]) == ["id__path", "id__query", "filter_name", "top", "X-Trace", "id"]
    assert tools["touch"]["inputSchema"]["properties"]["id"] == {"type": "boolean"}
    assert tools["touch"]["inputSchema"]["required"] == ["id__path"]


def test_names_are_unique_and_plain() -> None:
    names = list(tools_of(documents.CLASHING))
    assert names == ["touch", "get_a_b", "get_a_b_2", "pets_list_all_things", "x" * 64, "x" * 62 + "_2"]


def test_credentials_are_no_arguments() -> None:
    assert list(tools_of(documents.SECURED)["getSecret"]["inputSchema"]["properties"]) == ["page_token"]


def test_methods_say_what_they_do() -> None:
    tools = tools_of(documents.CRUD)
    assert tools["listPets"]["annotations"] == {"readOnlyHint": True}
    assert tools["deletePet"]["annotations"]["destructiveHint"] is True
    assert tools["updatePet"]["annotations"]["idempotentHint"] is True
    assert "annotations" not in tools["createPet"]


def test_a_path_says_what_belongs_together() -> None:
    imported = import_value(documents.CRUD, "doc")
    hints = imported.settings["tools"]
    assert hints["createPet"] == {"kind": "create", "resource": "pet", "parents": [], "fields": ["name", "tag"]}
    assert hints["listPets"] == {"kind": "list", "resource": "pet", "parents": []}
    assert hints["getPet"] == {"kind": "get", "resource": "pet", "parents": [], "id": "petId"}


def test_read_only_properties_are_answered_and_not_asked() -> None:
    tools = tools_of(documents.CRUD)
    assert list(tools["createPet"]["inputSchema"]["properties"]) == ["name", "tag"]
    assert tools["createPet"]["inputSchema"]["required"] == ["name"]
    assert tools["getPet"]["outputSchema"]["required"] == ["id", "name"]


def test_an_answer_that_is_no_object_is_wrapped() -> None:
    schema = tools_of(documents.CRUD)["listPets"]["outputSchema"]
    assert schema["type"] == "object"
    assert schema["required"] == ["result"]
    assert schema["properties"]["result"]["type"] == "array"


def test_what_is_used_once_stands_in_place_and_what_is_used_twice_is_defined() -> None:
    schema = tools_of(documents.NESTED_REFERENCES)["a"]["inputSchema"]
    assert schema["properties"]["b"] == schema["properties"]["again"] == {"$ref": "#/$defs/B"}
    assert "$ref" not in json.dumps(schema["$defs"]["B"]["properties"]["c"])


def test_all_of_becomes_one_object() -> None:
    schema = tools_of(documents.ALL_OF)["createDog"]["inputSchema"]
    assert schema == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "examples": ["Rex"]},
            "tag": {"type": ["string", "null"]},
            "breed": {"type": "string"},
        },
        "required": ["name", "breed"],
    }


def test_what_refers_to_itself_stays_a_reference_that_resolves() -> None:
    schema = tools_of(documents.CIRCULAR)["createNode"]["inputSchema"]
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}
    deep = {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]}
    assert Draft202012Validator(schema).is_valid(deep)
    assert not Draft202012Validator(schema).is_valid({"name": "a", "children": [{"children": []}]})


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"$ref": "#/components/schemas/Pet", "nullable": True}, None),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 1}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": False}, {"type": "integer", "minimum": 1}),
        ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"type": "string", "xml": {"name": "x"}, "x-order": 1, "externalDocs": {}}, {"type": "string"}),
        ({"type": "String"}, {"type": "string"}),
        ({"type": "any"}, {}),
        ({"type": "object", "required": True, "properties": {}}, {"type": "object", "properties": {}}),
        ({"type": "string", "required": True, "maxLength": "9", "pattern": 3}, {"type": "string"}),
        ({"enum": []}, {}),
        ({"allOf": [{"type": "string"}], "description": "d"}, {"type": "string", "description": "d"}),
        (
            {"type": "object", "properties": {"example": {"type": "string"}}},
            {"type": "object", "properties": {"example": {"type": "string"}}},
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "object", "additionalProperties": {"type": "integer"}}),
        ({"$ref": "#/components/schemas/Nothing"}, {}),
    ],
)
def test_schemas_are_written_as_json_schema(schema: Any, written: Any) -> None:
    found = body_of(schema, {"Pet": PET})
    if written is None:
        assert Draft202012Validator(found).is_valid(None)
        assert Draft202012Validator(found).is_valid({"name": "a"})
        assert not Draft202012Validator(found).is_valid(3)
    else:
        assert found == written


def test_newer_documents_keep_what_json_schema_has() -> None:
    schema = tools_of(documents.NEWEST)["getRoom"]["outputSchema"]
    assert schema["properties"] == {"size": {"type": "number", "exclusiveMinimum": 0}, "kind": {"const": "room"}}
    assert schema["unevaluatedProperties"] is False
    beside = body_of({"$ref": "#/components/schemas/Pet", "description": "The pet."}, {"Pet": PET}, "3.1.0")
    assert beside["description"] == "The pet."


def test_swagger_forms_and_bodies() -> None:
    tools = tools_of(documents.OLD_FORM)
    properties = tools["upload"]["inputSchema"]["properties"]
    assert properties["file"] == {"type": "string", "contentEncoding": "base64"}
    assert properties["tags"] == {"type": "array", "items": {"type": "string"}}
    assert tools["upload"]["inputSchema"]["required"] == ["id", "file"]
    assert tools["upload"]["outputSchema"]["properties"]["size"] == {"type": "integer", "exclusiveMinimum": 0}
    assert tools["makeFolder"]["inputSchema"]["properties"]["parent"] == {"$ref": "#/$defs/Folder"}


def test_a_body_that_is_no_plain_object_is_one_argument() -> None:
    assert list(tools_of(documents.POLYMORPHIC)["pay"]["inputSchema"]["properties"]) == ["body"]
    text = one({"requestBody": {"content": {"text/plain": {}}}})
    assert text["inputSchema"] == {"type": "object", "properties": {"body": {"type": "string"}}}


def test_an_optional_body_asks_for_nothing() -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    assert "required" not in one({"requestBody": takes(schema, required=False)})["inputSchema"]


def test_examples_become_demonstrations() -> None:
    imported = import_value(
        document(
            {
                "/pets/{petId}": {
                    "put": {
                        "operationId": "rename",
                        "parameters": [{**documents.PET_ID, "example": 7}],
                        "requestBody": takes(REF_PET, examples={"one": {"value": {"name": "Bo"}}, "two": {"value": {"name": "Cy"}}}),
                        "responses": answers(
                            REF_PET, examples={"two": {"value": {"id": 7, "name": "Cy"}}, "wrong": {"value": {"id": "x"}}}
                        ),
                    }
                }
            },
            {"Pet": PET},
        ),
        "doc",
    )
    assert [(line["arguments"], line["result"]["structuredContent"]) for line in imported.demonstrations] == [
        ({"petId": 7, "name": "Cy"}, {"id": 7, "name": "Cy"})
    ]


def test_the_document_speaks_of_itself() -> None:
    raw = document({"/a": {"get": {"responses": OK}}}, tags=[{"name": "pets", "description": "All about pets."}])
    raw["info"]["description"] = "We sell pets."
    imported = import_value(raw, "doc")
    assert imported.server_info == {"name": "Shop", "version": "2.1"}
    assert imported.background == "# Shop\n\nWe sell pets.\n\n- pets: All about pets.\n"


def test_a_thousand_operations_that_all_refer_to_each_other_stay_small() -> None:
    imported: Imported = import_value(documents.large(1000), "doc")
    assert len(imported.tools) == 1000
    size = max(len(json.dumps(tool["inputSchema"])) for tool in imported.tools)
    assert size < MOST_VALUES["request"] * 40
    tools, left_out = mend_all(imported.tools[:20])
    assert len(tools) == 20
    assert not left_out


def test_a_bad_part_costs_only_itself() -> None:
    imported = import_value(
        document(
            {"/a": {"get": "x", "post": {"operationId": "good", "parameters": [3, {"in": "path"}], "responses": None}}, "/b": 3, "x-y": {}}
        ),
        "doc",
    )
    assert [tool["name"] for tool in imported.tools] == ["good"]
    assert any('get "/a" is a text' in notice for notice in imported.notices)


def test_what_refers_out_of_the_document_costs_only_what_needs_it() -> None:
    raw = document(
        {
            "/a": {
                "get": {"operationId": "good", "responses": OK},
                "post": {"operationId": "far", "requestBody": takes({"$ref": "other.yaml#/Pet"}), "responses": OK},
                "put": {"operationId": "deep", "requestBody": takes({"$ref": "#/components/schemas/Far"}), "responses": OK},
            },
            "/b": {"$ref": "https://example.com/b.yaml"},
            "/c": {"$ref": "#/paths/~1c"},
            "/d": 3,
        },
        {"Far": {"type": "object", "properties": {"x": {"$ref": "more.json"}}}},
    )
    raw["components"]["securitySchemes"] = {"s": {"$ref": "security.json"}}
    imported = import_value(raw, "doc")
    assert [tool["name"] for tool in imported.tools] == ["good"]
    told = "\n".join(imported.notices)
    for part in (
        'post "/a" was passed over: refers to "other.yaml#/Pet"',
        'put "/a" was passed over: refers to "more.json"',
        'path "/b" was passed over: refers to "https://example.com/b.yaml"',
        'path "/c" refers to itself',
        'path "/d" is a number',
        'a security scheme was passed over: refers to "security.json"',
    ):
        assert part in told


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"openapi": "3.0.0"}, "has no operations under paths"),
        ({"openapi": "3.0.0", "paths": []}, '"paths" is a list'),
        ({"openapi": "4.0.0", "paths": {}}, "of OpenAPI version"),
        ({"swagger": "1.2", "paths": {}}, "of OpenAPI version"),
        (document({"/a": {"$ref": "https://example.com/a.yaml"}}), "nothing is fetched"),
        (document({"/a": {"post": {"requestBody": takes({"$ref": "other.yaml#/Pet"}), "responses": OK}}}), "Bundle the document"),
        (swagger({"/a": {"get": {"parameters": [{"$ref": "file:///etc/passwd"}], "responses": OK}}}), "outside of this document"),
    ],
)
def test_what_cannot_be_read_is_one_clear_error(raw: Any, said: str) -> None:
    with pytest.raises(SetupError, match="^doc: ") as caught:
        import_value(raw, "doc")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "schemas",
    [
        {"A": {"$ref": "#/components/schemas/A"}},
        {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
        {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}},
        {"A": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "string"}]}},
        {"A": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A/properties/a"}}}},
        {"A": {"$ref": "#/components/schemas/A/properties/x"}},
        {"A": {"$ref": "#"}},
    ],
)
def test_circles_that_mean_nothing_end(schemas: dict[str, Any]) -> None:
    reference = {"$ref": "#/components/schemas/A"}
    raw = document({"/a": {"post": {"operationId": "a", "requestBody": takes(reference), "responses": answers(reference)}}}, schemas)
    tools, left_out = mend_all(import_value(raw, "doc").tools)
    assert [tool.name for tool in tools] == ["a"], left_out


async def test_what_requires_itself_without_end_can_be_answered(tmp_path: Any) -> None:
    node = {
        "type": "object",
        "required": ["name", "parent"],
        "properties": {"name": {"type": "string"}, "parent": {"$ref": "#/components/schemas/Node"}},
    }
    raw = document({"/a": {"get": {"operationId": "a", "responses": answers({"$ref": "#/components/schemas/Node"})}}}, {"Node": node})
    imported = import_value(raw, "doc")
    assert imported.tools[0]["outputSchema"]["required"] == ["name"]
    assert any("without end" in notice for notice in imported.notices)
    write_imported(imported, tmp_path / "api")
    await call_each(load_world(tmp_path / "api"), {})
