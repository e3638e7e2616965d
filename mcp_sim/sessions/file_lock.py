"""Locks between processes, let go of by the system when a process dies."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from mcp_sim.errors import SessionStoreError

if sys.platform == "win32":
    import portalocker  # its checks cost more than the lock itself, and a call takes three, so it serves only where there is no flock

    _REFUSED = portalocker.LockException
else:
    import fcntl

    _REFUSED = BlockingIOError

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
        turn = await _acquire(self._turn_file, alone)
        try:
            lock = await _acquire(self._lock_file, alone)
        finally:
            os.close(turn)
        try:
            yield
        finally:
            os.close(lock)


def lock_until_closed(descriptor: int) -> None:
    """Hold an open file alone until it is closed. It blocks the thread: only for the moment of a read or an append."""
    _lock(descriptor, alone=True, wait=True)


async def _acquire(path: str, alone: bool) -> int:
    descriptor = _open(path)
    pause_seconds = _FIRST_PAUSE_SECONDS
    try:
        while not _lock(descriptor, alone=alone, wait=False):
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


def _lock(descriptor: int, *, alone: bool, wait: bool) -> bool:
    """Lock the open file, and return whether that could be done; it is let go of when the file is closed."""
    try:
        if sys.platform == "win32":
            kind = portalocker.LockFlags.EXCLUSIVE if alone else portalocker.LockFlags.SHARED
            portalocker.lock(descriptor, kind if wait else kind | portalocker.LockFlags.NON_BLOCKING)
        else:
            kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
            fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)
    except _REFUSED:
        return False
    return True
