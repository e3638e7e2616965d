"""`mcp-sim capture`."""

import os

import anyio
import click

from mcp_sim.protocol.capture import capture_stdio
from mcp_sim.tool_specs.bundled import place_user_world
from mcp_sim.tool_specs.world_folder import load_world, write_world


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--replace", is_flag=True, help="Take the place of a world captured before under this name; its other files stay.")
@click.option("--timeout", "timeout_seconds", default=60.0, show_default=True, type=click.FloatRange(min=1), help="Seconds to wait.")
def capture(name: str, command: tuple[str, ...], replace: bool, timeout_seconds: float) -> None:
    """Start a real server, read its list of tools into a world of your own called NAME, exactly as sent, and end the server.

    Only lists are asked for: no tool is called. The server gets this shell's environment.

    \b
    Examples:
      mcp-sim capture files -- npx -y @modelcontextprotocol/server-filesystem /tmp
      mcp-sim capture clock -- uvx mcp-server-time
      mcp-sim serve files
    """
    folder = place_user_world(name)
    captured = anyio.run(lambda: capture_stdio(command, environment=os.environ, timeout_seconds=timeout_seconds))
    write_world(folder, listing={"tools": captured.tools}, server=captured.initialize, replace=replace)
    world = load_world(name)
    click.echo(f"{len(world.tools)} tools of {command[0]!r} are now the world {name!r} in {folder}.")
    if world.left_out:
        click.echo(f"{len(world.left_out)} cannot be served; `mcp-sim tools {name}` says why.")
    click.echo(f"Serve it: mcp-sim serve {name}")
