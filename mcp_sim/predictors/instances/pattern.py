"""A text that a regular expression is found in.

rstr was read first: it draws characters from Python sets (other texts in each process). Such makers also expand
`a{1000}{1000}` without a bound. Like them this walks the syntax tree of Python's own parser.
"""

import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import string
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

_LONGEST = 100_000
_READABLE = string.ascii_lowercase + string.digits + string.ascii_uppercase + "-_ .,:;/!?@#$%&*+='\"()[]{}<>|~^`\\é中\n\t"
_NAMED_GROUP = re.compile(r"\(\?<(?=[A-Za-z_])")
_UNICODE_CLASS = re.compile(r"\\([pP])\{?([A-Za-z_=]+)\}?")
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: lambda char: char in string.digits,
    op.CATEGORY_NOT_DIGIT: lambda char: char not in string.digits,
    op.CATEGORY_SPACE: lambda char: char in " \t\n\r\f\v",
    op.CATEGORY_NOT_SPACE: lambda char: char not in " \t\n\r\f\v",
    op.CATEGORY_WORD: lambda char: char == "_" or (char.isascii() and char.isalnum()),
    op.CATEGORY_NOT_WORD: lambda char: not (char == "_" or (char.isascii() and char.isalnum())),
}


def _unicode_class(match: re.Match[str]) -> str:
    letters = {"L": "a-zA-Z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9", "P": "!-/:-@", "S": "$+<->", "Z": " "}
    name = match[2].split("=")[-1]
    return "[" + ("^" if match[1] == "P" else "") + letters.get(name, letters.get(name[0], "a-z")) + "]"


@lru_cache(maxsize=1024)
def parse(pattern: str) -> Any:
    """Return the syntax tree of a pattern of JSON Schema (ECMAScript or RE2), `None` if unreadable or too long to be met."""
    if len(pattern) > 5_000:
        return None
    pattern = _UNICODE_CLASS.sub(_unicode_class, _NAMED_GROUP.sub("(?P<", pattern))
    try:
        tree = parser.parse(pattern)
        return None if tree.getwidth()[0] > _LONGEST else tree
    except (re.error, RecursionError, OverflowError, ValueError):
        return None


class PatternText:
    """One walk through a syntax tree. `spare` characters are shared among its repetitions: at random, or as soon as they fit (`greedy`)."""

    def __init__(self, random: Random, spare: int, *, greedy: bool) -> None:
        self._random = random
        self._spare = spare
        self._greedy = greedy
        self._groups: dict[int, str] = {}

    def write(self, tree: Any) -> str:
        """Return a text for the tree, in most cases one that it matches: the caller checks."""
        return "".join(self._node(code, value) for code, value in tree)

    def _node(self, code: Any, value: Any) -> str:
        if code is op.LITERAL:
            return chr(value)
        if code is op.IN:
            return self._class(value)
        if code is op.NOT_LITERAL:
            return "".join(self._random.choice([char for char in _READABLE[:36] if ord(char) != value]))
        if code is op.ANY:
            return self._random.choice(_READABLE[:36])
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(*value)
        if code is op.SUBPATTERN:
            text = self.write(value[3])
            if value[0] is not None:
                self._groups[value[0]] = text
            return text
        if code is op.BRANCH:
            return self._branch(value[1])
        if code is op.ATOMIC_GROUP:
            return self.write(value)
        if code is op.GROUPREF:
            return self._groups.get(value, "")
        if code is op.GROUPREF_EXISTS:
            chosen = value[1] if value[0] in self._groups else value[2]
            return self.write(chosen) if chosen else ""
        return ""  # anchors and assertions take no room

    def _repeat(self, low: int, high: Any, body: Any) -> str:
        width = max(1, body.getwidth()[0])
        extra = min(int(high) - low, self._spare // width)
        if extra > 0 and not self._greedy:
            extra = self._random.randint(0, extra)
        self._spare -= extra * width
        return "".join(self.write(body) for _ in range(low + extra))

    def _branch(self, branches: list[Any]) -> str:
        widths = [branch.getwidth()[0] for branch in branches]
        shortest = min(widths)
        affordable = [index for index, width in enumerate(widths) if width - shortest <= self._spare]
        index = self._random.choice(affordable)
        self._spare -= widths[index] - shortest
        return self.write(branches[index])

    def _class(self, members: list[Any]) -> str:
        if members[0][0] is op.NEGATE:
            tests = [_test(member) for member in members[1:]]
            allowed = [char for char in _READABLE if not any(test(char) for test in tests)]
            return self._random.choice(allowed[:36]) if allowed else "\u00a7"
        code, value = self._random.choice(members)
        if code is op.LITERAL:
            return chr(value)
        if code is op.RANGE:
            low, high = value
            readable = [char for char in _READABLE[:62] if low <= ord(char) <= high]
            char = self._random.choice(readable) if readable else chr(self._random.randint(low, min(high, low + 200)))
            return char if not 0xD800 <= ord(char) <= 0xDFFF else "\ue000"  # half a surrogate pair cannot be sent
        return self._random.choice([char for char in _READABLE if _CATEGORIES[value](char)])


def _test(member: Any) -> Callable[[str], bool]:
    code, value = member
    if code is op.LITERAL:
        return lambda char: ord(char) == value
    if code is op.RANGE:
        return lambda char: bool(value[0] <= ord(char) <= value[1])
    return _CATEGORIES[value]
