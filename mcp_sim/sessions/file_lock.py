"""Locks between processes, let go of by the system when a process dies."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import portalocker
from portalocker import LockFlags

from mcp_sim.errors import SessionStoreError

_FIRST_PAUSE_SECONDS = 0.001
_LONGEST_PAUSE_SECONDS = 0.05


@asynccontextmanager
async def hold(path: Path, *, alone: bool) -> AsyncIterator[None]:
    """Hold a lock file for the length of the block: shared, or alone.

    Whoever waits to be alone keeps later ones out at a second file, so that nobody starves.

    Raises:
        SessionStoreError: the lock file cannot be made.
    """
    kind = LockFlags.EXCLUSIVE if alone else LockFlags.SHARED
    turn = await _acquire(path.with_name(f"{path.name}.turn"), kind)
    try:
        lock = await _acquire(path.with_name(f"{path.name}.lock"), kind)
    finally:
        os.close(turn)
    try:
        yield
    finally:
        os.close(lock)


@contextmanager
def hold_briefly(descriptor: int) -> Iterator[None]:
    """Hold an open file alone for the length of the block. It blocks the thread: only for the moment of a read or an append."""
    portalocker.lock(descriptor, LockFlags.EXCLUSIVE)
    try:
        yield
    finally:
        portalocker.unlock(descriptor)


async def _acquire(path: Path, kind: LockFlags) -> int:
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


def _open(path: Path) -> int:
    try:
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SessionStoreError(f"{path}: {error.strerror or error}. Mend its permissions, or name another data directory.") from error


def _lock(descriptor: int, kind: LockFlags) -> bool:
    try:
        portalocker.lock(descriptor, kind | LockFlags.NON_BLOCKING)
    except portalocker.LockException:
        return False
    return True
