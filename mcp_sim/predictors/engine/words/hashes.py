"""Hashes in answers: what git and others make of what a thing is, so that no two things have the same."""

import re
from collections.abc import Iterable
from typing import Any

from mcp_sim.core.canonical import JSON

HASH = re.compile(r"(?<![0-9a-f])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])")
_LONGEST = 100_000


def hashes_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the hashes that stand in texts."""
    return frozenset(found for text in texts for found in HASH.findall(text[:_LONGEST]))


def swapped_hashes(value: Any, swaps: dict[str, str], depth: int = 0) -> JSON:
    """Return a value with other hashes in the place of some, inside addresses as well."""
    if isinstance(value, str):
        return HASH.sub(lambda found: swaps.get(found.group(), found.group()), value) if swaps else value
    if isinstance(value, dict) and depth < 20:
        return {key: swapped_hashes(item, swaps, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < 20:
        return [swapped_hashes(item, swaps, depth + 1) for item in value]
    return value
