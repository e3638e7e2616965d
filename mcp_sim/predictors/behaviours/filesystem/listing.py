"""Listings, trees and searches of directories."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from mcp_sim.core.canonical import indented
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.collation import sort_key
from mcp_sim.predictors.behaviours.filesystem.disk import Disk
from mcp_sim.predictors.behaviours.filesystem.glob_part import units
from mcp_sim.predictors.behaviours.filesystem.glob_steps import Budget
from mcp_sim.predictors.behaviours.filesystem.globs import PathTest, path_test
from mcp_sim.predictors.behaviours.filesystem.nodes import kind_of, size_of
from mcp_sim.predictors.behaviours.filesystem.paths import join, relative
from mcp_sim.predictors.behaviours.filesystem.tool_error import PathError, ToolError

_UNITS = ("B", "KB", "MB", "GB", "TB")
_MAX_ENTRIES = 200_000


def list_directory(disk: Disk, path: str) -> str:
    """Return one line per entry, in the order of their bytes. A link counts as a file, wherever it leads."""
    entries = disk.tree.read_directory(disk.valid(path))
    return "\n".join(f"{_mark(node)} {name}" for name, node in entries)


def list_directory_with_sizes(disk: Disk, path: str, sort_by: str) -> str:
    """Return one line per entry with its size, and totals. Sizes are those of what a link leads to."""
    place = disk.valid(path)
    entries = [(name, node, _followed_size(disk, place, name, node)) for name, node in disk.tree.read_directory(place)]
    if sort_by == "size":
        entries.sort(key=lambda entry: -entry[2])
    else:
        entries.sort(key=lambda entry: sort_key(entry[0]))
    files = [size for _, node, size in entries if kind_of(node) != "directory"]
    lines = [
        f"{_mark(node)} {name}{' ' * (30 - len(units(name)))} {'' if kind_of(node) == 'directory' else format_size(size).rjust(10)}"
        for name, node, size in entries
    ]
    totals = f"Total: {len(files)} files, {len(entries) - len(files)} directories\nCombined size: {format_size(sum(files))}"
    return "\n".join([*lines, "", totals])


def directory_tree(disk: Disk, path: str, excluded: Sequence[str]) -> str:
    """Return the tree below the path as JSON."""
    tests = _Tests(excluded, Budget())
    remaining = _MAX_ENTRIES

    def branch(current: str) -> list[dict[str, Any]]:
        nonlocal remaining
        entries: list[dict[str, Any]] = []
        for name, node in disk.tree.read_directory(disk.valid(current)):
            remaining -= 1
            if remaining < 0:
                raise PredictionError(f"This tree has more than {_MAX_ENTRIES} entries; ask for a folder further down.")
            place = join(current, name)
            if tests.any_excludes(relative(path, place).split("/")):
                continue
            if kind_of(node) == "directory":
                entries.append({"name": name, "type": "directory", "children": branch(place)})
            else:
                entries.append({"name": name, "type": "file"})
        return entries

    return indented(branch(path))


def search_files(disk: Disk, path: str, pattern: str, excluded: Sequence[str]) -> str:
    """Return the paths below that match the pattern and none of the excluded ones. What cannot be looked at is passed over."""
    budget = Budget()
    exclusions = [_Lazy(glob, budget) for glob in excluded]
    wanted = _Lazy(pattern, budget)
    found: list[str] = []
    root = disk.valid(path)
    remaining = _MAX_ENTRIES

    def search(place: str, names: list[str]) -> None:
        nonlocal remaining
        for name, node in disk.tree.read_directory(place):
            remaining -= 1
            if remaining < 0:
                raise PredictionError(f"More than {_MAX_ENTRIES} entries would be searched; search a folder further down.")
            full = join(place, name)
            below = [*names, name]
            try:
                disk.valid(full)
                if any(exclusion.matches(below) for exclusion in exclusions):
                    continue
                if wanted.matches(below):
                    found.append(full)
                if kind_of(node) == "directory":
                    search(full, below)
            except ToolError:
                continue

    search(root, [])
    return "\n".join(found) if found else "No matches found"


def format_size(size: int) -> str:
    """Return a size in the largest unit that fits."""
    power = math.floor(math.log(size) / math.log(1024)) if size > 0 else 0
    if power == 0:
        return f"{size} B"
    power = min(power, len(_UNITS) - 1)
    return f"{(Decimal(size) / 1024**power).quantize(Decimal('0.01'), ROUND_HALF_UP)} {_UNITS[power]}"


class _Lazy:
    """A glob that is read when it is first needed, and fails then if it is no good."""

    def __init__(self, glob: str, budget: Budget) -> None:
        self._glob = glob
        self._budget = budget
        self._test: PathTest | None = None

    def matches(self, names: Sequence[str]) -> bool:
        if self._test is None:
            self._test = path_test(self._glob, self._budget)
        return self._test(names)


class _Tests:
    """The patterns that a tree leaves out: one without an asterisk is looked for at every depth."""

    def __init__(self, excluded: Sequence[str], budget: Budget) -> None:
        forms = [[glob] if "*" in glob else [glob, f"**/{glob}", f"**/{glob}/**"] for glob in excluded]
        self._tests = [_Lazy(form, budget) for group in forms for form in group]

    def any_excludes(self, names: Sequence[str]) -> bool:
        return any(test.matches(names) for test in self._tests)


def _mark(node: Any) -> str:
    return "[DIR]" if kind_of(node) == "directory" else "[FILE]"


def _followed_size(disk: Disk, place: str, name: str, node: Any) -> int:
    if kind_of(node) == "link":
        try:
            node = disk.tree.walk(join(place, name))[1]
        except PathError:
            return 0
    return size_of(node)
