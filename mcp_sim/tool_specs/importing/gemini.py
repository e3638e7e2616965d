"""Function declarations as the Gemini API takes them."""

from typing import Any

from mcp_sim.core.canonical import JSON

_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
_NAMES = {
    "any_of": "anyOf",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}


def declarations_of(entry: JSON) -> list[JSON] | None:
    """Return the declarations of one entry of `tools`; `None` where it is no list of them."""
    if not isinstance(entry, dict):
        return None
    declared = entry.get("functionDeclarations", entry.get("function_declarations"))
    return declared if isinstance(declared, list) else None


def read_declaration(entry: JSON) -> dict[str, Any] | None:
    """Return the tool of one declaration; `None` where it has no name."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"].strip():
        return None
    tool: dict[str, Any] = {"name": entry["name"]}
    if isinstance(entry.get("description"), str):
        tool["description"] = entry["description"]
    plain = entry.get("parametersJsonSchema", entry.get("parameters_json_schema"))
    schema = plain if isinstance(plain, dict) else to_json_schema(entry.get("parameters"))
    tool["inputSchema"] = schema or {"type": "object", "properties": {}}
    plain = entry.get("responseJsonSchema", entry.get("response_json_schema"))
    answer = plain if isinstance(plain, dict) else to_json_schema(entry.get("response"))
    if answer:
        is_object = answer.get("type") == "object"
        tool["outputSchema"] = answer if is_object else {"type": "object", "properties": {"result": answer}, "required": ["result"]}
    return tool


def to_json_schema(raw: JSON) -> dict[str, Any]:
    """Return one of Gemini's schemas as JSON Schema.

    It has upper-case types, `nullable`, whole numbers as texts (as protobuf spells 64 bits), `format: enum` and `propertyOrdering`.
    """
    if not isinstance(raw, dict):
        return {}
    schema: dict[str, Any] = {_NAMES.get(str(key), str(key)): value for key, value in raw.items()}
    for key in ("propertyOrdering", "property_ordering"):
        schema.pop(key, None)
    is_nullable = schema.pop("nullable", False) is True
    if isinstance(schema.get("type"), str):
        schema["type"] = schema["type"].lower()
        if schema["type"] == "type_unspecified":
            del schema["type"]
    if schema.get("format") == "enum":
        del schema["format"]
    if "example" in schema:
        schema["examples"] = [schema.pop("example")]
    for key in _COUNTS:
        if isinstance(schema.get(key), str) and schema[key].isdecimal():
            schema[key] = int(schema[key])
    if isinstance(schema.get("properties"), dict):
        schema["properties"] = {name: to_json_schema(part) for name, part in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            schema[key] = to_json_schema(schema[key])
    if isinstance(schema.get("anyOf"), list):
        schema["anyOf"] = [to_json_schema(part) for part in schema["anyOf"]]
    if is_nullable and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        if isinstance(schema.get("enum"), list):
            schema["enum"] = [*schema["enum"], None]
    return schema
