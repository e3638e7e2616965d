"""The state of a world: a tree of persistent maps, changed only by patches.

Objects are `rpds.HashTrieMap`, so that a change costs the depth of its path and not the size of the state; everything else is
a plain JSON value. A hash map has no order: whoever needs one keeps sequence numbers or sorts.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from rpds import HashTrieMap

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen

if TYPE_CHECKING:
    State = HashTrieMap[str, Any]
else:  # the class cannot be subscripted at run time
    State = HashTrieMap

EMPTY_STATE: State = HashTrieMap()


class Change(Frozen):
    """One change of state: the value at `path` is set, or removed where no value is given. Missing parents are made.

    With `origin`, what stands at that path at this moment of the patch is set at `path` as well: moving a large part of the
    state is such a copy and a removal, and costs and records no more than its two paths. Where nothing stands there, nothing happens.
    """

    path: Annotated[list[str], Field(min_length=1)]
    value: JSON = None
    origin: list[str] | None = None

    @property
    def removes(self) -> bool:
        """Whether this change removes what is at the path."""
        return "value" not in self.model_fields_set and self.origin is None


Patch = tuple[Change, ...]


def freeze(value: JSON) -> Any:
    """Turn every object that is not inside a list into a persistent map."""
    if isinstance(value, dict):
        return HashTrieMap({key: freeze(item) for key, item in value.items()})
    return value


def thaw(value: Any) -> JSON:
    """Turn persistent maps back into plain objects, keys sorted."""
    if isinstance(value, HashTrieMap):
        return {key: thaw(value[key]) for key in sorted(value)}
    return value


def lookup(state: State, *path: str) -> Any:
    """Return what is at the path (a persistent map or a plain value), or `None`."""
    node: Any = state
    for key in path:
        if not isinstance(node, HashTrieMap):
            return None
        node = node.get(key)
        if node is None:
            return None
    return node


def apply(state: State, patch: Iterable[Change], *, reveal: bool = False) -> State:
    """Return the state after the patch. With `reveal`, only what is absent is added: nothing is overwritten or removed."""
    for change in patch:
        if reveal and (change.removes or lookup(state, *change.path) is not None):
            continue
        if change.origin is None:
            state = _changed(state, change.path, change.removes, freeze(change.value))
        elif (part := lookup(state, *change.origin)) is not None:
            state = _changed(state, change.path, False, part)
    return state


def _changed(state: State, path: list[str], removes: bool, value: Any) -> State:
    parents: list[State] = []
    node: Any = state
    for key in path[:-1]:
        parents.append(node)
        node = node.get(key)
        if not isinstance(node, HashTrieMap):
            if removes:
                return state
            node = EMPTY_STATE
    changed: State = node.discard(path[-1]) if removes else node.insert(path[-1], value)
    for parent, key in zip(reversed(parents), reversed(path[:-1]), strict=True):
        changed = parent.insert(key, changed)
    return changed
