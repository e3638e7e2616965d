"""The requests that a client still waits for."""

from types import TracebackType
from typing import Self

import anyio
import mcp_types as types
from mcp.shared._stream_protocols import WriteStream
from mcp.shared.message import SessionMessage


class Pending:
    """Requests that were read and not answered yet. A cancelled one gets no answer, so nobody waits for it."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._answered = anyio.Event()

    def take_in(self, message: types.JSONRPCMessage) -> None:
        """Take note of a message from the client."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._discard((message.params or {}).get("requestId"))

    def send_off(self, message: types.JSONRPCMessage) -> None:
        """Take note of a message to the client."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._discard(message.id)

    def _discard(self, request_id: object) -> None:
        if isinstance(request_id, str | int):
            self._ids.discard(request_id)
        self._answered.set()

    async def settle(self) -> None:
        """Wait until there are none."""
        while self._ids:
            self._answered = anyio.Event()
            await self._answered.wait()


class Replies:
    """A write stream that tells what it has sent."""

    def __init__(self, inner: WriteStream[SessionMessage], pending: Pending) -> None:
        self._inner = inner
        self._pending = pending

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message to the client."""
        await self._inner.send(item)
        self._pending.send_off(item.message)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)
