"""Several object schemas as one."""

from collections.abc import Sequence
from typing import Any

_MERGEABLE = frozenset(
    "type properties required title description example examples deprecated additionalProperties default nullable xml externalDocs "
    "discriminator readOnly writeOnly".split()
)


def merge_objects(parts: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return one schema that means what all of these mean together; `None` where they say more than properties and required.

    A property that two parts describe differently must fit both. The first title and description count.
    """
    if not any("properties" in part or part.get("type") == "object" for part in parts):
        return None
    merged: dict[str, Any] = {"type": "object"}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for part in parts:
        if not is_plain_object(part):
            return None
        for name, schema in (part.get("properties") or {}).items():
            known = properties.get(name)
            properties[name] = schema if known is None or known == schema else {"allOf": [known, schema]}
        needed = part.get("required")
        required += needed if isinstance(needed, list) else []
        for key in ("title", "description", "deprecated"):
            if key in part and key not in merged:
                merged[key] = part[key]
    if properties:
        merged["properties"] = properties
    if required:
        merged["required"] = list(dict.fromkeys(name for name in required if isinstance(name, str)))
    return merged


def is_plain_object(schema: dict[str, Any]) -> bool:
    """Whether a schema is an object that says nothing but properties and required, and allows others."""
    return (
        all(key in _MERGEABLE or key.startswith("x-") for key in schema)
        and schema.get("type", "object") == "object"
        and schema.get("additionalProperties", True) in (True, {})
        and isinstance(schema.get("properties", {}), dict)
    )
