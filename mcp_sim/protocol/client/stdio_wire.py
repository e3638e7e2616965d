"""A server that is started here and spoken to over its standard input and output."""

import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, Any

import anyio
from anyio.abc import Process
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.os.win32.utilities import create_windows_process, get_windows_executable_command, terminate_windows_process_tree

from mcp_sim.core.canonical import JSON
from mcp_sim.protocol.client.wire import MAX_BYTES, NO_HEADERS, WireError, read_message

GRACE_SECONDS = 2.0
"""How long a server may take to end after its standard input was closed, and again after it was told to."""

_NOISE_CHARACTERS = 10_000
_GONE = (OSError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


class StdioWire:
    """A wire to a child process. `noise` is the first line of its standard output that was no message."""

    def __init__(self, process: Any) -> None:
        self._process = process
        self._buffer = bytearray()
        self.noise: str | None = None

    async def exchange(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> AsyncIterator[dict[str, JSON]]:
        """See `Wire.exchange`; headers have no place here."""
        await self.tell(message)
        while (line := await self._line()) is not None:
            found = read_message(line)
            if found is not None:
                yield found
            elif line.strip() and self.noise is None:
                self.noise = line.decode("utf-8", "replace").strip()[:_NOISE_CHARACTERS]

    async def tell(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> None:
        """See `Wire.tell`."""
        with suppress(*_GONE):  # whoever reads will see that it has ended
            await self._process.stdin.send(json.dumps(message).encode() + b"\n")

    async def _line(self) -> bytes | None:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > MAX_BYTES:
                raise WireError(f"it sent more than {MAX_BYTES // 2**20} MB without a line's end")
            try:
                self._buffer += await self._process.stdout.receive()
            except _GONE:
                return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line


@asynccontextmanager
async def started(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None, log: IO[Any], grace_seconds: float = GRACE_SECONDS
) -> AsyncIterator[StdioWire]:
    """Start a server for the length of the block. It and all that it started are ended with it, whatever happens: at most three times
    `grace_seconds` later.

    Raises:
        WireError: it cannot be started.
    """
    try:
        process = await _start(command, dict(environment), folder, log)
    except (OSError, ValueError) as error:
        raise WireError(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from error
    try:
        yield StdioWire(process)
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process, grace_seconds)


async def _start(command: Sequence[str], environment: dict[str, str], folder: Path | None, log: IO[Any]) -> Any:
    if sys.platform == "win32":
        return await create_windows_process(get_windows_executable_command(command[0]), list(command[1:]), environment, log, folder)
    # why: a group of its own, so that what npx or a shell starts can be ended with it
    return await anyio.open_process(list(command), env=environment, stderr=log, cwd=folder, start_new_session=True)


async def _end(process: Any, grace_seconds: float) -> None:
    with suppress(*_GONE):
        await process.stdin.aclose()
    with anyio.move_on_after(grace_seconds):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_drain, process)  # one that still writes cannot see that its input has ended
            while process.returncode is None:  # noqa: ASYNC110 - `wait` also waits for whoever holds the pipes
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
    if isinstance(process, Process) and sys.platform != "win32":
        await terminate_posix_process_tree(process, grace_seconds)  # also when it ended by itself: its children may not have
        with anyio.move_on_after(grace_seconds), suppress(ProcessLookupError, PermissionError):
            while True:
                if process.returncode is not None:
                    os.killpg(process.pid, 0)  # raises once nobody of the group is left
                await anyio.sleep(0.01)
    elif process.returncode is None:
        await terminate_windows_process_tree(process)
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:  # why: a grandchild that left the group may hold a pipe, and asyncio would wait for it
        transport.close()


async def _drain(process: Any) -> None:
    with suppress(*_GONE):
        while True:
            await process.stdout.receive()
