"""Ways to a real server: a command that is started, or a URL."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from mcp_sim.protocol.client.asking import Asking
from mcp_sim.protocol.client.http_wire import HttpWire, client_with
from mcp_sim.protocol.client.stdio_wire import started


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Starts a server and speaks over its pipes; its standard error is ours."""

    command: Sequence[str]
    environment: Mapping[str, str]

    async def open(self, stack: AsyncExitStack) -> Asking:
        """See `Line.open`."""
        asking = Asking(await stack.enter_async_context(started(self.command, self.environment, None, sys.__stderr__ or sys.stderr)))
        await asking.greet()
        return asking


@dataclass(frozen=True, slots=True)
class UrlLine:
    """Speaks streamable HTTP with a server at a URL."""

    url: str
    headers: Mapping[str, str]
    timeout_seconds: float = 60.0

    async def open(self, stack: AsyncExitStack) -> Asking:
        """See `Line.open`."""
        client = await stack.enter_async_context(client_with(self.headers, self.timeout_seconds))
        asking = Asking(HttpWire(client, self.url))
        await asking.greet()
        return asking
