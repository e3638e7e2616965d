"""What stands at the ends of a JSON value."""

from collections.abc import Callable
from typing import Any

from mcp_sim.core.canonical import JSON


def replace_leaves(value: JSON, leaf: Callable[[JSON, str], JSON], key: Callable[[str], str] = str, *, name: str = "") -> Any:
    """Return the value with `leaf(it, name)` for each text, number, truth value and null, and `key(it)` for each key.

    The name is the key under which it stands, in lists as well; `name` is that of the whole value.
    """
    if isinstance(value, dict):
        return {key(inner): replace_leaves(item, leaf, key, name=inner) for inner, item in value.items()}
    if isinstance(value, list):
        return [replace_leaves(item, leaf, key, name=name) for item in value]
    return leaf(value, name)
