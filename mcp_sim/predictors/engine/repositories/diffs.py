"""What one tree of files has that another has not, as a git host shows it."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from typing import Any

from mcp_sim.core.canonical import JSON

Tree = Mapping[str, Any]
"""Files by path: a text each, or `{"base64": ...}`."""

_MOST_LINES = 2_000


def bytes_of(file: Any) -> bytes:
    """Return what is in a file."""
    if isinstance(file, str):
        return file.encode("utf-8", "surrogatepass")
    encoded = file.get("base64", "") if isinstance(file, Mapping) else ""
    return base64.b64decode(encoded) if isinstance(encoded, str) else b""


def blob_hash(file: Any) -> str:
    """Return the hash by which git knows the content of a file."""
    content = bytes_of(file)
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def long_hash(*parts: str) -> str:
    """Return 40 hexadecimal digits, as long as git's, that depend on these texts alone."""
    return hashlib.sha1("\0".join(parts).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def changed_paths(old: Tree, new: Tree) -> list[str]:
    """Return the paths at which two trees differ, in order."""
    return sorted(path for path in {*old, *new} if old.get(path) != new.get(path))


def changed_files(old: Tree, new: Tree) -> list[dict[str, JSON]]:
    """Return one entry for each path at which two trees differ: `sha`, `filename`, `status`, counts of lines, and the patch of a text."""
    return [_entry(path, old.get(path), new.get(path)) for path in changed_paths(old, new)]


def stats_of(files: Sequence[Mapping[str, Any]]) -> dict[str, JSON]:
    """Return how many lines these files have changed in all."""
    added, removed = (sum(file[name] for file in files) for name in ("additions", "deletions"))
    return {"additions": added, "deletions": removed, "total": added + removed}


def _entry(path: str, old: Any, new: Any) -> dict[str, JSON]:
    added, removed, patch = _lines_between(old, new)
    entry: dict[str, JSON] = {
        "sha": blob_hash(old if new is None else new),
        "filename": path,
        "status": "added" if old is None else "removed" if new is None else "modified",
        "additions": added,
        "deletions": removed,
        "changes": added + removed,
    }
    return {**entry, "patch": patch} if patch else entry


def _lines_between(old: Any, new: Any) -> tuple[int, int, str]:
    if not all(file is None or isinstance(file, str) for file in (old, new)):
        return 0, 0, ""  # a host counts no lines of what is no text
    before, after = (old or "").splitlines(), (new or "").splitlines()
    if max(len(before), len(after)) > _MOST_LINES:  # why: comparing takes time that grows with the product
        return len(after), len(before), ""
    steps = SequenceMatcher(None, before, after).get_opcodes()
    removed = sum(i2 - i1 for tag, i1, i2, _, _ in steps if tag in ("delete", "replace"))
    added = sum(j2 - j1 for tag, _, _, j1, j2 in steps if tag in ("insert", "replace"))
    return added, removed, "\n".join(list(unified_diff(before, after, lineterm=""))[2:])
