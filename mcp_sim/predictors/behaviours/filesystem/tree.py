"""The simulated disk: the system calls that the server makes, on a tree that is never changed."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from rpds import HashTrieMap

from mcp_sim.predictors.behaviours.filesystem.nodes import kind_of, names_in
from mcp_sim.predictors.behaviours.filesystem.paths import well_formed
from mcp_sim.predictors.behaviours.filesystem.tool_error import PathError, ToolError

_MAX_LINKS = 40  # Linux and glibc follow as many
_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 4096
MAX_DEPTH = 200
"""How deep the tree may grow: states are frozen and written by recursion. Deeper paths are "too long"."""

# The only ASCII characters that are the canonical form of another one: KELVIN SIGN, GREEK QUESTION MARK, GREEK VARIA.
_TWINS = {"K": "\u212a", ";": "\u037e", "`": "\u1fef"}


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree from `/` down. Every call raises `ToolError` in the words of the system."""

    root: "HashTrieMap[str, Any]"

    def walk(self, path: str) -> tuple[list[str], Any]:
        """Follow a path and all links in it, and return the names of where it ends and what stands there.

        Raises:
            PathError: a step cannot be taken.
        """
        names: list[str] = []
        nodes: list[Any] = [self.root]
        ahead = [part for part in reversed(well_formed(path).split("/")) if part]
        links = 0
        while ahead:
            part = ahead.pop()
            directory = nodes[-1]
            if kind_of(directory) != "directory":
                raise PathError("ENOTDIR")
            if part == ".":
                continue
            if part == "..":
                if names:
                    names.pop()
                    nodes.pop()
                continue
            node = _child(directory, part)
            if kind_of(node) != "link":
                names.append(part)
                nodes.append(node)
                continue
            links += 1
            if links > _MAX_LINKS:
                raise PathError("ELOOP")
            target = str(node["/link"])
            if target.startswith("/"):
                names, nodes = [], [self.root]
            ahead += reversed([step for step in target.split("/") if step] + (["."] if target.endswith("/") else []))
        return names, nodes[-1]

    def realpath(self, path: str) -> str:
        """Return the path without links."""
        try:
            names, _ = self.walk(path)
        except PathError as refusal:
            raise ToolError.of_call(refusal.code, "realpath", path) from refusal
        return "/" + "/".join(names)

    def find(self, path: str, call: str) -> Any:
        """Return what stands at the path, links followed, for the system call of that name."""
        try:
            check_length(path)
            return self.walk(path)[1]
        except PathError as refusal:
            raise ToolError.of_call(refusal.code, call, path) from refusal

    def exists(self, path: str, call: str) -> bool:
        """Whether anything stands at the path itself, be it a link that leads nowhere."""
        try:
            directory, name = self.parent(path)
            return name is None or name in directory
        except PathError as refusal:
            if refusal.code == "ENOENT":
                return False
            raise ToolError.of_call(refusal.code, call, path) from refusal

    def parent(self, path: str) -> tuple[Any, str | None]:
        """Return the directory that holds the path's last name, and that name; the root has none.

        Raises:
            PathError: there is no such directory, or the name can be none.
        """
        check_length(path)
        place, _, name = well_formed(path).rpartition("/")
        if not name:
            return self.root, None
        directory = self.walk(place)[1]
        if kind_of(directory) != "directory":
            raise PathError("ENOTDIR")
        _check_name(name)
        return directory, name

    def read_directory(self, path: str) -> list[tuple[str, Any]]:
        """Return the entries of a directory in the order of their bytes."""
        directory = self.find(path, "scandir")
        if kind_of(directory) != "directory":
            raise ToolError.of_call("ENOTDIR", "scandir", path)
        return [(name, directory[name]) for name in names_in(directory)]

    def same_names(self, path: str, name: str) -> Sequence[str]:
        """Return the names in a directory that are canonically the same text as `name`; only itself, if it is there."""
        directory = self.find(path, "scandir")
        if kind_of(directory) != "directory":
            raise ToolError.of_call("ENOTDIR", "scandir", path)
        if name in directory:
            return [name]
        spelling = unicodedata.normalize("NFC", name)
        choices = [(letter, _TWINS[letter]) if letter in _TWINS else (letter,) for letter in spelling]
        if spelling.isascii() and sum(len(choice) > 1 for choice in choices) <= 6:
            # why: a new file's name is looked for on each write, and looking at every name would cost the size of the directory
            spellings = ("".join(choice) for choice in product(*choices))
            return [candidate for candidate in spellings if candidate in directory]
        return [entry for entry in names_in(directory) if unicodedata.normalize("NFC", entry) == spelling]


def check_length(path: str) -> None:
    """Refuse a path that no system call takes."""
    if len(path) * 3 >= _MAX_PATH_BYTES and len(path.encode("utf-8", "replace")) >= _MAX_PATH_BYTES:
        raise PathError("ENAMETOOLONG")
    if path.count("/") > MAX_DEPTH:
        raise PathError("ENAMETOOLONG")


def _child(directory: Any, name: str) -> Any:
    _check_name(name)
    node = directory.get(name)
    if node is None:
        raise PathError("ENOENT")
    return node


def is_short(name: str) -> bool:
    """Whether a file may have this name: it has at most 255 bytes."""
    return len(name) * 4 <= _MAX_NAME_BYTES or len(name.encode("utf-8", "replace")) <= _MAX_NAME_BYTES


def _check_name(name: str) -> None:
    if not is_short(name):
        raise PathError("ENAMETOOLONG")
