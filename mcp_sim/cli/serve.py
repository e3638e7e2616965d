"""`mcp-sim serve`."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace

import anyio
import click
from starlette.applications import Starlette

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.cli.headers import read_headers
from mcp_sim.cli.options import Address, simulator_options
from mcp_sim.cli.serving import app_of, server_of
from mcp_sim.cli.shadowing import allow_reads, read_shadow
from mcp_sim.cli.terminal import say
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.http import serving
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.protocol.stdio import serve_stdio
from mcp_sim.tool_specs.combining import combine
from mcp_sim.tool_specs.world_folder import load_world

logger = logging.getLogger(__name__)


@click.command()
@click.argument("worlds", nargs=-1, required=True, metavar="WORLD...")
@simulator_options
@click.option("--http", "address", type=Address(), help="Serve streamable HTTP here instead of stdio: /mcp and /s/NAME/mcp.")
@click.option("--allow-host", "allowed_hosts", multiple=True, metavar="NAME", help="With --http: also answer requests for this host name.")
@click.option("--shadow", is_flag=True, help="Let listed reads go to a real server, whose command stands behind --; simulate the rest.")
@click.option("--shadow-url", metavar="URL", help="The same, with a real server at a URL.")
@click.option("--shadow-header", "shadow_headers", multiple=True, metavar="'KEY: VALUE'", help="With --shadow-url: send this header too.")
@click.option("--max-sessions", default=10_000, show_default=True, type=click.IntRange(min=1), help="Sessions in memory at a time.")
@click.option("--idle-seconds", default=3600.0, show_default=True, type=click.FloatRange(min=0), help="When one of those may make room.")
def serve(
    worlds: tuple[str, ...],
    options: SimulatorOptions,
    address: tuple[str, int] | None,
    allowed_hosts: tuple[str, ...],
    shadow: bool,
    shadow_url: str | None,
    shadow_headers: tuple[str, ...],
    max_sessions: int,
    idle_seconds: float,
) -> None:
    """Serve WORLD to MCP clients, over stdio or streamable HTTP. Several are served as one, with one state.

    \b
    Examples:
      mcp-sim serve filesystem                            for a client's config
      mcp-sim serve ./my-tools.json --seed 7              any tool list
      mcp-sim serve github --session friday               kept: go on tomorrow
      mcp-sim serve github --model http://127.0.0.1:30000/v1
      mcp-sim serve github --http 127.0.0.1:8970          http://127.0.0.1:8970/mcp, /s/alice/mcp, /s/bob/mcp
      mcp-sim serve ./tracker --shadow -- npx -y tracker  real reads, simulated writes
      mcp-sim serve github filesystem search              the tools of all; over HTTP each also at /w/WORLD/mcp

    Over HTTP each /s/NAME/mcp is a session of its own: agents that open a new connection for every call keep their state.
    """
    if allowed_hosts and address is None:
        raise click.UsageError("--allow-host has a meaning only with --http.")
    sessions = replace(options.sessions, max_sessions=max_sessions, idle_seconds=idle_seconds)
    options = replace(options, sessions=sessions)
    if shadow or shadow_url:
        options = replace(options, shadow=read_shadow(worlds[1:], shadow_url, read_headers(shadow_headers)))
        world = allow_reads(load_world(worlds[0]))
    else:
        world = combine([load_world(name) for name in worlds])
    anyio.run(_serve, world, options, address, allowed_hosts)


async def _serve(world: World, options: SimulatorOptions, address: tuple[str, int] | None, allowed_hosts: tuple[str, ...]) -> None:
    async with open_simulator(world, options) as simulator:
        if address is None:
            await _over_stdio(server_of(simulator, options))
        else:
            host, port = address
            await _over_http(app_of(simulator, options, host=host, allowed_hosts=allowed_hosts), host, port, list(world.parts))


async def _over_stdio(server: SimulatedServer) -> None:
    if sys.stdin.isatty():
        say("Waiting for a client on standard input; mostly a client starts this itself (mcp-sim config). Ctrl-C stops.", err=True)
    lost: OSError | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_exit_on_signal)
        try:
            await serve_stdio(server)
        except* OSError as group:
            lost = next(_leaves(group))
        tasks.cancel_scope.cancel()
    if isinstance(lost, BrokenPipeError | ConnectionResetError):
        logger.info("The client has closed standard output.")
    elif lost is not None:
        raise SetupError(f"Standard output cannot be written: {lost.strerror or lost}.") from lost


def _leaves(group: BaseExceptionGroup[OSError]) -> Iterator[OSError]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


async def _exit_on_signal() -> None:
    await wait_for_signal()
    # The thread that reads standard input cannot be cancelled. What was answered is kept already, so nothing is lost.
    os._exit(0)


async def _over_http(app: Starlette, host: str, port: int, parts: list[World]) -> None:
    async with serving(app, host, port) as url:
        base = url.removesuffix("/mcp")
        apart = "".join(f", {base}/w/{part.name}/mcp" for part in parts)
        say(f"Serving on {url} and {base}/s/NAME/mcp{apart}; press Ctrl-C to stop.", err=True)
        await wait_for_signal()


async def wait_for_signal() -> None:
    """Wait until the process is asked to stop."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            return
