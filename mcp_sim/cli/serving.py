"""A simulator over HTTP, as commands serve it."""

from starlette.applications import Starlette

from mcp_sim.assemble.opening import open_parts
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.protocol.http import build_app
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.simulator import Simulator


def app_of(simulator: Simulator, options: SimulatorOptions, *, host: str, allowed_hosts: tuple[str, ...] = ()) -> Starlette:
    """Return the ASGI app: the whole at `/mcp`, and each of several worlds that were put together at `/w/<world>/mcp`."""
    parts = {name: server_of(part, options) for name, part in open_parts(simulator).items()}
    return build_app(server_of(simulator, options), parts=parts, host=host, allowed_hosts=allowed_hosts)


def server_of(simulator: Simulator, options: SimulatorOptions) -> SimulatedServer:
    """Return the simulator as an MCP server, with the options' default session and patience."""
    return SimulatedServer(simulator, options.sessions.default_session, options.answer_within_seconds)
