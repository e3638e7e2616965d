"""Arguments as a person would give them, made of a schema by a few lines that know nothing of the product's own generator."""

from typing import Any

from hypothesis import find, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator


def valid_arguments(schema: Any) -> dict[str, Any]:
    """Return the shortest arguments that a schema allows.

    Raises:
        jsonschema.ValidationError: these few lines found none.
    """
    root = schema

    def value(part: Any, depth: int = 0) -> Any:
        if not isinstance(part, dict) or depth > 30:
            return "x"
        if "$ref" in part:
            part = root["$defs"][part["$ref"].removeprefix("#/$defs/")]
        for key in ("const", "default"):
            if key in part:
                return part[key]
        for key in ("enum", "examples"):
            if part.get(key):
                return part[key][0]
        for key in ("anyOf", "oneOf", "allOf"):
            if part.get(key):
                return value(part[key][0], depth + 1)
        kind = part.get("type", "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return {
                name: value(part["properties"][name], depth + 1) for name in part.get("required", ()) if name in part.get("properties", {})
            }
        if kind == "array":
            return [value(part.get("items", {}), depth + 1)] * part.get("minItems", 0)
        if "pattern" in part:
            return find(
                st.from_regex(part["pattern"]), lambda text: len(text) >= part.get("minLength", 0), settings=settings(database=None)
            )
        return {"integer": max(1, part.get("minimum", 1)), "number": 1.5, "boolean": True, "null": None}.get(
            kind, "blue" + "x" * (part.get("minLength", 0) - 4)
        )

    made: dict[str, Any] = value({**schema, "type": "object"})
    Draft202012Validator(schema).validate(made)
    return made
