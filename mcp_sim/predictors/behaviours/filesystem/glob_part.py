"""Matching one part of a glob with one name: sets of positions go in, sets of positions come out.

A set is an integer, bit `n` for position `n`. No backtracking: a step costs the length of the name at most, so that no pattern can hang
the server as it would hang a matcher made of regular expressions.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.glob_class import Test, read_class
from mcp_sim.predictors.behaviours.filesystem.glob_tree import GlobNode, read_glob_part
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

_NEEDS_ESCAPE = frozenset("-,# \t\n\v\f\r")  # invalid as `\x` in a regular expression with the u flag, and written like that
_STARS = re.compile(r"\*+")
_STARS_AND_TEXT = re.compile(r"\*+([^+@!?*\[(]*)")
_MARKS_AND_TEXT = re.compile(r"\?+([^+@!?*\[(]*)")
_STARS_DOT_STARS = re.compile(r"\*+\.\*+")
_DOT_STARS = re.compile(r"\.\*+")


@dataclass(slots=True)
class Budget:
    """How many more steps a call may take."""

    steps: int = 8_000_000

    def spend(self, steps: int = 1) -> None:
        """Take steps.

        Raises:
            PredictionError: none are left.
        """
        self.steps -= steps
        if self.steps < 0:
            raise PredictionError("Matching this glob against so many names takes too long; use a simpler one or a folder further down.")


@dataclass(slots=True)
class _Name:
    """The name at hand, as a sequence of UTF-16 units or of code points."""

    text: str
    budget: Budget
    end: int = field(init=False)
    everywhere: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = 1 << len(self.text)
        self.everywhere = self.end * 2 - 1

    def where(self, test: Test) -> int:
        self.budget.spend(len(self.text))
        places = 0
        for position, char in enumerate(self.text):
            if test(char):
                places |= 1 << position
        return places


_Step = Callable[[_Name, int], int]
PartTest = Callable[[str, Budget], bool]


def part_test(glob: str) -> PartTest:
    """Return the test of a name against one part of a glob.

    Raises:
        ToolError: JavaScript could not build the regular expression that it would use.
        PredictionError: the part is too large.
    """
    return _short_cut(glob) or _PartReader(glob).test()


def _short_cut(glob: str) -> PartTest | None:
    """Return the test of a simple part. minimatch has the same ones, and takes backslashes in them literally."""
    if _STARS.fullmatch(glob):
        return lambda name, budget: bool(name)
    if found := _STARS_AND_TEXT.fullmatch(glob):
        ending = found[1]
        return lambda name, budget: name.endswith(ending)
    if found := _MARKS_AND_TEXT.fullmatch(glob):
        ending, length = found[1], len(units(glob))
        return lambda name, budget: len(units(name)) == length and name.endswith(ending)
    if _STARS_DOT_STARS.fullmatch(glob):
        return lambda name, budget: "." in name
    if _DOT_STARS.fullmatch(glob):
        return lambda name, budget: name.startswith(".")
    return None


def units(text: str) -> str:
    """Return the text with each character beyond the basic plane as its two UTF-16 surrogates."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(data[at] << 8 | data[at + 1]) for at in range(0, len(data), 2))


