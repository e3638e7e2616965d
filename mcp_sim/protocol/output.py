"""Standard output for messages: one change of thread for each."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio.to_thread


class Output:
    """Standard output as the asynchronous text file that the SDK writes to.

    What is written leaves at the flush, from another thread and at once. The SDK's own goes to another thread for writing into a
    buffer and then for emptying it, and each of these ways costs as much as answering a call.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._written = ""

    async def write(self, text: str) -> None:
        """Keep a text until the flush."""
        self._written += text

    async def flush(self) -> None:
        """Send what was written."""
        data, self._written = self._written.encode(), ""
        await anyio.to_thread.run_sync(_send, self._descriptor, data)


def _send(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextmanager
def standard_output() -> Iterator[Any]:
    """Lend standard output; what prints meanwhile prints to standard error. `None` where that is better left to the SDK."""
    wire = _beside_output()
    if wire is None:
        yield None
        return
    os.dup2(2, 1)
    try:
        yield Output(wire)
    finally:
        os.dup2(wire, 1)
        os.close(wire)


def _beside_output() -> int | None:
    """Return another descriptor of standard output; `None` on Windows, and where one of the three standard ones is missing or replaced."""
    try:
        if sys.platform == "win32" or sys.stdout.fileno() != 1:
            return None
        wire = os.dup(1)
    except (AttributeError, OSError):
        return None
    if wire > 2:
        return wire
    os.close(wire)
    return None
