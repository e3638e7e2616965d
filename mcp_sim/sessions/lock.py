"""A fair lock for tasks: readers side by side, a writer alone, in the order of asking."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio


@dataclass(slots=True, eq=False)
class _Waiter:
    alone: bool
    granted: anyio.Event = field(default_factory=anyio.Event)


class ReadWriteLock:
    """First come, first served: a reader that arrives after a waiting writer waits for it, so nobody starves."""

    def __init__(self) -> None:
        self._holders = 0
        self._writing = False
        self._queue: deque[_Waiter] = deque()

    @property
    def is_free(self) -> bool:
        """Whether nobody holds it or waits for it."""
        return not self._holders and not self._queue

    @asynccontextmanager
    async def hold(self, *, alone: bool) -> AsyncIterator[None]:
        """Hold the lock for the length of the block; `alone` for a writer. A task cancelled while it waits leaves no trace."""
        if self._queue or not self._admits(alone):
            await self._wait(alone)
        else:
            self._enter(alone)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, alone: bool) -> None:
        waiter = _Waiter(alone)
        self._queue.append(waiter)
        try:
            await waiter.granted.wait()
        except BaseException:
            if waiter.granted.is_set():
                self._leave()
            else:
                self._queue.remove(waiter)
                self._admit_waiting()
            raise

    def _admits(self, alone: bool) -> bool:
        return not self._holders or not (alone or self._writing)

    def _enter(self, alone: bool) -> None:
        self._holders += 1
        self._writing = alone

    def _leave(self) -> None:
        self._holders -= 1
        self._writing = False
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        while self._queue and self._admits(self._queue[0].alone):
            waiter = self._queue.popleft()
            self._enter(waiter.alone)
            waiter.granted.set()
