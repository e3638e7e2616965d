"""Equality as JSON Schema has it: 1 is 1.0, true is not 1, the order of keys does not count."""

import json

from mcp_sim.core.canonical import JSON


def identity(value: JSON) -> str:
    """Return a text that two values share if and only if JSON Schema calls them equal."""
    if isinstance(value, str):
        return f'"{value}'  # no other value's text is an open string
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"))


def _whole(value: JSON) -> JSON:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    return value
