"""`mcp-sim tools`."""

import json

import click
from rich.console import Console
from rich.table import Table

from mcp_sim.assemble.behaviours import find_behaviours
from mcp_sim.assemble.checking import check_world
from mcp_sim.cli.terminal import escape, say
from mcp_sim.cli.understood import not_understood
from mcp_sim.core.canonical import JSON
from mcp_sim.core.counted import count_of
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.example import check_output_schemas
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.argument("world")
@click.option("--json", "as_json", is_flag=True, help="Print the definitions as served, each with what was mended.")
@click.option("--explain", is_flag=True, help="Print what was understood of each tool; world.toml can correct it.")
def tools(world: str, as_json: bool, explain: bool) -> None:
    """Show the tools of WORLD as they are served, with what had to be mended and why.

    \b
    Examples:
      mcp-sim tools github
      mcp-sim tools ./captured.json --explain
      mcp-sim tools ./captured.json --json | jq '.tools[].definition.name'
    """
    loaded = load_world(world)
    check_world(loaded)
    if explain:
        _explain(loaded)
        return
    unmeetable = dict(check_output_schemas(loaded))
    if as_json:
        say(json.dumps(_to_json(loaded, unmeetable), indent=2, ensure_ascii=False))
        return
    console = Console()
    table = Table(title=f"World {loaded.name}: {count_of(len(loaded.tools), 'tool')}", title_justify="left", show_lines=False)
    forms = [_answer_form(tool) for tool in loaded.tools]
    widths = [min(max(map(len, ("tool", *(tool.name for tool in loaded.tools)))), 34), len("changes"), max(map(len, ("answer", *forms)))]
    table.add_column("tool", style="bold", width=widths[0], overflow="fold")
    table.add_column("changes", width=widths[1])
    table.add_column("answer", width=widths[2])
    table.add_column("what it does", no_wrap=True, overflow="ellipsis", width=max(console.width - sum(widths) - 13, 20))
    for tool, form in zip(loaded.tools, forms, strict=True):
        description = tool.description.split("\n")[0]
        table.add_row(escape(tool.name), "yes" if tool.mutates else "", form, escape(description[:200]))
    console.print(table)
    for tool in loaded.tools:
        for sentence in (*tool.mended, *([unmeetable[tool.name]] if tool.name in unmeetable else [])):
            console.print(f"[yellow]{escape(tool.name)}[/]: {escape(sentence)}")
    for left_out in loaded.left_out:
        console.print(f"[red]{escape(left_out.name)} is left out[/]: {escape(left_out.reason)}")
    for notice in _notices(loaded):
        console.print(escape(notice))


def _explain(world: World) -> None:
    engine, behaviours = Engine(world), find_behaviours(world)
    for notice in _notices(world):
        say(notice, err=True)
    for name in world.tools_by_name:
        say(f"{name}: answered by the behaviour {behaviours[name]}" if name in behaviours else engine.explain(name))
    understood = len(world.tools) - len(not_understood(world, engine))
    say(
        f"{understood} of {count_of(len(world.tools), 'tool', ('is', 'are'))} understood. Others are answered without touching state.",
        err=True,
    )
    say('Correct a tool in world.toml, for example: [tools.close_ticket] with kind = "update" and resource = "ticket".', err=True)


def _notices(world: World) -> list[str]:
    missing = ", ".join(world.offers.missing)
    return [*world.notices, *([f"The server can do what is not simulated, and not announced: {missing}."] if missing else [])]


def _answer_form(tool: ToolSpec) -> str:
    return "text" if tool.output_schema is None else "structured"


def _to_json(world: World, unmeetable: dict[str, str]) -> JSON:
    return {
        "world": world.name,
        "tools": [
            {
                "definition": tool.definition,
                "mutates": tool.mutates,
                "mended": [*tool.mended, *([unmeetable[tool.name]] if tool.name in unmeetable else [])],
            }
            for tool in world.tools
        ],
        "left_out": [left_out.model_dump() for left_out in world.left_out],
        "notices": _notices(world),
    }
