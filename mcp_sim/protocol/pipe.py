"""Serving to subprocesses that believe they start a stdio server: each connects back to this process, so that all share its sessions."""

import hmac
import secrets
import socket
import sys
from contextlib import suppress
from typing import Self

import anyio
from anyio.abc import SocketListener, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import StdioServerParameters

from mcp_sim.protocol.pump import VARIABLE
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.protocol.stdio import serve_stdio

_LONGEST_LINE_BYTES = 64 * 1024 * 1024
_LONGEST_PASSWORD_BYTES = 200
_CLOSED = (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.DelimiterNotFound)


class Pipe:
    """A local socket, and the command that leads to it."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._password = secrets.token_hex(16)

    @property
    def command(self) -> StdioServerParameters:
        """The command, arguments and environment of the stdio server."""
        host, port = self._listener.getsockname()[:2]
        where = f"{host}:{port}:{self._password}"
        return StdioServerParameters(command=sys.executable, args=["-m", "mcp_sim.protocol.pump"], env={VARIABLE: where})

    async def serve(self, simulated: SimulatedServer) -> None:
        """Serve every process that connects, until cancelled."""

        async def serve_one(stream: SocketStream) -> None:
            async with stream:
                lines = _Lines(stream)
                with suppress(*_CLOSED):
                    if hmac.compare_digest(await lines.read(_LONGEST_PASSWORD_BYTES), self._password.encode()):
                        await serve_stdio(simulated, lines, lines)

        async with await SocketListener.from_socket(self._listener) as listener:
            await listener.serve(serve_one)


class _Lines:
    """A socket as the asynchronous text file that the SDK reads from and writes to."""

    def __init__(self, stream: SocketStream) -> None:
        self._stream = stream
        self._buffered = BufferedByteReceiveStream(stream)

    async def read(self, most_bytes: int) -> bytes:
        """Return one line."""
        return await self._buffered.receive_until(b"\n", most_bytes)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        try:
            return (await self.read(_LONGEST_LINE_BYTES)).decode(errors="replace")
        except _CLOSED:
            raise StopAsyncIteration from None

    async def write(self, text: str) -> None:
        """Send a text; a client that has gone does not mind."""
        with suppress(*_CLOSED):
            await self._stream.send(text.encode())

    async def flush(self) -> None:
        """Do nothing: what is written is sent."""
