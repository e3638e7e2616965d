"""The seam between the simulator and whoever keeps sessions."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


class Lease(Protocol):
    """A session lent for one call."""

    @property
    def session(self) -> Session:
        """The session as it was when the lease began."""
        ...

    def commit(self, transition: Transition) -> Transition:
        """Append the transition to the session as it is now, keep it, and return it with its turn.

        Raises:
            SessionStoreError: it could not be kept; the session is as it was.
        """
        ...


class SessionStore(Protocol):
    """Keeps sessions and lends them out."""

    def lease(self, name: str, *, alone: bool) -> AbstractAsyncContextManager[Lease]:
        """Lend the session of this name, begun if there is none. Leases that are not `alone` run side by side.

        Raises:
            SessionNameError: no session can have this name.
            SessionStoreError: the session cannot be read, or there are too many.
        """
        ...

    def peek(self, name: str) -> Session:
        """Return the session of this name as it is now, without waiting for calls that are under way; begun if there is none.

        Raises:
            SessionNameError: no session can have this name.
            SessionStoreError: the session cannot be read.
        """
        ...

    async def put(self, session: Session) -> None:
        """Let the session take the place of the one of its name, once no call is under way there.

        Raises:
            SessionNameError: no session can have this name.
            SessionStoreError: the session of this name is kept for good.
        """
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The sessions that were lent out."""
        ...
