"""One session in a file, all others in memory."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from mcp_sim.sessions.store import Lease, SessionStore


@dataclass(frozen=True, slots=True)
class OneKept:
    """Lends the session of one name from one store and all others from another, so that no client can fill the disk with names."""

    name: str
    kept: SessionStore
    others: SessionStore

    def lease(self, name: str, *, alone: bool) -> AbstractAsyncContextManager[Lease]:
        """See `SessionStore.lease`."""
        return (self.kept if name == self.name else self.others).lease(name, alone=alone)
