"""OpenAPI documents of different styles, each a few lines that show one thing."""

import json
from typing import Any

OK = {"200": {"description": "ok"}}


def answers(schema: Any, **more: Any) -> dict[str, Any]:
    return {"200": {"description": "ok", "content": {"application/json": {"schema": schema, **more}}}}


def takes(schema: Any, *, required: bool = True, media: str = "application/json", **more: Any) -> dict[str, Any]:
    return {"required": required, "content": {media: {"schema": schema, **more}}}


def document(paths: dict[str, Any], schemas: dict[str, Any] | None = None, version: str = "3.0.3", **more: Any) -> dict[str, Any]:
    components = {"schemas": schemas or {}, **more.pop("components", {})}
    return {"openapi": version, "info": {"title": "Shop", "version": "2.1"}, "paths": paths, "components": components, **more}


def swagger(paths: dict[str, Any], definitions: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"swagger": "2.0", "info": {"title": "Shop", "version": "2.1"}, "paths": paths, "definitions": definitions or {}, **more}


PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "format": "int64", "readOnly": True, "example": 7},
        "name": {"type": "string", "example": "Rex"},
        "tag": {"type": "string", "nullable": True},
    },
}
REF_PET = {"$ref": "#/components/schemas/Pet"}
PET_ID = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}

CRUD = document(
    {
        "/pets": {
            "get": {
                "operationId": "listPets",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                "responses": answers({"type": "array", "items": REF_PET}),
            },
            "post": {"operationId": "createPet", "summary": "Add a pet", "requestBody": takes(REF_PET), "responses": answers(REF_PET)},
        },
        "/pets/{petId}": {
            "parameters": [PET_ID],
            "get": {"operationId": "getPet", "responses": answers(REF_PET)},
            "put": {"operationId": "updatePet", "requestBody": takes(REF_PET), "responses": answers(REF_PET)},
            "delete": {"operationId": "deletePet", "responses": {"204": {"description": "gone"}}},
        },
    },
    {"Pet": PET},
)

NESTED_REFERENCES = document(
    {
        "/a": {
            "post": {
                "operationId": "a",
                "requestBody": takes({"$ref": "#/components/schemas/A"}),
                "responses": {"200": {"$ref": "#/components/responses/B"}},
            }
        }
    },
    {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}, "again": {"$ref": "#/components/schemas/B"}}},
        "B": {"type": "object", "properties": {"c": {"$ref": "#/components/schemas/C"}}},
        "C": {"$ref": "#/components/schemas/D"},
        "D": {"type": "object", "properties": {"e": {"$ref": "#/components/schemas/A/properties/leaf"}}},
    },
    components={"responses": {"B": {"description": "b", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}}}},
)

ALL_OF = document(
    {
        "/dogs": {
            "post": {
                "operationId": "createDog",
                "requestBody": takes({"$ref": "#/components/schemas/Dog"}),
                "responses": answers({"$ref": "#/components/schemas/Dog"}),
            }
        }
    },
    {
        "Pet": PET,
        "Dog": {
            "allOf": [REF_PET, {"type": "object", "required": ["breed"], "properties": {"breed": {"type": "string"}}}],
            "description": "A dog.",
        },
    },
)

CIRCULAR = document(
    {
        "/nodes": {
            "post": {
                "operationId": "createNode",
                "requestBody": takes({"$ref": "#/components/schemas/Node"}),
                "responses": answers({"$ref": "#/components/schemas/Node"}),
            }
        },
        "/people": {"get": {"operationId": "getPerson", "responses": answers({"$ref": "#/components/schemas/Person"})}},
    },
    {
        "Node": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}},
        },
        "Person": {"type": "object", "properties": {"employer": {"$ref": "#/components/schemas/Company"}}},
        "Company": {"type": "object", "properties": {"owner": {"$ref": "#/components/schemas/Person"}, "name": {"type": "string"}}},
    },
)

POLYMORPHIC = document(
    {
        "/payments": {
            "post": {
                "operationId": "pay",
                "requestBody": takes({"$ref": "#/components/schemas/Payment"}),
                "responses": answers({"oneOf": [{"$ref": "#/components/schemas/Card"}, {"type": "string"}]}),
            }
        }
    },
    {
        "Payment": {
            "oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Transfer"}],
            "discriminator": {"propertyName": "kind", "mapping": {"card": "#/components/schemas/Card"}},
        },
        "Card": {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"type": "string", "enum": ["card"]}, "number": {"type": "string"}},
        },
        "Transfer": {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"type": "string", "enum": ["transfer"]}, "iban": {"type": "string"}},
        },
    },
)

