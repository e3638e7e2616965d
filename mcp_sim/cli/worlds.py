"""`mcp-sim worlds`."""

import json

import click
from rich.console import Console
from rich.table import Table

from mcp_sim.tool_specs.bundled import bundled_worlds, user_worlds
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print names and folders as JSON.")
def worlds(as_json: bool) -> None:
    """List the worlds that have a name: those that came with mcp-sim, and your own (from `mcp-sim capture`).

    \b
    Examples:
      mcp-sim worlds
      mcp-sim worlds --json
    """
    named = [(name, path, "bundled") for name, path in bundled_worlds().items()]
    named += [(name, path, "yours") for name, path in user_worlds().items()]
    if as_json:
        click.echo(json.dumps([{"name": name, "folder": str(path), "from": where} for name, path, where in named], indent=2))
        return
    table = Table()
    for column in ("world", "tools", "what it is", "from"):
        table.add_column(column)
    for name, _, where in named:
        world = load_world(name)
        table.add_row(name, str(len(world.tools)), world.settings.title, where)
    Console().print(table)
