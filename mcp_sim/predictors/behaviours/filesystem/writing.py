"""The tools that change the tree. Each returns what it tells the agent and the changes of the tree."""

from collections.abc import Sequence
from itertools import accumulate, islice, takewhile
from typing import Any, NamedTuple

from mcp_sim.core.state import Change
from mcp_sim.predictors.behaviours.filesystem.disk import KEY, Disk
from mcp_sim.predictors.behaviours.filesystem.edits import Edit, edited, fenced_patch, with_line_feeds
from mcp_sim.predictors.behaviours.filesystem.nodes import height_of, kind_of, mode_of, text_of, written
from mcp_sim.predictors.behaviours.filesystem.paths import dirname, well_formed
from mcp_sim.predictors.behaviours.filesystem.tool_error import PathError, ToolError
from mcp_sim.predictors.behaviours.filesystem.tree import MAX_DEPTH, check_length, is_short

_UNMEASURED_LEVELS = 50
_MAX_FILE_BYTES = 50_000_000


class Outcome(NamedTuple):
    """What a tool says, and what it changed. Some change the tree and fail after that."""

    text: str
    changes: tuple[Change, ...] = ()
    is_error: bool = False


def write_file(disk: Disk, path: str, content: str, random_hex: str) -> Outcome:
    """Make a file, or replace one."""
    place = disk.valid(path)
    _check_size(place, content)
    if disk.tree.exists(place, "open"):
        return Outcome(f"Successfully wrote to {path}", _replaced(disk, place, content, random_hex))
    try:
        disk.tree.parent(place)
    except PathError as refusal:
        raise ToolError.of_call(refusal.code, "open", place) from refusal
    return Outcome(f"Successfully wrote to {path}", _put(disk, place, content, "644"))


def edit_file(disk: Disk, path: str, edits: Sequence[Edit], is_dry_run: bool, random_hex: str) -> Outcome:
    """Edit a text file, and show the difference; a dry run only shows it."""
    place = disk.valid(path)
    node = disk.tree.find(place, "open")
    if kind_of(node) == "directory":
        raise ToolError.of_call("EISDIR", "read")
    old = with_line_feeds(text_of(node))
    new = edited(old, edits)
    patch = fenced_patch(place, old, new)
    if is_dry_run:
        return Outcome(patch)
    _check_size(place, new)
    return Outcome(patch, _replaced(disk, place, new, random_hex))


def create_directory(disk: Disk, path: str) -> Outcome:
    """Make a directory and all that are missing above it."""
    place = disk.valid(path)
    try:
        check_length(place)
        existing, missing = _existing_part(disk, place)
    except PathError as refusal:
        raise ToolError.of_call(refusal.code, "mkdir", place) from refusal
    if not missing:
        if kind_of(disk.tree.find(existing, "mkdir")) != "directory":
            raise ToolError.of_call("EEXIST", "mkdir", place)
        return Outcome(f"Successfully created directory {path}")
    makeable = list(takewhile(is_short, missing))
    changes: tuple[Change, ...] = ()
    if makeable:
        now = disk.now.isoformat()
        tops = accumulate(makeable, lambda top, name: f"{top}/{name}", initial=existing.rstrip("/"))
        changes = tuple(Change(path=_at(top), value={"/created": now, "/modified": now}) for top in islice(tops, 1, None))
        changes += _touched(disk, existing)
    if makeable != missing:
        top = "/".join([existing.rstrip("/"), *missing[: len(makeable) + 1]])
        return Outcome(ToolError.of_call("ENAMETOOLONG", "mkdir", top).text, changes, is_error=True)
    return Outcome(f"Successfully created directory {path}", changes)


def move_file(disk: Disk, source: str, destination: str) -> Outcome:
    """Give a file or directory another place, where nothing may be."""
    from_place, to_place = disk.valid(source), disk.valid(destination)
    if disk.tree.exists(to_place, "lstat"):
        raise ToolError(f"Destination already exists: {to_place}")
    try:
        directory, name = disk.tree.parent(from_place)
        disk.tree.parent(to_place)
        if name is None:
            raise PathError("EBUSY")
        if name not in directory:
            raise PathError("ENOENT")
        if to_place.startswith(from_place + "/"):
            raise PathError("EINVAL")
        deepened = _deepened(disk, from_place, to_place, directory[name])
    except PathError as refusal:
        raise ToolError.of_call(refusal.code, "rename", from_place, to_place) from refusal
    changes = (Change(path=_at(to_place), origin=_at(from_place)), Change(path=_at(from_place)))
    parents = dict.fromkeys((dirname(from_place), dirname(to_place)))
    touched = tuple(change for parent in parents for change in _touched(disk, parent))
    return Outcome(f"Successfully moved {source} to {destination}", changes + touched + deepened)


def _deepened(disk: Disk, from_place: str, to_place: str, node: Any) -> tuple[Change, ...]:
    """Keep count of how much deeper directories have been moved, and refuse one that would make the tree too deep.

    Measuring a directory costs its size, so that is only done once moves could have added many levels.
    """
    descent = to_place.count("/") - from_place.count("/")
    if descent <= 0 or kind_of(node) != "directory":
        return ()
    deepened = disk.deepened + descent
    if deepened > _UNMEASURED_LEVELS and to_place.count("/") + height_of(node, MAX_DEPTH) > MAX_DEPTH:
        raise PathError("ENAMETOOLONG")
    return (Change(path=[KEY, "deepened"], value=deepened),)


def _replaced(disk: Disk, place: str, content: str, random_hex: str) -> tuple[Change, ...]:
    """Replace what is there by way of a temporary file beside it, as the server does, with all that can go wrong."""
    temporary = f"{place}.{random_hex}.tmp"
    try:
        disk.tree.parent(temporary)
    except PathError as refusal:
        raise ToolError.of_call(refusal.code, "open", temporary) from refusal
    if place == "/":
        raise ToolError.of_call("EBUSY", "rename", temporary, place)
    node = disk.tree.find(place, "stat")
    if kind_of(node) == "directory":
        raise ToolError.of_call("EISDIR", "rename", temporary, place)
    return _put(disk, place, content, mode_of(node))


def _put(disk: Disk, place: str, content: str, mode: str) -> tuple[Change, ...]:
    return (Change(path=_at(place), value=written(well_formed(content), disk.now, mode)), *_touched(disk, dirname(place)))


def _touched(disk: Disk, directory: str) -> tuple[Change, ...]:
    """Return the change of a directory's time when an entry of it changes."""
    return (Change(path=[*_at(directory), "/modified"], value=disk.now.isoformat()),)


def _at(place: str) -> list[str]:
    """Return where a resolved path stands in the session's state."""
    return [KEY, "tree", *(name for name in well_formed(place).split("/") if name)]


def _existing_part(disk: Disk, place: str) -> tuple[str, list[str]]:
    """Split a path into what is there and the names that are missing."""
    names = [name for name in well_formed(place).split("/") if name]
    for count in range(len(names), -1, -1):
        top = "/" + "/".join(names[:count])
        try:
            node = disk.tree.walk(top)[1]
        except PathError as refusal:
            if refusal.code in ("ENOENT", "ENAMETOOLONG"):
                continue
            raise
        if count < len(names) and kind_of(node) != "directory":
            raise PathError("ENOTDIR")
        return top, names[count:]
    return "/", names


def _check_size(place: str, content: str) -> None:
    if len(content) * 4 > _MAX_FILE_BYTES and len(content.encode("utf-8", "replace")) > _MAX_FILE_BYTES:
        raise ToolError.of_call("ENOSPC", "write")
