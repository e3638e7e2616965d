"""One session in a file, all others in memory."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from mcp_sim.core.session import Session
from mcp_sim.sessions.store import Lease, SessionStore


@dataclass(frozen=True, slots=True)
class OneKept:
    """Lends the session of one name from one store and all others from another, so that no client can fill the disk with names."""

    name: str
    kept: SessionStore
    others: SessionStore

    def lease(self, name: str, *, alone: bool) -> AbstractAsyncContextManager[Lease]:
        """See `SessionStore.lease`."""
        return self._store(name).lease(name, alone=alone)

    def peek(self, name: str) -> Session:
        """See `SessionStore.peek`."""
        return self._store(name).peek(name)

    async def put(self, session: Session) -> None:
        """See `SessionStore.put`."""
        await self._store(session.name).put(session)

    @property
    def names(self) -> tuple[str, ...]:
        """See `SessionStore.names`."""
        return (*self.kept.names, *self.others.names)

    def _store(self, name: str) -> SessionStore:
        return self.kept if name == self.name else self.others
