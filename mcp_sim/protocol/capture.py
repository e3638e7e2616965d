"""A client that asks a real server what it offers, and keeps every key of the answers."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import mcp_types as types
from mcp import StdioServerParameters, stdio_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from mcp_sim import __version__
from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError

MAX_PAGES = 1_000
_LOG_CHARACTERS = 600
_NOISE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Captured:
    """What a server told: its `initialize` result and all its tools, each as sent."""

    initialize: dict[str, JSON]
    tools: list[JSON]


async def capture_stdio(command: Sequence[str], *, environment: Mapping[str, str], timeout_seconds: float = 60.0) -> Captured:
    """Start the server, ask for its tools, and end it. No tool is called.

    Raises:
        SetupError: it does not start, does not answer in time, or refuses; the message holds the end of its standard error.
    """
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(environment))
    noise: list[str] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            with anyio.fail_after(timeout_seconds):
                async with stdio_client(parameters, errlog=log) as (read_stream, write_stream):
                    asking = _Asking(read_stream, write_stream, noise)
                    return await asking.capture()
        except* SetupError as group:
            reason = str(_first(group))
        except* TimeoutError:
            reason = f"it did not answer within {timeout_seconds:g} seconds"
        except* OSError as group:
            reason = f"it cannot be started: {_first(group)}"
        log.seek(0)
        said = log.read()[-_LOG_CHARACTERS:].strip()
    if noise:
        reason += f"; its standard output held {noise[0]!r}, which is no message"
    raise SetupError(f"{' '.join(command)}: {reason}." + (f" It said: {said}" if said else ""))


class _Asking:
    """One client on raw streams: the SDK's own client would drop keys that its models do not know."""

    def __init__(
        self, read_stream: ReadStream[SessionMessage | Exception], write_stream: WriteStream[SessionMessage], noise: list[str]
    ) -> None:
        self._read_stream = read_stream
        self._write_stream = write_stream
        self._noise = noise  # gets the first line that is no message
        self._last_id = 0

    async def capture(self) -> Captured:
        hello = {
            "protocolVersion": LATEST_HANDSHAKE_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "mcp-sim", "version": __version__},
        }
        initialize = await self._ask("initialize", hello)
        notification = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
        await self._write_stream.send(SessionMessage(notification))
        tools: list[JSON] = []
        cursor: JSON = None
        for _ in range(MAX_PAGES):
            page = await self._ask("tools/list", {} if cursor is None else {"cursor": cursor})
            tools += page.get("tools") or []
            cursor = page.get("nextCursor")
            if cursor is None:
                return Captured(initialize, tools)
        raise SetupError(f"it sent more than {MAX_PAGES} pages of tools")

    async def _ask(self, method: str, params: dict[str, JSON]) -> dict[str, JSON]:
        self._last_id += 1
        request = types.JSONRPCRequest(jsonrpc="2.0", id=self._last_id, method=method, params=params)
        try:
            await self._write_stream.send(SessionMessage(request))
            async for item in self._read_stream:
                message = item.message if isinstance(item, SessionMessage) else None
                if isinstance(item, ValidationError) and not self._noise:
                    self._noise.append(_read_line(item))
                if isinstance(message, types.JSONRPCResponse) and message.id == self._last_id:
                    return message.result
                if isinstance(message, types.JSONRPCError) and message.id == self._last_id:
                    raise SetupError(f"it refused {method}: {message.error.message}")
                if isinstance(message, types.JSONRPCRequest):
                    await self._decline(message)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            pass
        raise SetupError(f"it ended before it answered {method}")

    async def _decline(self, request: types.JSONRPCRequest) -> None:
        """Answer what a server asks of its client: a ping is answered, all else refused, so that it does not wait."""
        if request.method == "ping":
            reply: Any = types.JSONRPCResponse(jsonrpc="2.0", id=request.id, result={})
        else:
            error = types.ErrorData(code=types.METHOD_NOT_FOUND, message="Method not found")
            reply = types.JSONRPCError(jsonrpc="2.0", id=request.id, error=error)
        await self._write_stream.send(SessionMessage(reply))


def _read_line(error: ValidationError) -> str:
    line = error.errors(include_url=False)[0]["input"]
    return str(line)[:_NOISE_CHARACTERS]


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