class _PartReader:
    def __init__(self, glob: str) -> None:
        self._glob = glob
        self._by_code_point = "[:" in glob
        self._has_escapes = False
        self._is_unicode = False

    def test(self) -> PartTest:
        root = read_glob_part(self._glob if self._by_code_point else units(self._glob))
        try:
            step = self._node(root)
        except RecursionError as error:
            raise PredictionError("A glob pattern is nested too deeply; use a simpler one.") from error
        if self._is_unicode and self._has_escapes:
            raise ToolError(f"Invalid regular expression: /^{self._glob}$/u: Invalid escape")
        as_units = not self._is_unicode

        def matches(text: str, budget: Budget) -> bool:
            name = _Name(units(text) if as_units else text, budget)
            return bool(step(name, 1) & name.end)

        return matches

    def _node(self, node: GlobNode) -> _Step:
        return self._sequence(node) if node.kind is None else self._extended(node)

    def _sequence(self, node: GlobNode) -> _Step:
        is_alone = node.is_start and node.is_end and not any(node.children())
        steps: list[_Step] = []
        for part in node.parts:
            steps += [self._node(part)] if isinstance(part, GlobNode) else self._text(part, is_alone)
        if node.parent is not None and node.parent.kind == "!":
            steps.append(_at_end)
        return _in_turn(steps)

    def _extended(self, node: GlobNode) -> _Step:
        if node.kind == "!" and node.is_empty:
            return _some
        alternatives = list(node.children())
        if node.is_start and node.is_end and node.kind != "!":
            alternatives = [part for part in alternatives if part.parts]
            if not alternatives:
                return _in_turn([_char(char) for char in f"{node.kind}({'|' * (len(node.parts) - 1)})"])
        steps = [self._node(part) for part in alternatives]
        if node.kind == "!":
            return _unless(steps)
        once = _any_of(steps)
        if node.kind in ("*", "+"):
            once = _repeated(once)
        return _or_nothing(once) if node.kind in ("*", "?") else once

    def _text(self, text: str, is_alone: bool) -> list[_Step]:
        steps: list[_Step] = []
        at = 0
        while at < len(text):
            char = text[at]
            at += 1
            if char == "*":
                while text.startswith("*", at):
                    at += 1
                steps.append(_some if is_alone and _STARS.fullmatch(text) else _any_number)
            elif char == "?":
                steps.append(_one)
            elif char == "\\" and at < len(text):
                self._has_escapes = self._has_escapes or text[at] == "!"
                steps.append(_char(text[at]))
                at += 1
            elif char == "[" and (found := read_class(text, at - 1)) is not None:
                at += found.length - 1
                self._is_unicode = self._is_unicode or found.by_code_point
                steps.append(self._literal(found.literal) if found.literal is not None else _one_of(found.test))
            else:
                steps.append(self._literal(char))
        return steps

    def _literal(self, char: str) -> _Step:
        self._has_escapes = self._has_escapes or char in _NEEDS_ESCAPE
        return _char(char)


def _in_turn(steps: list[_Step]) -> _Step:
    def step(name: _Name, starts: int) -> int:
        name.budget.spend(len(steps) + 1)
        for following in steps:
            if not starts:
                return 0
            starts = following(name, starts)
        return starts

    return step


def _any_of(steps: list[_Step]) -> _Step:
    def step(name: _Name, starts: int) -> int:
        ends = 0
        for alternative in steps:
            ends |= alternative(name, starts)
        return ends

    return step


def _or_nothing(once: _Step) -> _Step:
    return lambda name, starts: starts | once(name, starts)


def _repeated(once: _Step) -> _Step:
    def step(name: _Name, starts: int) -> int:
        ends = once(name, starts)
        fresh = ends
        while fresh:
            reached = once(name, fresh)
            fresh = reached & ~ends
            ends |= reached
        return ends

    return step


def _unless(alternatives: list[_Step]) -> _Step:
    """Any text, from each position where none of the alternatives fits."""
    fits = _any_of(alternatives)

    def step(name: _Name, starts: int) -> int:
        while starts:
            first = starts & -starts
            if not fits(name, first):
                return _any_number(name, first)
            starts ^= first
        return 0

    return step


def _char(char: str) -> _Step:
    return _one_of(lambda other: other == char)


def _one_of(test: Test) -> _Step:
    def step(name: _Name, starts: int) -> int:
        name.budget.spend()
        if starts & (starts - 1) == 0:  # a single position, as is usual
            position = starts.bit_length() - 1
            return starts << 1 if position < len(name.text) and test(name.text[position]) else 0
        return (starts & name.where(test)) << 1

    return step


def _one(name: _Name, starts: int) -> int:
    return starts << 1 & name.everywhere


def _any_number(name: _Name, starts: int) -> int:
    return name.everywhere & -(starts & -starts)


def _some(name: _Name, starts: int) -> int:
    return _any_number(name, starts) & ~(starts & -starts)


def _at_end(name: _Name, starts: int) -> int:
    return starts & name.end
