"""A real folder, read into the state of a world that has files."""

import base64
import os
import posixpath
import stat
from datetime import UTC, datetime
from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError

_MAX_DEPTH = 100


def import_folder(
    path: Path, *, as_directory: str | None = None, max_entries: int = 100_000, max_bytes: int = 200_000_000
) -> dict[str, JSON]:
    """Return the value of `state.json` that holds a folder's files: `{"filesystem": {"allowed": [...], "tree": {...}}}`.

    The folder stands in the world as `as_directory`, an absolute path; as `/` and its name if none is given. Files that are not UTF-8
    are kept as base64. Symbolic links stay links, and what they lead to outside of the folder is not read: an empty file or directory
    stands for it, so that the world can refuse to follow them. Sockets, pipes and devices are left out.

    Raises:
        SetupError: it is no readable folder, or it holds more than the bounds allow.
    """
    folder = path.absolute()
    place = as_directory or f"/{folder.resolve().name}"
    names = [name for name in place.split("/") if name]
    if not place.startswith("/") or any(name in (".", "..") for name in names):
        raise SetupError(f"{place!r} is no absolute path without dots; name the directory that the folder shall be, such as /projects.")
    if not folder.is_dir():
        raise SetupError(f"{path} is no folder; name an existing one.")
    top = "/" + "/".join(names)
    reader = _Reader(folder.resolve(), top, max_entries, max_bytes)
    tree: JSON = reader.directory(folder.resolve(), 0)
    for name in reversed(names):
        tree = {name: tree}
    for outside, is_directory in sorted(reader.outside.items()):
        _put_if_absent(tree, [name for name in outside.split("/") if name], {} if is_directory else "")
    return {"filesystem": {"allowed": [top], "tree": tree}}


class _Reader:
    """`outside` collects where links lead out of the folder: paths of the world, each with whether a directory is there."""

    def __init__(self, folder: Path, top: str, max_entries: int, max_bytes: int) -> None:
        self._folder = folder
        self._top = top
        self._max_entries = self._entries_left = max_entries
        self._max_bytes = self._bytes_left = max_bytes
        self.outside: dict[str, bool] = {}

    def directory(self, folder: Path, depth: int) -> dict[str, JSON]:
        if depth > _MAX_DEPTH:
            raise SetupError(f"{folder} is nested more than {_MAX_DEPTH} folders deep; import a folder further down.")
        try:
            facts = folder.lstat()
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            raise SetupError(f"{folder} cannot be read: {error.strerror}. Make it readable or leave it out.") from error
        content = _facts(facts, "755")
        for entry in entries:
            self._entries_left -= 1
            if self._entries_left < 0:
                raise SetupError(f"The folder holds more than {self._max_entries} entries; {folder} is beyond that. Import a smaller one.")
            _check_utf8(entry.name, folder)
            node = self._node(Path(entry.path), depth)
            if node is not None:
                content[entry.name] = node
        return content

    def _node(self, path: Path, depth: int) -> JSON:
        try:
            facts = path.lstat()
            if stat.S_ISLNK(facts.st_mode):
                return self._link(path)
            if stat.S_ISDIR(facts.st_mode):
                return self.directory(path, depth + 1)
            return self._file(path, facts) if stat.S_ISREG(facts.st_mode) else None
        except OSError as error:
            raise SetupError(f"{path} cannot be read: {error.strerror}. Make it readable or leave it out.") from error

    def _link(self, path: Path) -> JSON:
        target = os.readlink(path)  # noqa: PTH115 - pathlib drops a closing slash, which tells that a directory is meant
        _check_utf8(target, path)
        folder = str(self._folder)
        if target == folder or target.startswith(folder + "/"):
            target = self._top.rstrip("/") + target[len(folder) :] or "/"
        try:
            leads_out = path.exists() and not path.resolve().is_relative_to(self._folder)
        except (OSError, RuntimeError):  # links in a circle
            leads_out = False
        if leads_out:
            above = posixpath.join(self._top, path.parent.relative_to(self._folder).as_posix())
            self.outside[posixpath.normpath("/" + posixpath.join(above, target).lstrip("/"))] = path.is_dir()
        return {"/link": target}

    def _file(self, path: Path, facts: os.stat_result) -> dict[str, JSON]:
        self._bytes_left -= facts.st_size
        if self._bytes_left < 0:
            raise SetupError(f"The folder holds more than {self._max_bytes} bytes; {path} is beyond that. Import a smaller one.")
        with path.open("rb") as file:  # bounded: it may have grown meanwhile
            data = file.read(facts.st_size)
        try:
            content: dict[str, JSON] = {"/text": data.decode("utf-8")}
        except UnicodeDecodeError:
            content = {"/base64": base64.b64encode(data).decode("ascii")}
        return {**content, **_facts(facts, "644")}


def _put_if_absent(tree: JSON, names: list[str], node: JSON) -> None:
    """Put a node where nothing is. The tree is still being made: nobody else has it yet."""
    for position, name in enumerate(names):
        if not isinstance(tree, dict) or not {"/text", "/base64", "/link"}.isdisjoint(tree):
            return
        tree = tree.setdefault(name, node if position == len(names) - 1 else {})


def _check_utf8(name: str, where: Path) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:  # the system escapes other bytes as lone surrogates
        raise SetupError(f"{name!a} at {where} is not UTF-8; rename it.") from error


def _facts(facts: os.stat_result, usual_mode: str) -> dict[str, JSON]:
    mode = f"{stat.S_IMODE(facts.st_mode) & 0o777:03o}"
    kept: dict[str, JSON] = {"/modified": datetime.fromtimestamp(facts.st_mtime, UTC).isoformat()}
    return kept if mode == usual_mode else {**kept, "/mode": mode}
