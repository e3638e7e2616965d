"""The session's state in words for a model: what old turns left, and what matters to a call."""

from collections.abc import Iterable, Iterator
from typing import Any

from rpds import HashTrieMap

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.state import State, thaw
from mcp_sim.core.transition import Transition

LONGEST_SUMMARY = 8_000
LONGEST_STATE = 6_000
_MOST_NODES = 20_000
_SHORTEST_MENTION = 2


def summarise_changes(transitions: Iterable[Transition]) -> str:
    """Return what these transitions left in the state, a line a place; the latest if there are too many.

    It is read off their patches, so it says nothing that did not happen.
    """
    left: dict[tuple[str, ...], str | None] = {}
    for number, transition in enumerate(transitions, start=1):
        if transition.changes and not transition.patch:  # what it led to is not known, that it was done is
            left["calls", str(number)] = f"{transition.action.name} {canonical(transition.action.arguments)}"
        for change in transition.patch:
            path = tuple(change.path)
            for place in [place for place in left if place[: len(path)] == path]:
                del left[place]
            moved = f"what was at {'/'.join(change.origin)}" if change.origin else None
            left[path] = None if change.removes else moved or canonical(change.value)
    lines: list[str] = []
    size = 0
    for path, value in reversed(left.items()):
        line = f"- {'/'.join(path)}: {'removed' if value is None else value}"[:1000]
        size += len(line) + 1
        if size > LONGEST_SUMMARY:
            lines.append("- ... and older changes")
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def tell_relevant_state(state: State, action: Action) -> str:
    """Return the records of the state that mention a value of the call's arguments, as JSON lines; empty if none does."""
    mentions = {text for text in map(_spelled, _leaves(action.arguments)) if len(text) >= _SHORTEST_MENTION or text.isdecimal()}
    lines: list[str] = []
    size = 0
    for path, record in _records(state):
        if any(part in mentions for part in path) or any(_spelled(leaf) in mentions for leaf in _leaves(record)):
            line = f"{'/'.join(path)}: {canonical(record)}"
            size += len(line) + 1
            if size > LONGEST_STATE:
                break
            lines.append(line)
    return "\n".join(lines)


def _records(state: State) -> Iterator[tuple[tuple[str, ...], JSON]]:
    """The lowest objects of the state, and plain values beside objects, in order of their paths."""
    pending: list[tuple[tuple[str, ...], Any]] = [((), state)]
    for _ in range(_MOST_NODES):
        if not pending:
            return
        path, node = pending.pop()
        if isinstance(node, HashTrieMap) and any(isinstance(node[key], HashTrieMap) for key in node):
            pending.extend(((*path, key), node[key]) for key in sorted(node, reverse=True))
        else:
            yield path, thaw(node)


def _leaves(value: JSON) -> Iterator[JSON]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _spelled(value: JSON) -> str:
    return value if isinstance(value, str) else canonical(value)
