"""Locks between processes, let go of by the system when a process dies."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import portalocker
from portalocker import LockFlags

from mcp_sim.errors import SessionStoreError

_FIRST_PAUSE_SECONDS = 0.001
_LONGEST_PAUSE_SECONDS = 0.05


class FileLock:
    """A lock between processes, shared or alone, as a pair of files beside each other.

    Whoever waits to be alone keeps later ones out at the second file, so that nobody starves.
    """

    def __init__(self, path: Path) -> None:
        self._lock_file = f"{path}.lock"  # texts, since a path object is made into one again at each call
        self._turn_file = f"{path}.turn"

    @asynccontextmanager
    async def hold(self, *, alone: bool) -> AsyncIterator[None]:
        """Hold the lock for the length of the block.

        Raises:
            SessionStoreError: a lock file cannot be made.
        """
        kind = LockFlags.EXCLUSIVE if alone else LockFlags.SHARED
        turn = await _acquire(self._turn_file, kind)
        try:
            lock = await _acquire(self._lock_file, kind)
        finally:
            os.close(turn)
        try:
            yield
        finally:
            os.close(lock)


def lock_until_closed(descriptor: int) -> None:
    """Hold an open file alone until it is closed. It blocks the thread: only for the moment of a read or an append."""
    portalocker.lock(descriptor, LockFlags.EXCLUSIVE)


async def _acquire(path: str, kind: LockFlags) -> int:
    descriptor = _open(path)
    pause_seconds = _FIRST_PAUSE_SECONDS
    try:
        while not _lock(descriptor, kind):
            await anyio.sleep(pause_seconds)
            pause_seconds = min(pause_seconds * 2, _LONGEST_PAUSE_SECONDS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open(path: str) -> int:
    try:
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SessionStoreError(f"{path}: {error.strerror or error}. Mend its permissions, or name another data directory.") from error


def _lock(descriptor: int, kind: LockFlags) -> bool:
    try:
        portalocker.lock(descriptor, kind | LockFlags.NON_BLOCKING)
    except portalocker.LockException:
        return False
    return True
