"""Tests of things, and what a thing must have to pass one: where to look for those that may."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text

Test = Callable[[Record], bool]

Need = tuple[tuple[str, Any], ...]
"""Alternatives, each a facet and what to look for in it: `words` for a part of a word anywhere, `=status` for what that field says,
`#number price` and other scales for what lies from one limit (or `None`) to another."""


@dataclass(frozen=True, slots=True)
class Needing:
    """A test with what a thing must have to pass it: one alternative of each need at least."""

    test: Test
    needs: tuple[Need, ...]

    def __call__(self, record: Record) -> bool:
        """Whether a thing passes."""
        return self.test(record)


def needs_of(tests: Iterable[Test]) -> list[Need]:
    """Return all that is needed to pass some tests, as far as they tell."""
    return [need for test in tests if isinstance(test, Needing) for need in test.needs]


def holds(value: Any, wanted: str) -> bool:
    """Whether a field is, names or contains what is wanted."""
    return value.lower() == wanted if isinstance(value, str) else wanted in said(value)


def said(value: JSON) -> Iterator[str]:
    """Return what a field is, names or contains, each in lower case."""
    if isinstance(value, dict):
        for item in value.values():
            if isinstance(item, str | int):
                yield id_text(item).lower()
    elif isinstance(value, list):
        for item in value:
            yield from said(item)
    elif value is not None:
        yield id_text(value).lower()


def leaves(value: Any, depth: int = 0) -> list[str]:
    """Return the texts (and numbers as texts) inside a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict) and depth < 6:
        return [leaf for item in value.values() for leaf in leaves(item, depth + 1)]
    if isinstance(value, list) and depth < 6:
        return [leaf for item in value for leaf in leaves(item, depth + 1)]
    if type(value) is int:
        return [str(value)]
    return [json.dumps(value)] if isinstance(value, int | float) else []
