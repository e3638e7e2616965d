"""Paths in which the parts that name one thing are parameters."""

import re

from mcp_sim.tool_specs.importing.har.secrets import REDACTED
from mcp_sim.tool_specs.importing.openapi.resource import singular

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?=.*[0-9])[0-9a-fA-F]{12,}")
_CODE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_-]{10,}")
_PREFIXED = re.compile(r"[A-Za-z]{1,6}[-_]?[0-9]{2,}")
_VERSION = re.compile(r"v[0-9]+", re.IGNORECASE)


def make_template(segments: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Return the path with `{pet_id}` where a segment looks like an id (a number, a UUID, a hash, a code), and what stood there."""
    parts: list[str] = []
    values: dict[str, str] = {}
    for segment in segments:
        if not looks_like_id(segment):
            parts.append(segment)
            continue
        before = parts[-1] if parts and "{" not in parts[-1] else ""
        base = f"{singular(before)}_id" if singular(before) else "id"
        name, number = base, 1
        while name in values:
            number += 1
            name = f"{base}_{number}"
        values[name] = segment
        parts.append(f"{{{name}}}")
    return "/" + "/".join(parts), values


def looks_like_id(segment: str) -> bool:
    """Whether a segment of a path names one thing among many, rather than a kind of thing."""
    if segment == REDACTED or segment.isdecimal():
        return True
    if _VERSION.fullmatch(segment):
        return False
    return any(shape.fullmatch(segment) for shape in (_UUID, _HEX, _CODE, _PREFIXED))
