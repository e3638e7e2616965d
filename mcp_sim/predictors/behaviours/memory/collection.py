"""An ordered, indexed collection whose changes cost the same at any size."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import Change, State, apply, lookup

Keys = Callable[[Mapping[str, Any]], tuple[str, ...]]
"""The words under which an item is found."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The items that `state.json` lists, with an index from each of their keys to their positions. Never changed."""

    items: tuple[Mapping[str, Any], ...]
    index: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, items: Iterable[Mapping[str, Any]], keys: Keys) -> "Listed":
        """Index the items by their keys."""
        kept = tuple(items)
        index: dict[str, list[int]] = defaultdict(list)
        for position, item in enumerate(kept):
            for key in set(keys(item)):
                index[key].append(position)
        return cls(kept, {key: tuple(positions) for key, positions in index.items()})


class Collection:
    """The listed items and what has become of them, as one call sees and changes it; `changes` are the changes so far.

    What was listed stays where it is. At `path` the state keeps what came later: `items` (added or replaced, by position),
    `removed` (positions of listed ones that are gone), `index` (from key to positions of added ones) and `next` (a position never used).
    """

    def __init__(self, state: State, path: tuple[str, ...], listed: Listed, keys: Keys) -> None:
        self._state = state
        self._path = path
        self._listed = listed
        self._keys = keys
        self.changes: list[Change] = []

    def all(self) -> list[Mapping[str, Any]]:
        """Return the items in the order in which they were added."""
        later, removed = self._later("items"), self._later("removed")
        items = [later.get(str(position), item) for position, item in enumerate(self._listed.items) if str(position) not in removed]
        added = sorted(int(position) for position in later if int(position) >= len(self._listed.items))
        return items + [later[str(position)] for position in added]

    def find(self, *keys: str) -> list[tuple[int, Mapping[str, Any]]]:
        """Return position and item of all that have one of the keys, in the order in which they were added."""
        later, removed, index = self._later("items"), self._later("removed"), self._later("index")
        positions = {position for key in keys for position in self._listed.index.get(key, ()) if str(position) not in removed}
        positions.update(int(position) for key in keys for position in index.get(key, ()))
        return [(position, later.get(str(position)) or self._listed.items[position]) for position in sorted(positions)]

    def add(self, item: dict[str, JSON]) -> None:
        """Put an item at the end."""
        position = lookup(self._state, *self._path, "next") or len(self._listed.items)
        self._set("items", str(position), value=item)
        for key in set(self._keys(item)):
            self._set("index", key, str(position), value=True)
        self._set("next", value=position + 1)

    def replace(self, position: int, item: dict[str, JSON]) -> None:
        """Put another item with the same keys in the place of one."""
        self._set("items", str(position), value=item)

    def remove(self, position: int) -> None:
        """Take an item out; its position is never used again."""
        if position < len(self._listed.items):
            self._set("removed", str(position), value=True)
        else:
            for key in set(self._keys(self._later("items")[str(position)])):
                alone = len(self._later("index")[key]) == 1
                self._drop("index", key) if alone else self._drop("index", key, str(position))
        if str(position) in self._later("items"):
            self._drop("items", str(position))

    def _later(self, part: str) -> Mapping[str, Any]:
        return lookup(self._state, *self._path, part) or {}

    def _set(self, *path: str, value: JSON) -> None:
        self._change(Change(path=[*self._path, *path], value=value))

    def _drop(self, *path: str) -> None:
        self._change(Change(path=[*self._path, *path]))

    def _change(self, change: Change) -> None:
        self._state = apply(self._state, [change])
        self.changes.append(change)
