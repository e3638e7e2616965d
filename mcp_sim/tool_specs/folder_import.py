"""A real folder, read into the state of a world that has files."""

import base64
import os
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
    are kept as base64. Symbolic links stay links, so nothing outside of the folder is read; sockets, pipes and devices are left out.

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
    tree: JSON = _Reader(max_entries, max_bytes).directory(folder, 0)
    for name in reversed(names):
        tree = {name: tree}
    return {"filesystem": {"allowed": ["/" + "/".join(names)], "tree": tree}}


class _Reader:
    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self._max_entries = self._entries_left = max_entries
        self._max_bytes = self._bytes_left = max_bytes

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
            if not _is_utf8(entry.name):
                raise SetupError(f"{entry.path!a} has a name that is not UTF-8; rename it.")
            node = self._node(Path(entry.path), depth)
            if node is not None:
                content[entry.name] = node
        return content

    def _node(self, path: Path, depth: int) -> JSON:
        try:
            facts = path.lstat()
            if stat.S_ISLNK(facts.st_mode):
                return {"/link": os.readlink(path)}  # noqa: PTH115 - pathlib drops a closing slash, which tells that a directory is meant
            if stat.S_ISDIR(facts.st_mode):
                return self.directory(path, depth + 1)
            return self._file(path, facts) if stat.S_ISREG(facts.st_mode) else None
        except OSError as error:
            raise SetupError(f"{path} cannot be read: {error.strerror}. Make it readable or leave it out.") from error

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


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:  # the system escapes other bytes as lone surrogates
        return False
    return True


def _facts(facts: os.stat_result, usual_mode: str) -> dict[str, JSON]:
    mode = f"{stat.S_IMODE(facts.st_mode) & 0o777:03o}"
    kept: dict[str, JSON] = {"/modified": datetime.fromtimestamp(facts.st_mtime, UTC).isoformat()}
    return kept if mode == usual_mode else {**kept, "/mode": mode}
