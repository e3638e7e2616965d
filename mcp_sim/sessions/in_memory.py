"""Sessions that live as long as the process."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import SessionStoreError
from mcp_sim.sessions.lock import ReadWriteLock
from mcp_sim.sessions.name import check_session_name

logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Held:
    session: Session
    last_used: float
    lock: ReadWriteLock = field(default_factory=ReadWriteLock)


class _Lease:
    __slots__ = ("_held", "session")

    def __init__(self, held: _Held) -> None:
        self._held = held
        self.session = held.session

    def commit(self, transition: Transition) -> Transition:
        self._held.session = self._held.session.append(transition)
        return self._held.session.trajectory[-1]


class InMemoryStore:
    """Keeps at most `max_sessions`; one that nobody has used for `idle_seconds` makes room for a new one when there are that many."""

    def __init__(self, world: World, *, seed: int = 0, max_sessions: int = 10_000, idle_seconds: float = 3600.0) -> None:
        self._world = world
        self._seed = seed
        self._max_sessions = max_sessions
        self._idle_seconds = idle_seconds
        self._held: dict[str, _Held] = {}  # least recently used first

    @asynccontextmanager
    async def lease(self, name: str, *, alone: bool) -> AsyncIterator[_Lease]:
        """See `SessionStore.lease`."""
        held = self._held.pop(name, None) or self._begin(name)
        self._held[name] = held
        held.last_used = anyio.current_time()
        async with held.lock.hold(alone=alone):
            yield _Lease(held)

    def peek(self, name: str) -> Session:
        """See `SessionStore.peek`."""
        held = self._held.get(name)
        return Session.begin(self._world, check_session_name(name), self._seed) if held is None else held.session

    async def put(self, session: Session) -> None:
        """See `SessionStore.put`."""
        async with self.lease(session.name, alone=True):
            self._held[session.name].session = session

    @property
    def names(self) -> tuple[str, ...]:
        """See `SessionStore.names`."""
        return tuple(self._held)

    def _begin(self, name: str) -> _Held:
        check_session_name(name)
        if len(self._held) >= self._max_sessions:
            self._drop_idle()
        return _Held(Session.begin(self._world, name, self._seed), anyio.current_time())

    def _drop_idle(self) -> None:
        oldest = next((name for name, held in self._held.items() if held.lock.is_free), None)
        if oldest is None or anyio.current_time() - self._held[oldest].last_used < self._idle_seconds:
            raise SessionStoreError(
                f"There are {len(self._held)} sessions already and none has been idle for {self._idle_seconds:g} seconds: "
                "use fewer session names, or raise --max-sessions."
            )
        logger.warning("session %r was idle and has made room for a new one; a kept session (--session) is never dropped", oldest)
        del self._held[oldest]
