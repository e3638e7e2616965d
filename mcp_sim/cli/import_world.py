"""`mcp-sim import`."""

import re
from pathlib import Path

import click

from mcp_sim.cli.terminal import say
from mcp_sim.core.counted import count_of
from mcp_sim.tool_specs.bundled import place_user_world
from mcp_sim.tool_specs.importers import import_any, write_imported
from mcp_sim.tool_specs.importing.imported import KINDS, Kind
from mcp_sim.tool_specs.world_folder import load_world

_MOST_NOTICES = 8


@click.command("import")
@click.argument("source", metavar="FILE|MODULE:FUNCTION")
@click.option("--name", metavar="NAME", help="What the world is called.  [default: like the file or module]")
@click.option("--as", "form", type=click.Choice(KINDS), help="What it is, where its content does not tell.")
@click.option("--replace", is_flag=True, help="Take the place of your world of this name; files that are not written now stay.")
def import_(source: str, name: str | None, form: Kind | None, replace: bool) -> None:
    """Make a world of your own out of something that describes tools.

    \b
    openapi    an OpenAPI 3 or Swagger 2 document, JSON or YAML: each operation a tool
    openai, anthropic, gemini   a list of functions as these APIs take it
    mcp        a tools/list result
    python     MODULE:FUNCTION, MODULE:LIST or MODULE (its public functions); its code is run
    har        HTTP traffic saved by a browser or proxy; credentials are left out

    \b
    Examples:
      mcp-sim import petstore.yaml
      mcp-sim import tools.openai.json --name shop
      mcp-sim import mypackage.tools:search --name search-tools
      mcp-sim import traffic.har --name backend --replace
    """
    world_name = name or _default_name(source)
    folder = place_user_world(world_name)
    imported = import_any(source, form)
    write_imported(imported, folder, replace=replace)
    world = load_world(str(folder))
    told = f" and {count_of(len(world.demonstrations), 'demonstration')}" if world.demonstrations else ""
    are = "are" if told or len(world.tools) != 1 else "is"
    say(f"{count_of(len(world.tools), 'tool')}{told} of {source} ({imported.kind}) {are} now the world {world_name!r} in {folder}.")
    for notice in imported.notices[:_MOST_NOTICES]:
        say(f"  {notice}")
    if len(imported.notices) > _MOST_NOTICES:
        say(f"  ... and {len(imported.notices) - _MOST_NOTICES} more like these.")
    if world.left_out:
        say(f"{len(world.left_out)} cannot be served; `mcp-sim tools {world_name}` says why.")
    say(f"Serve it: mcp-sim serve {world_name}      What clients make of it: mcp-sim lint {world_name}")


def _default_name(source: str) -> str:
    stem = source.replace(":", ".") if not Path(source).suffix or ":" in source else Path(source).stem
    return re.sub(r"[^a-z0-9_]+", "-", stem.rpartition("/")[2].lower()).strip("-_")[:64].rstrip("-_") or "imported"
