"""Folders: what lies in them is told by the paths of files and directories, and moving one moves all below it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource

_MOST = 50_000
_ROOTS = frozenset({"", ".", "/"})


def edited(content: JSON, edits: JSON) -> str | None:
    """Return a text after these replacements, each of the first place where it fits; `None` where one fits nowhere."""
    if not isinstance(content, str) or not isinstance(edits, list):
        return None
    for edit in edits:
        parts = {name[:3]: text for name, text in edit.items() if isinstance(text, str)} if isinstance(edit, dict) else {}
        old, new = parts.get("old"), parts.get("new")
        if old is None or new is None or old not in content:
            return None
        content = content.replace(old, new, 1)
    return str(content)


@dataclass(frozen=True, slots=True)
class Folders:
    """Answers one call about what lies below a path."""

    reads: Reads

    def listing(self) -> Observation | None:
        """Show what is in a folder. `None` where nothing is known of it, or only imagination could tell the rest."""
        reads = self.reads
        collections = list(self._collections())
        if reads.things.certain_only and not all(collection.is_closed for _, collection in collections):
            return None
        paths = {path: kind.name for kind, collection in collections for path in self._paths(kind, collection)}
        for kind, collection in collections:
            reads.things.rest_on(kind, collection)
        folder = id_text(reads.arguments.get(reads.meaning.within or "")).rstrip("/")
        prefix = "" if folder in _ROOTS else f"{folder}/"
        below = {path.removeprefix(prefix).lstrip("/"): kind for path, kind in paths.items() if path.startswith(prefix) and path != folder}
        if not below and folder not in paths and folder not in _ROOTS:
            return None
        entries = {"/".join(parts[:depth]): "directory" for parts in map(_parts, below) for depth in range(1, len(parts))}
        entries.update(below)
        if reads.meaning.kind == "search":
            asked = id_text(reads.arguments.get(reads.meaning.text or ""))
            return self._lines([f"{prefix}{name}" for name in sorted(entries) if _matches(name, asked)] or ["No matches found"])
        if reads.meaning.verb == "tree":
            return reads.form.told(json.dumps(_tree(entries), indent=2, ensure_ascii=False))
        return self._lines([f"[{'DIR' if entries[n] == 'directory' else 'FILE'}] {n}" for n in sorted(entries) if "/" not in n])

    def move(self) -> Observation | None:
        """Move a file, or a folder with all that is in it. `None` where nothing is known there and something may be."""
        reads = self.reads
        source = id_text(reads.arguments.get(reads.meaning.id or "")).rstrip("/")
        target = id_text(reads.arguments.get(reads.meaning.renames or "")).rstrip("/")
        collections = list(self._collections())
        if any(collection.find(target) is not None for _, collection in collections):
            return reads.refusals.refuse("exists", reads.meaning, reads.resource, target, reads.arguments)
        moved, last = 0, Record()
        for kind, collection in collections:
            for path in [path for path in self._paths(kind, collection) if path == source or path.startswith(f"{source}/")]:
                record: Record = {**(collection.find(path) or {}), kind.id_key: f"{target}{path.removeprefix(source)}"}
                reads.things.again(collection).delete(reads.things.draft, path)
                _put(reads, collection, record, id_text(record[kind.id_key]))
                moved, last = moved + 1, record
        if not moved and (not collections or not all(collection.is_closed for _, collection in collections)):
            return None
        if not moved:
            return reads.refusals.refuse("missing", reads.meaning, reads.resource, source, reads.arguments)
        shown: Record = {**last, reads.resource.id_key: target}
        return reads.form.done(shown, reads.arguments, reads.things.chance("form", "folder", source))

    def _collections(self) -> Iterator[tuple[Resource, Collection]]:
        for name in ("file", "directory"):
            kind = self.reads.knowledge.resources.get(name)
            if kind is not None and not kind.scope and kind.id_key == "path":
                yield kind, self.reads.things.open(kind, {})

    def _paths(self, kind: Resource, collection: Collection) -> list[str]:
        return [id_text(record.get(kind.id_key)).rstrip("/") for record in islice(collection, _MOST)]

    def _lines(self, lines: Sequence[str]) -> Observation:
        return self.reads.form.told("\n".join(lines))


def _put(reads: Reads, collection: Collection, record: Record, key: str) -> None:
    now = reads.things.again(collection)
    if now.find(key) is not None:
        now.change(reads.things.draft, key, record)
    elif now.is_deleted(key):
        now.revive(reads.things.draft, key, record)
    else:
        now.create(reads.things.draft, key, record)


def _parts(path: str) -> list[str]:
    return path.split("/")


def _matches(path: str, pattern: str) -> bool:
    name = path.rpartition("/")[2]
    if not set("*?[") & set(pattern):
        return pattern.lower() in name.lower()
    return fnmatchcase(path, pattern) or fnmatchcase(name, pattern.removeprefix("**/"))


def _tree(entries: dict[str, str]) -> list[JSON]:
    inside: dict[str, list[JSON]] = {"": [], **{path: [] for path, kind in entries.items() if kind == "directory"}}
    for path in sorted(entries):
        folder, _, name = path.rpartition("/")
        children: dict[str, JSON] = {"children": inside[path]} if path in inside else {}
        inside.get(folder, []).append({"name": name, "type": entries[path], **children})
    return inside[""]
