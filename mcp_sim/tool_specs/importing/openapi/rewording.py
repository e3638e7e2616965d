"""What OpenAPI and its authors say in their own way, as JSON Schema says it. The schemas given here are new ones, and are changed."""

from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import DRAFT_2020, TYPES
from mcp_sim.tool_specs.importing.openapi.merging import merge_objects

ANNOTATIONS = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
"""Keywords that say something about a value and nothing against one."""
_FORMS: dict[str, type] = {
    **dict.fromkeys(("title", "description", "format", "contentEncoding", "contentMediaType"), str),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), bool),
}
_FOREIGN_TYPES = {"file": "string", "int": "integer", "long": "integer", "float": "number", "double": "number", "date": "string"}


def is_wrong(keyword: str, value: JSON) -> bool:
    """Whether a keyword has a value of another form than JSON Schema gives it."""
    form = _FORMS.get(keyword)
    return DRAFT_2020.fault(keyword, value) is not None if form is None else not isinstance(value, form)


def mend_types(schema: dict[str, Any]) -> None:
    """Write types as JSON Schema spells them; drop those that nobody knows."""
    if "type" not in schema:
        return
    named = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = []
    for name in named:
        lower = name.lower() if isinstance(name, str) else ""
        names.append(_FOREIGN_TYPES.get(lower, lower))
    known = [name for name in dict.fromkeys(names) if name in TYPES]
    if "file" in [name for name in named if isinstance(name, str)]:
        schema["contentEncoding"] = "base64"
    if known:
        schema["type"] = known if isinstance(schema["type"], list) and len(known) > 1 else known[0]
    else:
        del schema["type"]


def allow_null(schema: dict[str, Any]) -> None:
    """Write `nullable: true` as JSON Schema says it."""
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    if isinstance(schema.get("type"), str) and schema["type"] != "null":
        schema["type"] = [schema["type"], "null"]
    elif "type" not in schema and any(key in schema for key in ("allOf", "anyOf", "oneOf")):
        inner = {key: schema.pop(key) for key in list(schema) if key not in ANNOTATIONS}
        schema["anyOf"] = [inner, {"type": "null"}]


def joined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with `allOf` of plain objects written as one object, where that means the same."""
    parts = schema.get("allOf")
    if parts is None or not all(isinstance(part, dict) for part in parts):
        return schema
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    if len(parts) == 1 and "$ref" in parts[0] and ANNOTATIONS.issuperset(rest):
        return {**parts[0], **rest}
    if len(parts) == 1 and "$ref" not in parts[0] and ANNOTATIONS.issuperset(rest):
        return {**parts[0], **rest}
    merged = merge_objects([*parts, rest] if rest.keys() - ANNOTATIONS else parts)
    if merged is None:
        return schema
    return {**merged, **{key: rest[key] for key in rest if key in ANNOTATIONS}}


def is_scalar(target: JSON) -> bool:
    """Whether a schema is so small that it stands in place wherever it is used."""
    if not isinstance(target, dict) or target.get("type") not in ("string", "integer", "number", "boolean"):
        return False
    values = target.get("enum")
    return not {"allOf", "anyOf", "oneOf", "not"} & set(target) and (not isinstance(values, list) or len(values) <= 30)
