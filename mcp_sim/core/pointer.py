"""Places in a JSON document, and values shortened for messages."""

from collections.abc import Callable
from typing import Any

from mcp_sim.core.canonical import JSON

_MOST_STEPS = 12


def under(pointer: str, *steps: str | int) -> str:
    """Return the JSON pointer that leads some steps further."""
    return "/".join([pointer, *(str(step).replace("~", "~0").replace("/", "~1") for step in steps)])


def brief(pointer: str) -> str:
    """Return a pointer for a message: of a very long one the first steps and the last."""
    steps = pointer.split("/")
    if len(steps) <= _MOST_STEPS:
        return pointer
    return "/".join([*steps[: _MOST_STEPS // 2], f"(... {len(steps) - 2 * (_MOST_STEPS // 2)} more ...)", *steps[-(_MOST_STEPS // 2) :]])


def shortened(value: JSON, spelled: Callable[[Any], str] = repr) -> str:
    """Spell a scalar, at most 120 characters of it, or name the type of anything else."""
    is_scalar = value is None or isinstance(value, str | int | float)
    text = spelled(value) if is_scalar else f"a value of type {type(value).__name__}"
    return text if len(text) <= 120 else text[:117] + "..."
