"""The fixed part of a text: what stays when the values in it change."""

import re
from collections.abc import Iterator

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON

_VALUE = re.compile(
    r"\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|`[^`\n]{0,500}`|(?:[A-Za-z]:)?(?:[/\\][\w.@~+-]+)+[/\\]?|\b[\w-]{0,60}\d[\w.:-]{0,200}"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAVES_AT_MOST = 200
_LONGEST_VALUE = 500
_LONGEST_TEXT = 20_000

Shape = tuple[str, ...]
"""The pieces of a text between its values, in order: quoted words, paths, whatever holds a digit, and what the arguments say are values."""


def shape_of(text: str, action: Action) -> Shape:
    """Return the shape of a text that answered the action; a long text is all fixed."""
    if len(text) > _LONGEST_TEXT:
        return (text,)
    marked = _VALUE.sub("\0", text.replace("\0", " "))
    for leaf in sorted(set(leaves(action.arguments)), key=len, reverse=True):
        if len(leaf) >= 2:
            marked = marked.replace(leaf, "\0")
    return tuple(marked.split("\0"))


def says_something(shape: Shape) -> bool:
    """Whether the fixed part holds at least two words: less would fit nearly any text."""
    return len(_WORD.findall(" ".join(shape))) >= 2


def fits(shape: Shape, text: str) -> bool:
    """Whether the whole text is of this shape: all its pieces in order, and between them values of one short line."""
    first, last = shape[0], shape[-1]
    if len(shape) == 1:
        return text == first
    if not (text.startswith(first) and text.endswith(last) and len(text) >= len(first) + len(last)):
        return False
    position, end = len(first), len(text) - len(last)
    for piece in shape[1:-1]:
        found = text.find(piece, position, end)
        if found < 0 or not _is_value(text[position:found]):
            return False
        position = found + len(piece)
    return _is_value(text[position:end])


def _is_value(text: str) -> bool:
    return len(text) <= _LONGEST_VALUE and "\n" not in text


def leaves(value: JSON) -> Iterator[str]:
    """Yield the strings in a JSON value, the first few hundred of them."""
    pending, left = [value], _LEAVES_AT_MOST
    while pending and left:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, str):
            left -= 1
            yield item
