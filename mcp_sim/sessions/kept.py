"""Sessions that are kept in files, shared by all processes that name them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import SessionStoreError
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.sessions.name import check_session_name


class _Lease:
    __slots__ = ("_alone", "_kept", "session")

    def __init__(self, kept: KeptSession, alone: bool) -> None:
        self._kept = kept
        self._alone = alone
        self.session: Session = kept.session

    def commit(self, transition: Transition) -> Transition:
        return self._kept.append(transition, alone=self._alone)


class KeptStore:
    """Keeps each session of a world as `<folder>/<name>.jsonl`, append-only.

    A lease holds a file lock, so that calls that change state take turns across processes, and reads what other processes have
    appended. A line is written before its call is answered: a killed process loses at most the call in flight, and with `fsync` a
    power cut loses no more. A torn last line is cut off when it is met, and reported in the log.
    """

    def __init__(self, world: World, folder: Path, *, seed: int | None = None, fsync: bool = False) -> None:
        self._world = world
        self._folder = folder
        self._seed = seed
        self._fsync = fsync
        self._kept: dict[str, KeptSession] = {}

    @asynccontextmanager
    async def lease(self, name: str, *, alone: bool) -> AsyncIterator[_Lease]:
        """See `SessionStore.lease`."""
        kept = self.open(name)
        async with kept.lock.hold(alone=alone), kept.file_lock.hold(alone=alone):
            kept.catch_up()
            yield _Lease(kept, alone)

    def peek(self, name: str) -> Session:
        """See `SessionStore.peek`."""
        kept = self.open(name)
        if (self._folder / f"{name}.jsonl").exists():
            kept.catch_up()
        return kept.session

    async def put(self, session: Session) -> None:
        """See `SessionStore.put`."""
        raise SessionStoreError(
            f"Session {session.name!r} is kept: what happened in it is never rewritten. Fork it, or name another session."
        )

    @property
    def names(self) -> tuple[str, ...]:
        """See `SessionStore.names`."""
        return tuple(self._kept)

    def open(self, name: str) -> KeptSession:
        """Return the session of this name as far as it has been read.

        Raises:
            SessionNameError: no session can have this name.
        """
        kept = self._kept.get(name)
        if kept is None:
            path = self._folder / f"{check_session_name(name)}.jsonl"
            kept = self._kept[name] = KeptSession(self._world, name, path, seed=self._seed, fsync=self._fsync)
        return kept
