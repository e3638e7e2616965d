"""`mcp-sim demo`."""

import anyio
import click
from rich.console import Console

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SessionOptions, SimulatorOptions
from mcp_sim.cli.sessions import print_transition
from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.counted import count_of
from mcp_sim.core.world import World
from mcp_sim.tool_specs.world_folder import load_world

WORLD = "github"
_REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}
_TITLE = "Readings stop at midnight UTC on HN-07"

# What the agent thinks, and what it then does.
_SCRIPT: tuple[tuple[str, str, dict[str, JSON]], ...] = (
    ("What is open in the tide gauge repository?", "list_issues", {**_REPOSITORY, "state": "open"}),
    ("Nobody has reported this one yet.", "create_issue", {**_REPOSITORY, "title": _TITLE, "body": "Seen three nights in a row."}),
    ("Is it really there?", "search_issues", {"q": "midnight repo:brinewatch/tidegauge"}),
    ("A wrong call: the tool refuses it as the real server would.", "create_issue", {"owner": "brinewatch", "title": 7}),
    (
        "The same question in the same state is answered the same, byte for byte.",
        "search_issues",
        {"q": "midnight repo:brinewatch/tidegauge"},
    ),
)


@click.command()
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="The seed of what is imagined.")
def demo(seed: int) -> None:
    """Watch a scripted agent work in a bundled world: each call, each answer, and where it came from.

    Needs no GPU, no network and no key.

    \b
    Examples:
      mcp-sim demo
      mcp-sim demo --seed 7
    """
    console = Console()
    world = load_world(WORLD)
    console.print(f"[bold]World {world.name}[/]: {world.settings.title} ({count_of(len(world.tools), 'tool')})\n")
    anyio.run(_play, console, world, seed)
    console.print(
        "Now point a real client at it:  [bold]mcp-sim config github --client claude-desktop[/]\n"
        "or serve your own tool list:    [bold]mcp-sim serve ./tools.json[/]"
    )


async def _play(console: Console, world: World, seed: int) -> None:
    options = SimulatorOptions(SessionOptions(seed=seed))
    async with open_simulator(world, options) as simulator:
        for thought, tool, arguments in _SCRIPT:
            console.print(f"[italic]{thought}[/]")
            print_transition(console, await simulator.call(options.sessions.default_session, Action.call(tool, arguments)))
            console.print()
