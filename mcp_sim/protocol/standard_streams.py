"""Standard input and output for messages, without the changes of thread that the SDK makes for each.

The SDK reads a line, writes into a buffer and empties it in another thread, and each of these ways costs as much as answering a call.
"""

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import anyio
import anyio.to_thread

_CHUNK_BYTES = 65_536


class Input:
    """A pipe or socket as the asynchronous text file that the SDK reads lines from."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            await anyio.wait_readable(self._descriptor)
            read = os.read(self._descriptor, _CHUNK_BYTES)
            self._buffer += read
            if not read:
                end = len(self._buffer) - 1
                break
        if end < 0:
            raise StopAsyncIteration
        line = self._buffer[: end + 1].decode(errors="replace")
        del self._buffer[: end + 1]
        return line


class Output:
    """A descriptor as the asynchronous text file that the SDK writes to. What is written leaves at the flush, at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._written = ""
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Keep a text until the flush."""
        self._written += text

    async def flush(self) -> None:
        """Send what was written: at once what the other side has room for, the rest in another thread."""
        rest, self._written = memoryview(self._written.encode()), ""
        with suppress(BlockingIOError):
            while rest and self._ready.poll(0):
                rest = rest[os.write(self._descriptor, rest[: select.PIPE_BUF]) :]  # so much does not block where there is room
        if rest:
            await anyio.to_thread.run_sync(_send, self._descriptor, rest)


def _send(descriptor: int, rest: memoryview) -> None:
    ready = select.poll()
    ready.register(descriptor, select.POLLOUT)
    while rest:
        ready.poll()
        with suppress(BlockingIOError):  # the other side may have set it not to block, and has no room for so much at once
            rest = rest[os.write(descriptor, rest) :]


@contextmanager
def standard_streams() -> Iterator[tuple[Any, Any]]:
    """Lend standard input and output: meanwhile others read nothing, and what they print goes to standard error.

    Both are `None` where they are better left to the SDK: on Windows, and where they are missing, replaced, or no pipes or sockets.
    """
    if sys.platform == "win32" or not (_can_wait(sys.stdin, 0) and _can_wait(sys.stdout, 1) and _is_open(2)):
        yield None, None
        return
    stdin, stdout, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        yield Input(stdin), Output(stdout)
    finally:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        for descriptor in (stdin, stdout, nothing):
            os.close(descriptor)


def _can_wait(stream: Any, descriptor: int) -> bool:
    try:
        kind = os.fstat(descriptor).st_mode
        return stream.fileno() == descriptor and (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind))
    except (AttributeError, OSError, ValueError):
        return False


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
