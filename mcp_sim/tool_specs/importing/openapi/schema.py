"""A schema of an OpenAPI document, written as a JSON Schema 2020-12 that stands alone."""

import re
from typing import Any, Literal

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.rewording import ANNOTATIONS, allow_null, is_scalar, is_wrong, joined, mend_types
from mcp_sim.tool_specs.importing.openapi.uses import count_uses

Direction = Literal["request", "response"]

MOST_VALUES: dict[Direction, int] = {"request": 8_000, "response": 2_000}
"""How many values one schema may hold. Where every schema refers to every other, what is far from the root is left open."""
_DEEPEST = 24
_NAMED = ("properties", "patternProperties")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties")
_PLAIN = frozenset(
    "type title description default enum const format multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength "
    "pattern maxItems minItems uniqueItems maxProperties minProperties required deprecated readOnly writeOnly contentEncoding "
    "contentMediaType minContains maxContains dependentRequired".split()
)
_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_.-]+")


class SchemaWriter:
    """Writes the schemas of one tool's one direction, with the definitions that they need.

    What a reference leads to stands in its place where it is used once; what is used several times, or refers back to itself, is kept
    under `$defs`. In requests what is `readOnly` is left out, in responses what is `writeOnly`.
    """

    def __init__(self, document: Document, direction: Direction, roots: list[JSON]) -> None:
        """Prepare to write schemas that hold no other references than these roots."""
        self._document = document
        self._hidden = "readOnly" if direction == "request" else "writeOnly"
        self._left = MOST_VALUES[direction]
        self._uses, size = count_uses(document, roots, self._left)
        self._may_inline = size <= self._left
        self._names: dict[str, str] = {}
        self._waiting: list[str] = []
        self.is_cut = False

    def write(self, raw: JSON) -> Any:
        """Return the schema; what it refers to is in `definitions`."""
        return self._write(raw, 0)

    def definitions(self) -> dict[str, JSON]:
        """Return what the schemas written so far refer to, by the names under which they do; the nearest first."""
        written: dict[str, JSON] = {}
        while self._waiting:
            reference = self._waiting.pop(0)
            fits = self._document.contents(reference).size <= self._left
            self.is_cut = self.is_cut or not fits
            written[self._names[reference]] = self._write(self._document.schema(reference), 1) if fits else {}
        return written

    def _write(self, raw: JSON, depth: int) -> Any:
        if isinstance(raw, bool):
            return raw
        if not isinstance(raw, dict):
            return {}
        self._left -= 1 + len(raw)
        if self._left < 0:
            self.is_cut = True
            return {}
        if isinstance(raw.get("$ref"), str):
            return self._write_reference(raw, depth)
        schema = {key: raw[key] for key in raw if key in _PLAIN}
        if "pattern" in schema and not _is_pattern(schema["pattern"]):  # clients refuse a schema for one that they cannot compile
            del schema["pattern"]
        mend_types(schema)
        for key in _NAMED:
            if isinstance(raw.get(key), dict):
                shown = [name for name, part in raw[key].items() if not self._hides(part)]
                names = [name for name in shown if key != "patternProperties" or _is_pattern(name)]
                schema[key] = {name: self._write(raw[key][name], depth + 1) for name in names}
        for key in _LISTED:
            if isinstance(raw.get(key), list) and raw[key]:
                schema[key] = [self._write(part, depth + 1) for part in raw[key]]
        for key in _SINGLE:
            if isinstance(raw.get(key), dict | bool):
                schema[key] = self._write(raw[key], depth + 1)
        if isinstance(raw.get("items"), list):
            schema["prefixItems"] = [self._write(part, depth + 1) for part in raw["items"]] or [{}]
        self._mend(schema, raw)
        return joined(schema)

    def _mend(self, schema: dict[str, Any], raw: dict[str, JSON]) -> None:
        required = schema.get("required")
        if required is not None:
            parts = raw["properties"].items() if "properties" in schema else ()
            hidden = [name for name, part in parts if self._hides(part) or self._is_endless(part)]
            names = [name for name in required if isinstance(name, str) and name not in hidden] if isinstance(required, list) else []
            schema["required"] = list(dict.fromkeys(names))
            if not names:
                del schema["required"]
        for bound, exclusive in (("maximum", "exclusiveMaximum"), ("minimum", "exclusiveMinimum")):
            if schema.get(exclusive) is True and bound in schema:
                schema[exclusive] = schema.pop(bound)
            elif isinstance(schema.get(exclusive), bool):
                del schema[exclusive]
        examples = raw.get("examples") if isinstance(raw.get("examples"), list) else [raw["example"]] if "example" in raw else None
        if examples:
            schema["examples"] = examples
        if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
            schema["items"] = {}
        if isinstance(schema.get("enum"), list) and not schema["enum"]:
            del schema["enum"]
        for key in [key for key, value in schema.items() if is_wrong(key, value)]:
            del schema[key]
        if raw.get("nullable") is True:
            allow_null(schema)

    def _write_reference(self, raw: dict[str, JSON], depth: int) -> Any:
        reference: str = raw["$ref"]
        target = self._document.schema(reference)
        if not isinstance(target, dict | bool):
            return {key: raw[key] for key in ("title", "description") if isinstance(raw.get(key), str)}
        kept: Any
        if (self._may_inline and self._uses[reference] <= 1 and depth <= _DEEPEST) or is_scalar(target):
            kept = self._write(target, depth + 1)
        else:
            kept = {"$ref": f"#/$defs/{self._name(reference)}"}
        beside = {key: value for key, value in raw.items() if key != "$ref"}
        if not beside or isinstance(kept, bool):
            return kept
        written = self._write(beside, depth + 1)
        if raw.get("nullable") is True:
            written.pop("type", None)
            return {"anyOf": [kept, {"type": "null"}], **written}
        if "$ref" in kept or ANNOTATIONS.issuperset(written):
            return {**kept, **written}
        return {"allOf": [kept], **written}

    def _name(self, reference: str) -> str:
        if reference not in self._names:
            name = base = _UNNAMEABLE.sub("_", reference.rpartition("/")[2]).strip("_") or "schema"
            number = 1
            taken = set(self._names.values())
            while name in taken:
                number += 1
                name = f"{base}_{number}"
            self._names[reference] = name
            self._waiting.append(reference)
        return self._names[reference]

    def _is_endless(self, raw: JSON) -> bool:
        return isinstance(raw, dict) and isinstance(raw.get("$ref"), str) and self._document.needs_itself(raw["$ref"])

    def _hides(self, raw: JSON) -> bool:
        if not isinstance(raw, dict):
            return False
        if isinstance(raw.get("$ref"), str):
            target = self._document.target(raw["$ref"])
            return isinstance(target, dict) and target.get(self._hidden) is True
        return raw.get(self._hidden) is True


def _is_pattern(text: JSON) -> bool:
    try:
        return isinstance(text, str) and re.compile(text) is not None
    except (re.error, OverflowError, RecursionError):
        return False
