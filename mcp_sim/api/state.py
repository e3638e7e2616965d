"""The state of a session as a person wants to read it in a test."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from mcp_sim.core.counted import count_of
from mcp_sim.core.session import Session
from mcp_sim.core.state import thaw
from mcp_sim.predictors.engine.things.collections import read_collections
from mcp_sim.predictors.engine.things.knowledge import Knowledge

_LONGEST_REPR = 300


class Thing(dict[str, Any]):
    """A JSON object whose keys are attributes too: `thing.title` is `thing["title"]`."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no {name!r} here; there is {', '.join(map(repr, self)) or 'nothing'}")


class StateView:
    """What exists in a session at one moment. It does not change when the session goes on.

    As an attribute: the things of one kind by the plural of its name (`state.issues`), a list with the newest last; else a part of the
    raw state. As a key: a part of the raw state as the behaviours keep it (`state["filesystem"]`), plain JSON.
    """

    def __init__(self, session: Session, knowledges: Sequence[Knowledge]) -> None:
        self._session = session
        self._knowledges = knowledges

    @cached_property
    def _things(self) -> dict[str, list[Thing]]:
        things: dict[str, list[Thing]] = {}
        for knowledge in self._knowledges:
            for name, records in read_collections(knowledge, self._session).items():
                things.setdefault(name, []).extend(_shown(record) for record in records)
        return things

    @cached_property
    def _raw(self) -> dict[str, Any]:
        raw: dict[str, Any] = thaw(self._session.state)
        return raw

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._things:
            return self._things[name]
        if name in self._raw:
            return _shown(self._raw[name])
        there = ", ".join(sorted({*self._things, *self._raw})) or "nothing"
        raise AttributeError(f"the state of world {self._session.world.name!r} has no {name!r}. There is: {there}")

    def __getitem__(self, key: str) -> Any:
        return self._raw[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __contains__(self, key: object) -> bool:
        return key in self._raw

    def __repr__(self) -> str:
        kinds = [f"{name} ({len(things)})" for name, things in sorted(self._things.items())]
        held = ", ".join([*kinds, *sorted(self._raw.keys() - self._things.keys())]) or "nothing"
        if len(held) > _LONGEST_REPR:
            held = f"{held[:_LONGEST_REPR].rpartition(', ')[0]}, ..."
        return f"<state of world {self._session.world.name!r} after {count_of(len(self._session.trajectory), 'call')}: {held}>"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._things, *self._raw})


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return Thing({key: _shown(item) for key, item in value.items()})
    return [_shown(item) for item in value] if isinstance(value, list) else value
