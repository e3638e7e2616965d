"""Matching one part of a glob between two slashes with one name."""

import re
from collections.abc import Callable

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.glob_class import read_class
from mcp_sim.predictors.behaviours.filesystem.glob_steps import (
    Budget,
    Name,
    Step,
    any_number,
    any_of,
    at_end,
    exactly,
    in_turn,
    one,
    one_of,
    or_nothing,
    repeated,
    some,
    unless,
)
from mcp_sim.predictors.behaviours.filesystem.glob_tree import GlobNode, read_glob_part
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

_NEEDS_ESCAPE = frozenset("-,# \t\n\v\f\r")  # invalid as `\x` in a regular expression with the u flag, and written like that
_STARS = re.compile(r"\*+")
_STARS_AND_TEXT = re.compile(r"\*+([^+@!?*\[(]*)")
_MARKS_AND_TEXT = re.compile(r"\?+([^+@!?*\[(]*)")
_STARS_DOT_STARS = re.compile(r"\*+\.\*+")
_DOT_STARS = re.compile(r"\.\*+")


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
            name = Name(units(text) if as_units else text, budget)
            return bool(step(name, 1) & name.end)

        return matches

    def _node(self, node: GlobNode) -> Step:
        return self._sequence(node) if node.kind is None else self._extended(node)

    def _sequence(self, node: GlobNode) -> Step:
        is_alone = node.is_start and node.is_end and not any(node.children())
        steps: list[Step] = []
        for part in node.parts:
            steps += [self._node(part)] if isinstance(part, GlobNode) else self._text(part, is_alone)
        if node.parent is not None and node.parent.kind == "!":
            steps.append(at_end)
        return in_turn(steps)

    def _extended(self, node: GlobNode) -> Step:
        if node.kind == "!" and node.is_empty:
            return some
        alternatives = list(node.children())
        if node.is_start and node.is_end and node.kind != "!":
            alternatives = [part for part in alternatives if part.parts]
            if not alternatives:
                return in_turn([exactly(char) for char in f"{node.kind}({'|' * (len(node.parts) - 1)})"])
        steps = [self._node(part) for part in alternatives]
        if node.kind == "!":
            return unless(steps)
        once = any_of(steps)
        if node.kind in ("*", "+"):
            once = repeated(once)
        return or_nothing(once) if node.kind in ("*", "?") else once

    def _text(self, text: str, is_alone: bool) -> list[Step]:
        steps: list[Step] = []
        at = 0
        while at < len(text):
            char = text[at]
            at += 1
            if char == "*":
                while text.startswith("*", at):
                    at += 1
                steps.append(some if is_alone and _STARS.fullmatch(text) else any_number)
            elif char == "?":
                steps.append(one)
            elif char == "\\" and at < len(text):
                self._has_escapes = self._has_escapes or text[at] == "!"
                steps.append(exactly(text[at]))
                at += 1
            elif char == "[" and (found := read_class(text, at - 1)) is not None:
                at += found.length - 1
                self._is_unicode = self._is_unicode or found.by_code_point
                steps.append(self._literal(found.literal) if found.literal is not None else one_of(found.test))
            else:
                steps.append(self._literal(char))
        return steps

    def _literal(self, char: str) -> Step:
        self._has_escapes = self._has_escapes or char in _NEEDS_ESCAPE
        return exactly(char)
