"""Serving over standard input and output."""

import re
from contextlib import nullcontext
from types import TracebackType
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mcp_sim.protocol.pending import Pending, Replies
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.protocol.standard_streams import standard_streams

LAST_ANSWERS_SECONDS = 60
"""How long what was asked may still be answered after the client has ended its input."""

_Item = SessionMessage | Exception
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_ID_VALUE = re.compile(r'\s*:\s*(?:(-?[0-9]{1,18})(?![0-9.eE])|"([^"\\]{0,200})")')


async def serve_stdio(simulated: SimulatedServer, stdin: Any = None, stdout: Any = None) -> None:
    """Serve until standard input (or `stdin`, with `stdout` an asynchronous text file) ends and what was asked is answered.

    Standard output carries messages only: stray prints go to standard error.
    """
    server = simulated.build()
    pending = Pending()
    with standard_streams() if stdin is None else nullcontext((stdin, stdout)) as (lines_in, lines_out):
        async with stdio_server(lines_in, lines_out) as (read_stream, write_stream):
            replies = Replies(write_stream, pending)
            await server.run(_Requests(read_stream, replies, pending), replies, server.create_initialization_options())


class _Requests:
    """A read stream that answers requests which the SDK cannot read (nested too deep, say) and would pass over in silence.

    It ends once all that was asked before is answered; the SDK would drop that.
    """

    def __init__(self, inner: ReadStream[_Item], replies: WriteStream[SessionMessage], pending: Pending) -> None:
        self._inner = inner
        self._replies = replies
        self._pending = pending

    @property
    def last_context(self) -> Any:
        """The sender's context of the last item, as the SDK's streams have it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> _Item:
        try:
            return await self._answered(await self._inner.receive())
        except anyio.EndOfStream:
            await self._settle()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> _Item:
        try:
            return await self._answered(await self._inner.__anext__())
        except StopAsyncIteration:
            await self._settle()
            raise

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)

    async def _settle(self) -> None:
        with anyio.move_on_after(LAST_ANSWERS_SECONDS):
            await self._pending.settle()

    async def _answered(self, item: _Item) -> _Item:
        if isinstance(item, SessionMessage):
            self._pending.take_in(item.message)
        if isinstance(item, ValidationError):
            reply = refuse_unreadable(item)
            if reply is not None:
                await self._replies.send(SessionMessage(reply))
        return item


def refuse_unreadable(error: ValidationError) -> types.JSONRPCError | None:
    """Return the answer to a line that is no message, with the id of the request where one can be found; `None` to a blank line."""
    first = error.errors(include_url=False)[0]
    line = first.get("input")
    if not isinstance(line, str) or first["type"] != "json_invalid":  # JSON, but no message of JSON-RPC
        reason = "Invalid request: this is no JSON-RPC message. Its id must be a text or a whole number."
        return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=types.INVALID_REQUEST, message=reason))
    if not line.strip():
        return None
    reason = first["msg"].removeprefix("Invalid JSON: ")
    message = f"Parse error: {reason}. Send plain JSON nested less than 190 deep."
    return types.JSONRPCError(jsonrpc="2.0", id=find_request_id(line), error=types.ErrorData(code=types.PARSE_ERROR, message=message))


def find_request_id(line: str) -> str | int | None:
    """Return the `id` of a JSON-RPC request without parsing the rest, which may be nested deeper than any parser goes."""
    depth = 0
    for token in _TOKEN.finditer(line):
        text = token.group()
        if text in "{[":
            depth += 1
        elif text in "}]":
            depth -= 1
        elif depth == 1 and text == '"id"':
            value = _ID_VALUE.match(line, token.end())
            if value:
                return int(value[1]) if value[1] is not None else value[2]
    return None
