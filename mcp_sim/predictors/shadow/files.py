"""Files of a real server: each is real until it is written here, and computed from then on."""

import posixpath
from collections.abc import Sequence
from typing import Any

from rpds import HashTrieMap

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, digest
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.predictors.behaviours.filesystem.nodes import kind_of

_TREE = ("filesystem", "tree")
_ALLOWED = ("filesystem", "allowed")
_IS_REAL = ("filesystem", "real")
_WRITTEN = ("filesystem", "written")
_UNREAD = "/unread"
"""A fact of a node that is really there, and whose content is not known here."""

_OF_ONE = frozenset(("read_file", "read_text_file", "read_media_file", "get_file_info"))
_FACTS = frozenset(("/modified", "/created", "/mode"))
_MOST_FOLDERS = 12

Names = tuple[str, ...]


class FilesOverlay:
    """Reads what a simulated write touches into the state of the behaviour `filesystem`, and lists what was written among the real files.

    Paths count as they are spelt: a real link to a file that was written here still shows the real file.
    With `learns_listings`, what a listing names is known to be there: for a recording, which nobody changes meanwhile.
    """

    def __init__(self, *, learns_listings: bool = False) -> None:
        self._learns_listings = learns_listings
        self._behaviour = FilesystemBehaviour({})

    def concerns(self, action: Action) -> bool:
        """See `Overlay.concerns`."""
        return action.is_call and action.name in FilesystemBehaviour.mutates

    def knows(self, session: Session, action: Action) -> bool:
        """See `Overlay.knows`: the file was written here, or a folder that it is in was made or moved here."""
        path = action.arguments.get("path")
        return (action.name in _OF_ONE or action.name == "list_directory") and isinstance(path, str) and _is_written(session, path)

    def needs(self, session: Session, action: Action) -> Sequence[Action]:
        """See `Overlay.needs`.

        Raises:
            PredictionError: a directory would have to be moved with all that is really in it.
        """
        path, source, target = (action.arguments.get(name) for name in ("path", "source", "destination"))
        reads = [] if lookup(session.state, *_IS_REAL) else [Action.call("list_allowed_directories")]
        if action.name == "edit_file" and isinstance(path, str):
            reads += _contents(session, path)
        elif action.name == "write_file" and isinstance(path, str):
            reads += _kinds(session, path, 2)
        elif action.name == "create_directory" and isinstance(path, str):
            reads += _kinds(session, path, _MOST_FOLDERS)
        elif action.name == "move_file" and isinstance(source, str) and isinstance(target, str):
            node = _node(session, source)
            if _is_unread(node) and kind_of(node) == "directory" and not _is_written(session, source):
                raise PredictionError(
                    f"{source} is a directory of the real server: moving it would move all that is really in it, which is not known here. "
                    "Move its files one by one."
                )
            reads += _contents(session, source)
            reads += _kinds(session, target, 2)
        return reads

    def learn(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """See `Overlay.learn`."""
        if action.name == "list_allowed_directories" and not observation.is_error:
            paths = [line for line in observation.text.split("\n") if line.startswith("/")]
            marks = [Change(path=list(_ALLOWED), value=paths), Change(path=list(_IS_REAL), value=True)]
            return [*marks, *(change for path in paths for change in _revealed(session, _names(path), {_UNREAD: True}))]
        path = action.arguments.get("path")
        if not isinstance(path, str):
            return []
        names = _names(path)
        if observation.is_error:
            is_folder = observation.text.startswith("EISDIR")
            return _revealed(session, names, {_UNREAD: True}) if is_folder else []
        if action.name == "read_text_file" and not {"head", "tail"} & action.arguments.keys():
            return _revealed(session, names, observation.text)
        if action.name == "get_file_info":
            unread = {_UNREAD: True}
            return _revealed(session, names, unread if "isDirectory: true" in observation.text else {"/text": "", **unread})
        if action.name == "list_directory" and self._learns_listings:
            here = _revealed(session, names, {_UNREAD: True})
            lines = [line.partition(" ") for line in observation.text.split("\n")]
            kinds: dict[str, JSON] = {
                name: {_UNREAD: True} if mark == "[DIR]" else {"/text": "", _UNREAD: True} for mark, _, name in lines if name
            }
            below = (change for name, kind in kinds.items() for change in _revealed(session, (*names, name), kind))
            return [*_allowed(session, path), *here, *below]
        return []

    def amend(self, made: Transition) -> list[Change]:
        """See `Overlay.amend`: the places that were written, moved or made are kept as such."""
        if not made.changes:
            return made.patch
        contents = [change.path[2:] for change in made.patch if tuple(change.path[:2]) == _TREE and change.path[-1] not in _FACTS]
        places = [[name for name in path if "/" not in name] for path in contents]
        return [*made.patch, *(Change(path=[*_WRITTEN, digest(*place)], value=place) for place in places if place)]

    def settle(self, session: Session, real: Transition) -> Observation | None:
        """See `Overlay.settle`."""
        action = real.action
        if action.name == "list_allowed_directories":
            return real.observation
        given: Any = action.arguments.get("paths", [action.arguments.get("path")])
        places = [_names(path) for path in given if isinstance(path, str)] if isinstance(given, list) else []
        near = [
            names for names in _written(session) if any(names[: len(place)] == place or place[: len(names)] == names for place in places)
        ]
        if not near or action.name in _OF_ONE:
            return real.observation
        if action.name == "search_files" and not real.observation.is_error:
            return self._searched(session, real)
        if action.name != "list_directory" or real.observation.is_error:
            return None
        place = places[0]
        marks = {line.partition(" ")[2]: line.partition(" ")[0] for line in real.observation.text.split("\n") if line}
        for names in near:
            name = names[len(place)]
            node = lookup(session.state, *_TREE, *place, name)
            if node is not None:
                marks[name] = "[DIR]" if kind_of(node) == "directory" else "[FILE]"
            elif len(names) == len(place) + 1:
                marks.pop(name, None)
        text = "\n".join(f"{mark} {name}" for name, mark in sorted(marks.items()))
        return real.observation if text == real.observation.text else Observation.of_structured({"content": text}, text)

    def _searched(self, session: Session, real: Transition) -> Observation | None:
        """A real search without the files that were taken away here, and with those that were written and fit."""
        found = self._behaviour.answer(session, real.action)
        if found is None or found.observation.is_error:
            return None
        lines = [line for line in real.observation.text.split("\n") if line.startswith("/")]
        kept = [line for line in lines if not _is_written(session, line)]
        own = [line for line in found.observation.text.split("\n") if line.startswith("/") and _is_written(session, line)]
        text = "\n".join([*kept, *(line for line in own if line not in kept)]) or "No matches found"
        return real.observation if set(text.split("\n")) == set(lines) else Observation.of_structured({"content": text}, text)


def _contents(session: Session, path: str) -> list[Action]:
    node = _node(session, path)
    is_known = _is_written(session, path) or (node is not None and not _is_unread(node))
    return [] if is_known else [Action.call("read_text_file", {"path": path})]


def _kinds(session: Session, path: str, count: int) -> list[Action]:
    """What tells whether a path, and the folders above it, are really there and what they are."""
    reads: list[Action] = []
    path = posixpath.normpath(path)
    for _ in range(count):
        if not _is_written(session, path) and _node(session, path) is None:
            reads.append(Action.call("get_file_info", {"path": path}))
        if posixpath.dirname(path) in ("", path):
            break
        path = posixpath.dirname(path)
    return reads


def _names(path: str) -> Names:
    return tuple(part for part in posixpath.normpath(path).split("/") if part not in ("", "."))


def _node(session: Session, path: str) -> Any:
    return lookup(session.state, *_TREE, *_names(path))


def _is_unread(node: Any) -> bool:
    return isinstance(node, HashTrieMap) and _UNREAD in node


def _written(session: Session) -> list[Names]:
    kept = lookup(session.state, *_WRITTEN)
    return [tuple(place) for place in kept.values()] if isinstance(kept, HashTrieMap) else []


def _allowed(session: Session, path: str) -> list[Change]:
    """What was shown is allowed, where nobody asked what is."""
    known = lookup(session.state, *_ALLOWED) or []
    if lookup(session.state, *_IS_REAL) or any(_names(path)[: len(_names(other))] == _names(other) for other in known):
        return []
    return [Change(path=list(_ALLOWED), value=[*known, path])]


def _is_written(session: Session, path: str) -> bool:
    names = _names(path)
    return any(names[: len(place)] == place for place in _written(session))


def _revealed(session: Session, names: Names, value: JSON) -> list[Change]:
    """A change that tells of a node, unless as much is known of it."""
    node = lookup(session.state, *_TREE, *names)
    is_news = node is None or (_is_unread(node) and kind_of(node) == "file" and isinstance(value, str))
    return [Change(path=[*_TREE, *names], value=value)] if names and is_news else []
