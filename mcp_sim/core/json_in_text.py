"""Texts that are JSON, changed as the values that they spell."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from mcp_sim.core.canonical import JSON

_MOST_CHARACTERS = 1_000_000


def rewrite_json(text: str, rewrite: Callable[[JSON], JSON]) -> str:
    """Return a text that spells an object or a list with its value rewritten, spelled as before.

    Any other text is returned as it is, and so is one whose spelling is none of the usual ones.
    """
    if text[:1] not in ("{", "[") or len(text) > _MOST_CHARACTERS:
        return text
    try:
        value = json.loads(text)
        rewritten = rewrite(value)
        if rewritten == value:
            return text
        spell = next((spell for spell in _spellings(text) if spell(value) == text), None)
        return text if spell is None else spell(rewritten)
    except (ValueError, RecursionError):
        return text


def _spellings(text: str) -> Iterator[Callable[[Any], str]]:
    """The ways in which programs spell JSON: on one line or several, tight or loose, with or without escapes."""
    line_break = text.find("\n")
    indent = len(text) - line_break - 1 - len(text[line_break + 1 :].lstrip(" ")) if line_break >= 0 else None
    for separators in ((",", ": "), (", ", ": "), (",", ":")):
        for ensure_ascii in (False, True):
            yield _spelling(indent, separators, ensure_ascii)


def _spelling(indent: int | None, separators: tuple[str, str], ensure_ascii: bool) -> Callable[[Any], str]:
    return lambda value: json.dumps(value, indent=indent, separators=separators, ensure_ascii=ensure_ascii)
