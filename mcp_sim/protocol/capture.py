"""What a real server offers, each list exactly as it sends it. Nothing is called, read or got."""

import re
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Any

import anyio
import mcp_types as types

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.protocol.client.asking import Asking, RefusedError
from mcp_sim.protocol.client.http_wire import HttpWire, client_with, listening
from mcp_sim.protocol.client.stdio_wire import StdioWire, started
from mcp_sim.protocol.client.wire import CredentialsError, NotSpokenError, Wire

_LISTS = {
    "resources": (("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")),
    "prompts": (("prompts/list", "prompts"),),
}
"""The lists beside the tools, by the capability that says they are there: method, and key of the result."""

_LOG_BYTES = 64 * 1024
_SAID_CHARACTERS = 600
_NOISE_CHARACTERS = 80
_GRACE_SECONDS = 0.5
"""Nothing was asked of the server but lists, so there is nothing that it has to finish."""
_CREDENTIALS = re.compile(r"api[ _-]?key|token|credential|unauthori[sz]ed|forbidden|authenticat|log ?in\b|password|secret|\b40[13]\b", re.I)
_USAGE = re.compile(
    r"\b(unknown|unrecogni[sz]ed|invalid|bad|illegal|unexpected|unsupported|no such) (command[- ]line )?(option|argument|flag|switch)", re.I
)


@dataclass(frozen=True, slots=True)
class Captured:
    """What a server told: its `initialize` or `server/discover` result, its tools, and its other lists by method, each as sent.

    `notices` say which lists it has and would not give.
    """

    server: dict[str, JSON]
    tools: dict[str, JSON]
    lists: dict[str, dict[str, JSON]]
    notices: tuple[str, ...] = ()


async def capture_command(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path | None = None,
    timeout_seconds: float = 60.0,
    conceal: Callable[[str], str] = str,
) -> Captured:
    """Start the server, ask for its lists, and end it with all that it started. `conceal` takes secrets out of what it printed.

    Raises:
        SetupError: it does not start, does not answer in time, or refuses; the message holds the end of its standard error.
    """
    with tempfile.TemporaryFile("w+b") as log:
        wires: list[StdioWire] = []
        try:
            async with _in_time(timeout_seconds), started(command, environment, folder, log, _GRACE_SECONDS) as wire:
                wires.append(wire)
                return await _capture(wire)
        except SetupError as error:
            reason = str(error)
        if wires and wires[0].noise:
            reason += f"; its standard output held {conceal(wires[0].noise)[:_NOISE_CHARACTERS]!r}, which is no message"
        said = _tail(log, conceal)
    hint = _hint(reason + said, "in its environment")
    raise SetupError(f"{reason.rstrip('.')}.{hint}" + (f" It said: {said}" if said else ""))


async def capture_url(url: str, *, headers: Mapping[str, str], timeout_seconds: float = 60.0) -> Captured:
    """Ask the server at a URL for its lists, over streamable HTTP, or over the older event stream where it does not speak that.

    Raises:
        SetupError: it cannot be reached, does not answer in time, wants credentials, or refuses.
    """
    try:
        async with _in_time(timeout_seconds), client_with(headers, timeout_seconds) as client:
            try:
                return await _capture(HttpWire(client, url))
            except NotSpokenError as error:
                not_spoken = error
            try:
                async with listening(client, url) as wire:
                    return await _capture(wire)
            except NotSpokenError:
                raise not_spoken from None
    except CredentialsError as error:
        raise SetupError(
            f"{str(error).rstrip('.')}. Give them with --header 'Authorization: Bearer ...', or as its manual says."
        ) from error
    except SetupError as error:
        raise SetupError(f"{str(error).rstrip('.')}.{_hint(str(error), 'with --header')}") from error


@asynccontextmanager
async def _in_time(timeout_seconds: float) -> AsyncIterator[None]:
    with anyio.move_on_after(timeout_seconds) as scope:
        yield
    if scope.cancelled_caught:
        raise SetupError(f"it did not answer within {timeout_seconds:g} seconds")


async def _capture(wire: Wire) -> Captured:
    asking = Asking(wire)
    server = await asking.greet()
    capabilities: Any = server.get("capabilities")
    offered = capabilities if isinstance(capabilities, dict) else {}
    try:
        tools = await asking.list_all("tools/list", "tools")
    except RefusedError as error:
        if error.code != types.METHOD_NOT_FOUND or "tools" in offered:
            raise
        tools = {"tools": []}
    if not isinstance(tools.get("tools"), list):
        raise SetupError("its tools/list result holds no list of tools")
    lists: dict[str, dict[str, JSON]] = {}
    notices: list[str] = []
    for method, key in (pair for capability, pairs in _LISTS.items() if capability in offered for pair in pairs):
        try:
            lists[method] = await asking.list_all(method, key)
        except RefusedError as error:
            if error.code != types.METHOD_NOT_FOUND:
                notices.append(f"{method} is left out: {error}.")
    if isinstance(wire, HttpWire):
        await wire.end(asking.headers)
    return Captured(server, tools, lists, tuple(notices))


def _tail(log: IO[bytes], conceal: Callable[[str], str]) -> str:
    """Return the last that was said, whole words of it, and a line that was said again and again once."""
    size = log.seek(0, 2)
    log.seek(max(0, size - _LOG_BYTES))
    text = log.read().decode("utf-8", "replace")
    if size > _LOG_BYTES:  # why: half a line may begin with half a secret
        text = text.partition("\n")[2]
    lines = [(line, sum(1 for _ in same)) for line, same in groupby(conceal(text).strip().splitlines())]
    text = "\n".join(f"{line} ({count} times)" if count > 1 and line.strip() else line for line, count in lines)
    text = "".join(character for character in text if character.isprintable() or character == "\n")
    if len(text) <= _SAID_CHARACTERS:
        return text
    start = re.compile(r"\s").search(text, len(text) - _SAID_CHARACTERS)
    return "... " + text[start.end() if start else -_SAID_CHARACTERS :].strip()


def _hint(evidence: str, where: str) -> str:
    if _USAGE.search(evidence):
        return " It does not know an option that it was given: see its own --help."
    if not _CREDENTIALS.search(evidence):
        return ""
    return f" It seems to need credentials even to list what it offers: give them {where} (they are not kept)."
