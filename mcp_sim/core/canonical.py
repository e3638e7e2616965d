"""One byte string per JSON value, so that equal values hash equal."""

import hashlib
import json
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

JSON = Any
"""A plain JSON value: dict with str keys, list, str, int, float, bool or None. Never mutated once it is kept."""


def canonical(value: JSON) -> str:
    """Return the one text of a JSON value: keys sorted, no white space, ASCII only.

    Raises:
        ValueError: the value holds NaN or an infinity, which JSON does not have.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def indented(value: JSON, indent: int = 2) -> str:
    """Return a value as JSON text over several lines, as `json.dumps` lays it out, but in a tenth of the time.

    Floats are spelled as in JavaScript where the two differ: `0.00001`.
    """
    try:
        return to_json(value, indent=indent, inf_nan_mode="constants").decode()
    except PydanticSerializationError:  # half of a surrogate pair, or deeper than it goes
        return json.dumps(value, indent=indent, ensure_ascii=False)


def is_transmissible(value: JSON) -> bool:
    """Whether a value can be sent and kept as JSON in UTF-8: no NaN, no infinity, no half of a surrogate pair, no bottomless nesting."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def digest(*parts: str) -> str:
    """Return 32 hex digits (128 bits of SHA-256) over the parts; where one part ends is part of the hash."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:32]
