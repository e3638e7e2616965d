"""`mcp-sim serve`."""

import os
import signal
from dataclasses import replace

import anyio
import click

from mcp_sim.assemble import SimulatorOptions, open_simulator
from mcp_sim.cli.options import Address, simulator_options
from mcp_sim.core.world import World
from mcp_sim.protocol.http import build_app, serving
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.protocol.stdio import serve_stdio
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.argument("world")
@simulator_options
@click.option("--http", "address", type=Address(), help="Serve streamable HTTP here instead of stdio: /mcp and /s/NAME/mcp.")
@click.option("--allow-host", "allowed_hosts", multiple=True, metavar="NAME", help="With --http: also answer requests for this host name.")
@click.option("--max-sessions", default=10_000, show_default=True, type=click.IntRange(min=1), help="Sessions in memory at a time.")
@click.option("--idle-seconds", default=3600.0, show_default=True, type=click.FloatRange(min=0), help="When one of those may make room.")
def serve(
    world: str,
    options: SimulatorOptions,
    address: tuple[str, int] | None,
    allowed_hosts: tuple[str, ...],
    max_sessions: int,
    idle_seconds: float,
) -> None:
    """Serve WORLD to MCP clients, over stdio or streamable HTTP.

    \b
    Examples:
      mcp-sim serve filesystem                            for a client's config
      mcp-sim serve ./my-tools.json --seed 7              any tool list
      mcp-sim serve github --session friday               kept: go on tomorrow
      mcp-sim serve github --model http://127.0.0.1:30000/v1
      mcp-sim serve github --http 127.0.0.1:8970          http://127.0.0.1:8970/mcp, /s/alice/mcp, /s/bob/mcp

    Over HTTP each /s/NAME/mcp is a session of its own: agents that open a new connection for every call keep their state.
    """
    if allowed_hosts and address is None:
        raise click.UsageError("--allow-host has a meaning only with --http.")
    sessions = replace(options.sessions, max_sessions=max_sessions, idle_seconds=idle_seconds)
    anyio.run(_serve, load_world(world), replace(options, sessions=sessions), address, allowed_hosts)


async def _serve(world: World, options: SimulatorOptions, address: tuple[str, int] | None, allowed_hosts: tuple[str, ...]) -> None:
    async with open_simulator(world, options) as simulator:
        server = SimulatedServer(simulator, options.sessions.default_session, options.answer_within_seconds)
        if address is None:
            await _over_stdio(server)
        else:
            await _over_http(server, *address, allowed_hosts)


async def _over_stdio(server: SimulatedServer) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_exit_on_signal)
        await serve_stdio(server)
        tasks.cancel_scope.cancel()


async def _exit_on_signal() -> None:
    await wait_for_signal()
    # The thread that reads standard input cannot be cancelled. What was answered is kept already, so nothing is lost.
    os._exit(0)


async def _over_http(server: SimulatedServer, host: str, port: int, allowed_hosts: tuple[str, ...]) -> None:
    async with serving(build_app(server, host=host, allowed_hosts=allowed_hosts), host, port) as url:
        named = url.removesuffix("/mcp") + "/s/NAME/mcp"
        click.echo(f"Serving on {url} and {named}; press Ctrl-C to stop.", err=True)
        await wait_for_signal()


async def wait_for_signal() -> None:
    """Wait until the process is asked to stop."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            return
