"""The ways into a world for agents in other processes, each opened when somebody first asks for it."""

from functools import cached_property

import anyio
from anyio.abc import TaskGroup

from mcp_sim.protocol.http import build_app, listen, serve_until, url_of
from mcp_sim.protocol.in_memory import StdioCommand
from mcp_sim.protocol.pipe import Pipe
from mcp_sim.protocol.server import SimulatedServer

_LOOPBACK = "127.0.0.1"


class Doors:
    """HTTP and stdio, on local ports. Both lead to the server in this process, which serves while its event loop runs."""

    def __init__(self, simulated: SimulatedServer, tasks: TaskGroup) -> None:
        self._simulated = simulated
        self._tasks = tasks
        self._closing = anyio.Event()
        self._pipes = anyio.CancelScope()

    @cached_property
    def url(self) -> str:
        """The URL of streamable HTTP."""
        listener = listen(_LOOPBACK, 0)  # clients that connect before the task runs wait
        self._tasks.start_soon(serve_until, build_app(self._simulated, host=_LOOPBACK), listener, self._closing)
        return url_of(listener)

    @cached_property
    def stdio(self) -> StdioCommand:
        """The command of a stdio server."""
        pipe = Pipe(listen(_LOOPBACK, 0))
        self._tasks.start_soon(self._serve, pipe)
        return pipe.command

    def close(self) -> None:
        """Stop serving."""
        self._closing.set()
        self._pipes.cancel()

    async def _serve(self, pipe: Pipe) -> None:
        with self._pipes:
            await pipe.serve(self._simulated)
