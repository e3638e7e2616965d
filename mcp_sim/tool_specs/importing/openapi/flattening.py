"""A request body whose properties can be arguments by themselves."""

from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.merging import is_plain_object, merge_objects

_DEEPEST = 20


def flatten_object(document: Document, raw: JSON) -> dict[str, Any] | None:
    """Return the schema as one object of properties, its references and `allOf` resolved at the root; `None` where it says more."""
    flat = _opened(document, raw, 0, set())
    return flat if flat is not None and flat.get("properties") else None


def _opened(document: Document, raw: JSON, depth: int, seen: set[str]) -> dict[str, Any] | None:
    reference = raw.get("$ref") if isinstance(raw, dict) else None
    if isinstance(reference, str):
        if reference in seen:
            return {"type": "object"}  # said already: saying it again adds nothing
        seen.add(reference)
    if depth > _DEEPEST:
        return None
    schema = document.resolved(raw)
    is_closed = schema.get("additionalProperties") is False
    plain = {key: value for key, value in schema.items() if key != "additionalProperties" or not is_closed}
    parts = plain.pop("allOf", None)
    if isinstance(parts, list):
        if is_closed:
            return None
        opened = [_opened(document, part, depth + 1, seen) for part in parts]
        rest = [plain] if plain.keys() - {"description", "title"} else []
        found = [part for part in (*opened, *rest) if part is not None]
        if len(found) < len(opened) + len(rest) or any("additionalProperties" in part for part in found):
            return None
        return merge_objects(found)
    if not is_plain_object(plain):
        return None
    return {**plain, "additionalProperties": False} if is_closed else plain
