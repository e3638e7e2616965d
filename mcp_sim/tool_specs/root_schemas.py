"""The schemas at the root of a tool: what clients insist on, where authors leave it out."""

from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.validators import validator_for

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Schema
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import kind, shown

_FOREIGN = ("input_schema", "parameters", "function")  # where other formats of function lists keep the schema


def mend_input(definition: dict[str, JSON], mended: list[str]) -> None:
    """Give the definition an input schema of type object, and say what was changed.

    Raises:
        SetupError: there is no schema of arguments that could be meant.
    """
    schema = definition.get("inputSchema")
    if schema is None:
        foreign = next((key for key in _FOREIGN if key in definition), None)
        hint = f' MCP does not know "{foreign}"; `mcp-sim import` reads such lists.' if foreign else ""
        mended.append(f"inputSchema was missing: any arguments are accepted.{hint}")
        schema = {"type": "object"}
    elif schema is True:
        mended.append("inputSchema was true: any arguments are accepted.")
        schema = {"type": "object"}
    elif not isinstance(schema, dict):
        raise SetupError(f"It is {kind(schema)}, not an object.")
    if schema.get("type") is None:
        mended.append('inputSchema had no type: "object" was added.')
        schema = {**schema, "type": "object"} if "type" in schema else {"type": "object", **schema}
    elif isinstance(schema["type"], list) and "object" in schema["type"]:
        mended.append(f'inputSchema had the type {shown(schema["type"])}: now "object".')
        schema = {**schema, "type": "object"}
    elif schema["type"] != "object":
        raise SetupError(f"Its type is {shown(schema['type'])}, but arguments are always an object.")
    definition["inputSchema"] = schema = _mend_root(schema, "inputSchema", mended)
    mended += [f"inputSchema{notice}" for notice in Schema(schema).notices]


_CLIENTS_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What the SDKs' clients read an output schema as that names none; one that they cannot read costs them every call of the tool."""


def mend_output(definition: dict[str, JSON], mended: list[str]) -> None:
    """Remove an output schema that cannot be used, and say what was changed. One of another type than object stays, for newer clients."""
    if "outputSchema" not in definition:
        return
    schema = definition["outputSchema"]
    reason = f"it is {kind(schema)}, not an object"
    if isinstance(schema, dict):
        remarks = list[str]()
        if schema.get("type") is None and isinstance(schema.get("properties"), dict):
            remarks.append('outputSchema had no type: "object" was added.')
            schema = {**schema, "type": "object"} if "type" in schema else {"type": "object", **schema}
        try:
            schema = _mend_root(schema, "outputSchema", remarks)
            compiled = Schema(schema)
            if "$schema" not in schema and compiled.dialect != _CLIENTS_DIALECT:
                raise SetupError("it says no $schema, so clients read it as 2020-12, in which it is malformed")
            if not _is_plain(schema):
                validator_for(schema, default=Draft202012Validator).check_schema(schema)
            remarks += [f"outputSchema{notice}" for notice in compiled.notices]
            if schema.get("type") != "object":
                remarks.append('outputSchema is not of type "object": it is served on revision 2026-07-28 only.')
            definition["outputSchema"] = schema
            mended += remarks
            return
        except (SetupError, SchemaError) as error:
            reason = (error.message if isinstance(error, SchemaError) else str(error)).rstrip(".")
    del definition["outputSchema"]
    mended.append(f"outputSchema was removed: {reason}.")


def _is_plain(schema: JSON) -> bool:
    """Whether a schema holds only common keywords, each with a value of its usual type. Others are shown to a metaschema, which is slow."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict):
        return False
    for key, value in schema.items():
        if key in _NAMED:
            plain = isinstance(value, dict) and all(_is_plain(item) for item in value.values())
        elif key in _LISTED:
            plain = isinstance(value, list) and len(value) > 0 and all(_is_plain(item) for item in value)
        elif key in _SINGLE:
            plain = _is_plain(value)
        else:
            plain = key in _ANY or (key in _TYPES and isinstance(value, _TYPES[key]))
        if not plain:
            return False
    return True


_NAMED = frozenset({"properties", "$defs", "definitions"})
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_SINGLE = frozenset({"items", "additionalProperties", "not", "propertyNames"})
_ANY = frozenset({"const", "default"})
_TYPES: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("type", "title", "description", "format", "$schema", "$ref"), str),
    **dict.fromkeys(("enum", "examples", "required"), list),  # what a list may hold was checked when it was compiled
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), (int, float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), int),
}


def _mend_root(schema: dict[str, Any], key: str, mended: list[str]) -> dict[str, Any]:
    """Mend what clients read of a schema's root: properties are objects, null means absent (as Go writes an empty list)."""
    for null in [part for part in ("properties", "required") if part in schema and schema[part] is None]:
        mended.append(f"{key} had {null}: null, which was removed.")
        schema = {part: value for part, value in schema.items() if part != null}
    properties = schema.get("properties")
    if isinstance(properties, dict) and any(isinstance(value, bool) for value in properties.values()):
        mended.append(f'{key} had true or false as a property\'s schema: now {{}} or {{"not": {{}}}}, which mean the same.')
        plain = {name: ({} if value else {"not": {}}) if isinstance(value, bool) else value for name, value in properties.items()}
        schema = {part: plain if part == "properties" else value for part, value in schema.items()}
    return schema