NEWEST = document(
    {
        "/rooms/{room}": {
            "get": {
                "operationId": "getRoom",
                "parameters": [
                    {"name": "room", "in": "path", "required": True, "schema": {"type": ["string", "null"], "examples": ["blue"]}}
                ],
                "responses": answers(
                    {
                        "type": "object",
                        "properties": {"size": {"type": "number", "exclusiveMinimum": 0}, "kind": {"const": "room"}},
                        "unevaluatedProperties": False,
                    }
                ),
            },
            "query": {"operationId": "findRooms", "responses": OK},
        }
    },
    version="3.1.0",
    webhooks={"roomTaken": {"post": {"responses": OK}}},
)

OLD_FORM = swagger(
    {
        "/files/{id}": {
            "post": {
                "operationId": "upload",
                "consumes": ["multipart/form-data"],
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "integer", "format": "int64"},
                    {"name": "file", "in": "formData", "type": "file", "required": True},
                    {"name": "tags", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": "csv"},
                ],
                "responses": {"default": {"description": "done", "schema": {"$ref": "#/definitions/File"}}},
            }
        },
        "/folders": {
            "post": {
                "operationId": "makeFolder",
                "parameters": [{"name": "body", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Folder"}}],
                "responses": {
                    "200": {
                        "description": "done",
                        "schema": {"$ref": "#/definitions/Folder"},
                        "examples": {"application/json": {"name": "in"}},
                    }
                },
            }
        },
    },
    {
        "File": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}},
        "Folder": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "parent": {"$ref": "#/definitions/Folder"}},
        },
    },
)

CLASHING = document(
    {
        "/users/{id}": {
            "post": {
                "operationId": "touch",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "id", "in": "query", "schema": {"type": "integer"}},
                    {"name": "filter[name]", "in": "query", "schema": {"type": "string"}},
                    {"name": "$top", "in": "query", "schema": {"type": "integer"}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
                "requestBody": takes({"type": "object", "properties": {"id": {"type": "boolean"}}}),
                "responses": OK,
            },
        },
        "/a/b": {"get": {"responses": OK}},
        "/a-b": {"get": {"operationId": "get_a_b", "responses": OK}},
        "/c": {"get": {"operationId": "pets/list.all things", "responses": OK}},
        "/d": {"get": {"operationId": "x" * 100, "responses": OK}, "put": {"operationId": "x" * 100, "responses": OK}},
    }
)

SECURED = document(
    {
        "/secret": {
            "get": {
                "operationId": "getSecret",
                "parameters": [
                    {"name": "X-Shop-Key", "in": "header", "required": True, "schema": {"type": "string"}},
                    {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
                    {"name": "x-api-key", "in": "header", "schema": {"type": "string"}},
                    {"name": "access_token", "in": "query", "schema": {"type": "string"}},
                    {"name": "sessionid", "in": "cookie", "schema": {"type": "string"}},
                    {"name": "page_token", "in": "query", "schema": {"type": "string"}},
                ],
                "responses": OK,
            }
        }
    },
    components={"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"}}},
)

STYLES: dict[str, dict[str, Any]] = {
    "crud": CRUD,
    "nested references": NESTED_REFERENCES,
    "allOf": ALL_OF,
    "circular": CIRCULAR,
    "polymorphic": POLYMORPHIC,
    "3.1": NEWEST,
    "swagger 2": OLD_FORM,
    "clashing names": CLASHING,
    "secured": SECURED,
}


def large(operations: int) -> dict[str, Any]:
    """Every schema refers to every other: what a business API with expandable objects looks like."""
    count = operations // 2
    schemas = {
        f"Thing{number}": {
            "type": "object",
            "properties": {
                f"to{other}": {"$ref": f"#/components/schemas/Thing{other}"} for other in range(number, number + 12) if other < count
            }
            | {"back": {"$ref": "#/components/schemas/Thing0"}, "name": {"type": "string"}},
        }
        for number in range(count)
    }
    paths = {}
    for number in range(count):
        one = {"$ref": f"#/components/schemas/Thing{number}"}
        paths[f"/things{number}"] = {
            "get": {"operationId": f"get{number}", "responses": answers(one)},
            "post": {"operationId": f"post{number}", "requestBody": takes(one), "responses": answers(one)},
        }
    return document(json.loads(json.dumps(paths)), schemas)
