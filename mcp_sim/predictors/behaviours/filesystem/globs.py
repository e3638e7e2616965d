"""Globs over relative paths, as the npm package `minimatch` 10 matches them with `{dot: true}`."""

import re
from collections.abc import Callable, Sequence

import bracex

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.glob_part import PartTest, part_test, units
from mcp_sim.predictors.behaviours.filesystem.glob_steps import Budget
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

PathTest = Callable[[Sequence[str]], bool]

_MAX_PATTERN_UNITS = 64 * 1024
_MAX_EXPANSIONS = 5000
_BRACES = re.compile(r"\{(?:(?!\{).)*\}")
_ESCAPED = re.compile(r"\\([\\{},.])")
_SLASHES = re.compile("/+")


def path_test(pattern: str, budget: Budget) -> PathTest:
    """Return the test of a path, given as its names, against a glob.

    Raises:
        ToolError: the pattern is longer than 64 K, or not to be made into a regular expression.
        PredictionError: it is beyond what is looked at here.
    """
    if len(units(pattern)) > _MAX_PATTERN_UNITS:
        raise ToolError("pattern is too long")
    if pattern.startswith("#") or not pattern:
        return lambda names: False
    body = pattern.lstrip("!")
    is_negated = (len(pattern) - len(body)) % 2 == 1
    tests = [_expanded_test(_without_parents(_SLASHES.split(glob)), budget) for glob in _expansions(body)]

    def matches(names: Sequence[str]) -> bool:
        budget.spend(len(tests))
        return any(test(names) for test in tests) != is_negated

    return matches


def _expansions(pattern: str) -> list[str]:
    if not _BRACES.search(pattern):
        return [pattern]
    try:
        expanded = bracex.expand(pattern, keep_escapes=True, limit=_MAX_EXPANSIONS)
    except bracex.ExpansionLimitException as error:
        raise PredictionError(f"A glob pattern's braces stand for more than {_MAX_EXPANSIONS} patterns; use a simpler one.") from error
    except RecursionError:  # nested as no one means it: taken literally
        return [pattern]
    return list(dict.fromkeys(_ESCAPED.sub(r"\1", glob) for glob in expanded))


def _without_parents(parts: Sequence[str]) -> list[str]:
    """Resolve `..` behind names, and make one of several `**` in a row."""
    kept: list[str] = []
    for part in parts:
        before = kept[-1] if kept else ""
        if part == "**" and before == "**":
            continue
        if part == ".." and before not in ("", "..", ".", "**"):
            kept.pop()
        else:
            kept.append(part)
    return kept or [""]


def _expanded_test(parts: Sequence[str], budget: Budget) -> PathTest:
    sections: list[list[PartTest]] = [[]]
    for part in parts:
        if part == "**":
            sections.append([])
        else:
            sections[-1].append(_never if part in ("", ".", "..") else part_test(part))
    head, *middle, tail = sections if len(sections) > 1 else [sections[0], []]
    if len(sections) == 1:
        return lambda names: len(names) == len(head) and _fits(head, names, 0, budget)
    latest = _latest_starts([len(section) for section in middle])

    def test(names: Sequence[str]) -> bool:
        end = len(names) - len(tail)
        if end < len(head) or not _fits(head, names, 0, budget) or not _fits(tail, names, end, budget):
            return False
        at = len(head)
        for section, distance in zip(middle, latest, strict=True):
            starts = range(at, end - distance + 1)
            at = next((start + len(section) for start in starts if _fits(section, names[: start + len(section)], start, budget)), -1)
            if at < 0:
                return False
        return bool(tail) or at < len(names)  # `**` at the end stands for something

    return test


def _latest_starts(lengths: Sequence[int]) -> list[int]:
    """Return how far from the end each section must start at the latest. minimatch counts the lengths in front of a section
    from the wrong side, so that longer sections before shorter ones are not found in short paths."""
    before = [sum(lengths[:position]) for position in range(len(lengths))]
    return [length + missing for length, missing in zip(lengths, reversed(before), strict=True)]


def _fits(tests: Sequence[PartTest], names: Sequence[str], start: int, budget: Budget) -> bool:
    if start + len(tests) > len(names):
        return False
    budget.spend(len(tests) + 1)
    return all(test(names[start + position], budget) for position, test in enumerate(tests))


def _never(name: str, budget: Budget) -> bool:
    return False
