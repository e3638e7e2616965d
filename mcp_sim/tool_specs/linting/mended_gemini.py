"""An input schema in the words that Gemini's own form has."""

from typing import Any

from mcp_sim.tool_specs.linting.schemas import GEMINI_FORMATS, GEMINI_UNKNOWN

_DEEPEST = 40
_MOST_VALUES = 20_000


def mend_for_gemini(schema: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    """Return the schema without what Gemini's `parameters` lack, said with what they have where that is possible.

    References stand in place (what refers back to itself becomes an open object), one of several becomes any of them, a constant an enum.
    """
    writer = _Writer(schema)
    mended: dict[str, Any] = writer.write(schema, 0, ())
    if writer.changed:
        remarks.append(f"keywords that Gemini lacks were replaced or left out: {', '.join(sorted(writer.changed))}.")
    return mended


class _Writer:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._left = _MOST_VALUES
        self.changed: set[str] = set()

    def write(self, schema: Any, depth: int, above: tuple[str, ...]) -> Any:
        self._left -= 1
        if isinstance(schema, bool):
            self.changed.add("true/false")
            return {}
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            self.changed.add("$ref")
            if reference in above:
                return {"type": "object", "description": schema.get("description", "Of the same form as what it stands in.")}
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            return self.write({**self._target(reference), **beside}, depth + 1, (*above, reference))
        written = {key: value for key, value in schema.items() if key not in GEMINI_UNKNOWN}
        self.changed |= GEMINI_UNKNOWN & schema.keys()
        self._say_otherwise(schema, written)
        for key in ("items", "additionalProperties"):
            if isinstance(written.get(key), dict):
                written[key] = self.write(written[key], depth + 1, above)
        if isinstance(written.get("properties"), dict):
            written["properties"] = {
                name: self.write(part, depth + 1, above) for name, part in written["properties"].items() if part is not False
            }
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list):
                written["anyOf"] = [self.write(part, depth + 1, above) for part in schema[key]]
        parts = schema.get("allOf")
        for part in parts if isinstance(parts, list) else ():
            self._merge(written, self.write(part, depth + 1, above))
        return written

    def _say_otherwise(self, schema: dict[str, Any], written: dict[str, Any]) -> None:
        if isinstance(schema.get("const"), str):
            written["enum"] = [schema["const"]]
        enum = written.get("enum")
        if isinstance(enum, list) and not all(isinstance(value, str) for value in enum):
            self.changed.add("enum")
            texts = [value for value in enum if isinstance(value, str)]
            written.pop("enum")
            if texts and all(isinstance(value, str) or value is None for value in enum):
                written["enum"] = texts
        kind = written.get("type")
        if isinstance(kind, list):
            types = [name for name in kind if name != "null"]
            if len(types) > 1:
                self.changed.add("type")
                written.pop("type")
                written["anyOf"] = [{"type": name, **({"items": {}} if name == "array" else {})} for name in kind]
            kind = types[0] if len(types) == 1 else None
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if isinstance(schema.get(exclusive), int | float) and not isinstance(schema[exclusive], bool) and bound not in written:
                written[bound] = schema[exclusive]
        allowed = GEMINI_FORMATS.get(kind if isinstance(kind, str) else "string", ())
        if "format" in written and written["format"] not in allowed:
            self.changed.add("format")
            del written["format"]

    def _merge(self, written: dict[str, Any], part: dict[str, Any]) -> None:
        for key, value in part.items():
            if key == "properties" and isinstance(written.get(key), dict):
                written[key] = {**value, **written[key]}
            elif key == "required" and isinstance(written.get(key), list):
                written[key] = list(dict.fromkeys([*written[key], *value]))
            else:
                written.setdefault(key, value)

    def _target(self, reference: str) -> dict[str, Any]:
        node: Any = self._root
        for step in reference.removeprefix("#/").split("/") if reference.startswith("#/") else ():
            node = node.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
        return node if isinstance(node, dict) and node is not self._root else {"type": "object"}
