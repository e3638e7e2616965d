"""Edits of a text file: exact text first, then whole lines whatever white space is around them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.paths import JS_SPACE
from mcp_sim.predictors.behaviours.filesystem.text_patch import unified_patch
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

_MAX_EDITED_CHARACTERS = 1_000_000_000
_BACKTICKS = re.compile("`+")


class Edit(NamedTuple):
    """Text to look for, and the text to put in its place."""

    old: str
    new: str


def with_line_feeds(text: str) -> str:
    """Return the text with CR LF turned into LF."""
    return text.replace("\r\n", "\n")


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Apply the edits in turn, each to the first place where it fits.

    Raises:
        ToolError: an edit fits nowhere.
        PredictionError: there are too many edits of too long a text.
    """
    if len(edits) * len(text) > _MAX_EDITED_CHARACTERS:
        raise PredictionError(f"{len(edits)} edits of a text of {len(text)} characters take too long; send fewer at once.")
    for edit in edits:
        old, new = with_line_feeds(edit.old), with_line_feeds(edit.new)
        if old in text:
            text = text.replace(old, new, 1)
            continue
        lines, wanted = text.split("\n"), old.split("\n")
        start = _place(lines, wanted)
        if start is None:
            raise ToolError(f"Could not find exact match for edit:\n{edit.old}")
        indent = _indent(lines[start])
        lines[start : start + len(wanted)] = [_indented(line, position, wanted, indent) for position, line in enumerate(new.split("\n"))]
        text = "\n".join(lines)
    return text


def fenced_patch(path: str, old: str, new: str) -> str:
    """Return the diff in a fence that is longer than any row of backticks in it."""
    diff = unified_patch(path, with_line_feeds(old), with_line_feeds(new))
    longest = max((len(row) for row in _BACKTICKS.findall(diff)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}diff\n{diff}{fence}\n\n"


def _place(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the first line from where `wanted` follows, white space at both ends of each line aside. Takes linear time."""
    text = "\n".join(["", *(line.strip(JS_SPACE) for line in lines), ""])
    found = text.find("\n".join(["", *(line.strip(JS_SPACE) for line in wanted), ""]))
    return None if found < 0 else text.count("\n", 0, found)


def _indented(line: str, position: int, wanted: Sequence[str], indent: str) -> str:
    if position == 0:
        return indent + line.lstrip(JS_SPACE)
    old_indent = _indent(wanted[position]) if position < len(wanted) else ""
    new_indent = _indent(line)
    if old_indent and new_indent:
        return indent + " " * (len(new_indent) - len(old_indent)) + line.lstrip(JS_SPACE)
    return line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(JS_SPACE))]
