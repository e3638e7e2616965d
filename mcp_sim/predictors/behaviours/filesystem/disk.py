"""The disk of a session, and the server's rule of what may be touched on it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rpds import HashTrieMap

from mcp_sim.core.session import Session
from mcp_sim.core.state import EMPTY_STATE, Change, apply, lookup
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.nodes import kind_of
from mcp_sim.predictors.behaviours.filesystem.paths import (
    WINDOWS_PATH,
    cleaned,
    dirname,
    is_within,
    join,
    relative,
    resolve,
)
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError
from mcp_sim.predictors.behaviours.filesystem.tree import Tree

KEY = "filesystem"
_DEFAULT_ALLOWED = ("/projects",)
_DEFAULT_HOME = "/home/user"


@dataclass(frozen=True, slots=True)
class Disk:
    """What the server knows while it answers one call: the tree, the allowed directories, and what time it is there."""

    tree: Tree
    allowed: tuple[str, ...]
    home: str
    now: datetime
    beginning: datetime
    deepened: int

    @classmethod
    def of_session(cls, session: Session) -> "Disk":
        """Read the disk from the session's state.

        Raises:
            PredictionError: the state is not of the form that the package's docstring tells.
        """
        found = lookup(session.state, KEY)
        state: HashTrieMap[str, Any] = EMPTY_STATE if found is None else found
        if not isinstance(state, HashTrieMap):
            raise PredictionError(f"state.json: `{KEY}` must be an object with `allowed` and `tree`.")
        given = state.get("allowed", _DEFAULT_ALLOWED)
        if isinstance(given, str) or not all(isinstance(path, str) for path in given):
            raise PredictionError(f"state.json: `allowed` in `{KEY}` must be a list of absolute paths.")
        allowed = tuple(resolve("/", path) for path in given)
        root = state.get("tree")
        if root is None:
            root = apply(EMPTY_STATE, [Change(path=names, value={}) for path in allowed if (names := path.split("/")[1:]) != [""]])
        if kind_of(root) != "directory":
            raise PredictionError(f"state.json: `tree` in `{KEY}` must be an object, the directory at `/`.")
        home = str(state.get("home", _DEFAULT_HOME))
        return cls(Tree(root), allowed, home, session.now, session.world.settings.clock, _whole(state.get("deepened")))

    def valid(self, path: str) -> str:
        """Return where the path the agent gave really leads, or where the file that it would make will be.

        Raises:
            ToolError: it is outside of the allowed directories, or a part of it is no directory.
        """
        expanded = join(self.home, path[1:]) if path == "~" or path.startswith("~/") else path
        if WINDOWS_PATH.match(expanded):
            raise ToolError(f"Access denied - Windows-style path received on a POSIX host: {path}")
        absolute = resolve("/", expanded) if expanded.startswith("/") else self._resolve_relative(expanded)
        if not is_within(cleaned(absolute), self.allowed):
            raise ToolError(f"Access denied - path outside allowed directories: {absolute} not in {', '.join(self.allowed)}")
        try:
            real = self.tree.realpath(absolute)
        except ToolError as failure:
            if failure.code != "ENOENT":
                raise
        else:
            return self._inside(real)
        try:
            return self._place_of_new(absolute)
        except ToolError as failure:
            if failure.code == "ENOENT":
                raise ToolError(f"Parent directory does not exist: {dirname(absolute)}") from failure
            raise

    def _resolve_relative(self, path: str) -> str:
        places = [resolve(top, path) for top in self.allowed]
        inside = [place for place in places if is_within(cleaned(place), self.allowed)]
        return (inside or places or [resolve("/", path)])[0]

    def _inside(self, real: str) -> str:
        if not is_within(cleaned(real), self.allowed):
            raise ToolError(f"Access denied - symlink target outside allowed directories: {real} not in {', '.join(self.allowed)}")
        return real

    def _place_of_new(self, absolute: str) -> str:
        """Go down from the allowed directory as far as there is anything, taking other spellings of the same Unicode text for equal."""
        tops = sorted(self.allowed, key=len, reverse=True)
        top = next((top for top in tops if is_within(cleaned(absolute), [top])), None)
        if top is None:
            return absolute
        place = self.tree.realpath(top)
        parts = [part for part in relative(top, absolute).split("/") if part]
        for position, part in enumerate(parts):
            spellings = self.tree.same_names(place, part)
            if len(spellings) > 1:
                raise ToolError(f"Ambiguous Unicode path component: {part}")
            if not spellings:
                return join(place, *parts[position:])
            place = self._inside(self.tree.realpath(join(place, spellings[0])))
        return place


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0
