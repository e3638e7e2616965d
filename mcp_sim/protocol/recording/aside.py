"""Work that is done in the pauses of a conversation, so that nobody in it waits for it."""

from collections import deque
from collections.abc import Callable

import anyio
import anyio.lowlevel

PAUSE_SECONDS = 0.002
"""How long nobody must have spoken before work begins."""
LATEST_SECONDS = 0.1
"""After this long it is done although they speak."""
_MOST_WAITING = 2_000
_MOST_WAITING_BYTES = 64 * 1024 * 1024


class Aside:
    """Tells a listener what it is to hear, in order: in the next pause, or a moment later if there is none."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[float, Callable[[bytes], None], bytes]] = deque()
        self._waiting_bytes = 0
        self._last = 0.0
        self._arrived = anyio.Event()

    def tell(self, listener: Callable[[bytes], None], line: bytes) -> None:
        """Let the listener hear the line later; at once, if too much waits already."""
        self._last = anyio.current_time()
        self._waiting.append((self._last, listener, line))
        self._waiting_bytes += len(line)
        self._arrived.set()
        while len(self._waiting) > _MOST_WAITING or self._waiting_bytes > _MOST_WAITING_BYTES:
            self._next()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived = anyio.Event()
            while self._waiting:
                now = anyio.current_time()
                if now - self._last < PAUSE_SECONDS and now - self._waiting[0][0] < LATEST_SECONDS:
                    await anyio.sleep(PAUSE_SECONDS)
                else:
                    self._next()
                    await anyio.lowlevel.checkpoint()  # whoever speaks goes first

    def finish(self) -> None:
        """Do what is left."""
        while self._waiting:
            self._next()

    def _next(self) -> None:
        _, listener, line = self._waiting.popleft()
        self._waiting_bytes -= len(line)
        listener(line)
