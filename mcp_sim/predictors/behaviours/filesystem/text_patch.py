"""Unified diffs as the npm package `diff` draws them.

It follows Myers' algorithm as every diff does, but which of several shortest scripts it finds, and how it cuts them into hunks
(four lines of context), is its own: Python's `difflib` finds others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_CONTEXT_LINES = 4
_MAX_STEPS = 1_000_000
"""About a second or two. A change that is larger is drawn as one block taken out and one put in."""

Kind = Literal[" ", "-", "+"]
_RULE = "=" * 67


@dataclass(slots=True)
class _Run:
    """Lines of one kind in a row; `before` is the run in front of it."""

    kind: Kind
    count: int
    before: "_Run | None"


def unified_patch(name: str, old: str, new: str) -> str:
    """Return the patch of a file from `old` to `new`, with a header even where nothing differs."""
    old_lines, new_lines = _lines(old), _lines(new)
    patch = [f"Index: {name}", _RULE, f"--- {name}\toriginal", f"+++ {name}\tmodified"]
    for hunk in _hunks(_runs(old_lines, new_lines), old_lines, new_lines):
        patch += hunk
    return "\n".join(patch) + "\n"


def _lines(text: str) -> list[str]:
    """Return the lines, each with its line feed; only the last may have none."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _runs(old: Sequence[str], new: Sequence[str]) -> list[tuple[Kind, int]]:
    """Return a shortest edit script as runs."""
    last = _shortest_script(old, new)
    runs: list[tuple[Kind, int]] = []
    while last is not None:
        runs.append((last.kind, last.count))
        last = last.before
    return runs[::-1]


def _shortest_script(old: Sequence[str], new: Sequence[str]) -> _Run | None:
    """Search the edit graph by growing edit distance; return the last run of the first script that reaches both ends."""
    old_count, new_count = len(old), len(new)
    common = _common(old, new, 0, 0)
    start = _Run(" ", common, None) if common else None
    if common == old_count == new_count:
        return start
    if _is_one_block(old[common:], new[common:]):
        return _whole_block(old, new)
    furthest: dict[int, tuple[int, _Run | None]] = {0: (common, start)}  # diagonal -> how much of `old` is used up, and the script so far
    lowest, highest = -old_count - new_count, old_count + new_count  # beyond the first path that ran along an edge there is nothing to find
    steps = 0
    for distance in range(1, old_count + new_count + 1):
        for diagonal in range(max(lowest, -distance), distance + 1, 2):
            if diagonal > highest:
                break
            steps += 1
            removing = furthest.pop(diagonal - 1, None)
            adding = furthest.get(diagonal + 1)
            can_add = adding is not None and 0 <= adding[0] - diagonal - 1 < new_count
            can_remove = removing is not None and removing[0] < old_count
            if adding is not None and can_add and not (removing is not None and can_remove and removing[0] >= adding[0]):
                used, script = adding[0], _extended(adding[1], "+")
            elif removing is not None and can_remove:
                used, script = removing[0] + 1, _extended(removing[1], "-")
            else:
                furthest.pop(diagonal, None)
                continue
            common = _common(old, new, used, used - diagonal)
            if common:
                script = _Run(" ", common, script)
                used += common
                steps += common // 8  # comparing is cheaper than branching
            if used >= old_count and used - diagonal >= new_count:
                return script
            furthest[diagonal] = (used, script)
            if used >= old_count:
                highest = min(highest, diagonal - 1)
            if used - diagonal >= new_count:
                lowest = max(lowest, diagonal + 1)
        if steps > _MAX_STEPS:
            break
    return _whole_block(old, new)


def _common(old: Sequence[str], new: Sequence[str], old_from: int, new_from: int) -> int:
    end = min(len(old) - old_from, len(new) - new_from)
    count = 0
    while count < end and old[old_from + count] == new[new_from + count]:
        count += 1
    return count


def _extended(script: _Run | None, kind: Kind) -> _Run:
    if script is not None and script.kind == kind:
        return _Run(kind, script.count + 1, script.before)
    return _Run(kind, 1, script)


def _is_one_block(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether, up to a common end, no line of one side is found on the other: then there is nothing to search for."""
    tail = _common(old[::-1], new[::-1], 0, 0)
    return set(old[: len(old) - tail]).isdisjoint(new) and set(new[: len(new) - tail]).isdisjoint(old)


def _whole_block(old: Sequence[str], new: Sequence[str]) -> _Run | None:
    head = _common(old, new, 0, 0)
    tail = _common(old[head:][::-1], new[head:][::-1], 0, 0)
    script: _Run | None = None
    sizes: list[tuple[Kind, int]] = [(" ", head), ("-", len(old) - head - tail), ("+", len(new) - head - tail), (" ", tail)]
    for kind, count in sizes:
        if count:
            script = _Run(kind, count, script)
    return script


def _hunks(runs: list[tuple[Kind, int]], old: Sequence[str], new: Sequence[str]) -> list[list[str]]:
    hunks: list[list[str]] = []
    body: list[str] = []
    old_at = new_at = old_from = new_from = 0
    for position, (kind, count) in enumerate(runs):
        is_last = position == len(runs) - 1
        if kind == " ":
            same = old[old_at : old_at + count]
            old_at += count
            new_at += count
            if body and count <= _CONTEXT_LINES * 2 and not is_last:
                body += [" " + line for line in same]
            elif body:
                after = min(count, _CONTEXT_LINES)
                body += [" " + line for line in same[:after]]
                hunks.append(_hunk(body, old_from, old_at - count + after, new_from, new_at - count + after))
                body = []
            continue
        if not body:
            before = min(old_at, _CONTEXT_LINES, runs[position - 1][1] if position else 0)
            old_from, new_from = old_at - before, new_at - before
            body = [" " + line for line in old[old_from:old_at]]
        if kind == "-":
            body += ["-" + line for line in old[old_at : old_at + count]]
            old_at += count
        else:
            body += ["+" + line for line in new[new_at : new_at + count]]
            new_at += count
    if body:
        hunks.append(_hunk(body, old_from, old_at, new_from, new_at))
    return hunks


def _hunk(body: list[str], old_from: int, old_to: int, new_from: int, new_to: int) -> list[str]:
    lines = [f"@@ -{_range(old_from, old_to)} +{_range(new_from, new_to)} @@"]
    for line in body:
        lines += [line[:-1]] if line.endswith("\n") else [line, "\\ No newline at end of file"]
    return lines


def _range(start: int, end: int) -> str:
    """Return start and length; where nothing is in it, the line before."""
    return f"{start + (end > start)},{end - start}"
