"""Between a client's pipes and those of a server: every byte goes on as it came, and is read only then."""

import os
import signal
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import anyio
from anyio.abc import Process

from mcp_sim.errors import SetupError
from mcp_sim.protocol.recording.aside import Aside
from mcp_sim.protocol.recording.byte_lines import ByteLines

GRACE_SECONDS = 2.0
"""How long the server may take to end once it was told to."""
QUIET_SECONDS = 10.0
"""After the client has ended its input: how long the server may stay without a word before it is told to end."""

_CHUNK_BYTES = 65_536
_PIPE_BYTES = 4_096  # a pipe that is ready takes as much without blocking
_GONE = (OSError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)

Hear = Callable[[bytes], None]


async def forward(
    command: Sequence[str], environment: Mapping[str, str], *, client_said: Hear, server_said: Hear, source: int = 0, target: int = 1
) -> int:
    """Start the server, let it talk with whoever is at `source` and `target`, and return its exit code as a shell has it.

    Each line is told to `client_said` or `server_said` in a pause after it was passed on. Standard error is the server's own.
    The server and all that it started are ended with the client, and when this process is told to end.

    Raises:
        SetupError: it cannot be started.
    """
    try:
        process = await anyio.open_process(list(command), stderr=None, env=dict(environment), start_new_session=sys.platform != "win32")
    except (OSError, ValueError) as error:
        raise SetupError(f"{command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}.") from error
    aside = Aside()
    proxy = _Proxy(process, source, target, aside)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(aside.run)
            tasks.start_soon(proxy.pass_up, client_said)
            tasks.start_soon(proxy.pass_down, server_said)
            tasks.start_soon(proxy.end_on_signal)
            await proxy.wait()
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await proxy.end()
        aside.finish()
    code = process.returncode or 0
    return 128 - code if code < 0 else code


class _Proxy:
    def __init__(self, process: Process, source: int, target: int, aside: Aside) -> None:
        self._process = process
        self._aside = aside
        self._source, self._target = source, target
        self._is_drained = anyio.Event()
        self._last_word = 0.0

    async def pass_up(self, hear: Hear) -> None:
        """From the client to the server, until the client ends its input; then the server's ends too."""
        assert self._process.stdin is not None
        lines = ByteLines()
        with suppress(*_GONE):
            while chunk := await _read(self._source):
                await self._process.stdin.send(chunk)
                for line in lines.feed(chunk):
                    self._aside.tell(hear, line)
        with suppress(*_GONE):
            await self._process.stdin.aclose()
        await self._end_when_quiet()

    async def pass_down(self, hear: Hear) -> None:
        """From the server to the client, until the server ends."""
        assert self._process.stdout is not None
        lines = ByteLines()
        with suppress(*_GONE):
            while True:
                chunk = await self._process.stdout.receive(_CHUNK_BYTES)
                await _write(self._target, chunk)
                self._last_word = anyio.current_time()
                for line in lines.feed(chunk):
                    self._aside.tell(hear, line)
        self._is_drained.set()

    async def wait(self) -> None:
        """Wait until the server has ended and its last words are passed on."""
        while self._process.returncode is None:  # noqa: ASYNC110 - `wait` also waits for whoever holds the pipes
            await anyio.sleep(0.01)
        with anyio.move_on_after(GRACE_SECONDS):
            await self._is_drained.wait()

    async def end_on_signal(self) -> None:
        """Tell the server to end when this process is told to."""
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for received in signals:
                self._signal(received)
                with anyio.move_on_after(GRACE_SECONDS):
                    await anyio.sleep_forever()
                self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    async def end(self) -> None:
        """End the server and all that it started."""
        if sys.platform == "win32":
            if self._process.returncode is None:
                self._process.terminate()
            return
        self._signal(signal.SIGTERM)
        with anyio.move_on_after(GRACE_SECONDS):
            while _group_lives(self._process.pid):  # noqa: ASYNC110 - a group of processes has no event
                await anyio.sleep(0.01)
        self._signal(signal.SIGKILL)
        with anyio.move_on_after(GRACE_SECONDS):
            while self._process.returncode is None:  # noqa: ASYNC110
                await anyio.sleep(0.01)

    async def _end_when_quiet(self) -> None:
        self._last_word = anyio.current_time()
        while (left := self._last_word + QUIET_SECONDS - anyio.current_time()) > 0:  # noqa: ASYNC110 - silence has no event
            await anyio.sleep(left)
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.send_signal(signal.Signals(number))
            else:
                os.killpg(self._process.pid, number)  # the process leads a group of its own


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _read(descriptor: int) -> bytes:
    if _can_be_waited_for(descriptor):
        await anyio.wait_readable(descriptor)
        return os.read(descriptor, _CHUNK_BYTES)
    return await anyio.to_thread.run_sync(os.read, descriptor, _CHUNK_BYTES, abandon_on_cancel=True)


async def _write(descriptor: int, chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        if _can_be_waited_for(descriptor):
            await anyio.wait_writable(descriptor)
            written = os.write(descriptor, view[:_PIPE_BYTES])
        else:
            written = await anyio.to_thread.run_sync(os.write, descriptor, view)
        view = view[written:]


def _can_be_waited_for(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor))
