"""`mcp-sim freeze`."""

from pathlib import Path

import anyio
import click

from mcp_sim.assemble.keeping import sessions_folder
from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SessionOptions, SimulatorOptions
from mcp_sim.cli.terminal import say
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.sessions import shelf
from mcp_sim.tool_specs.freezing import freeze_session
from mcp_sim.tool_specs.frozen_file import choose_folders, pin
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.argument("world")
@click.option("--session", "names", required=True, multiple=True, metavar="NAME", help="A kept session; several may be named.")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    help="The world folder (or its frozen.jsonl), made from WORLD if new; of several worlds, the folder around theirs.",
)
def freeze(world: str, names: tuple[str, ...], into: Path | None) -> None:
    """Pin what was imagined in a session of WORLD, so that it is answered the same for ever and without a model.

    The answers go into frozen.jsonl, one a line, sorted: look at them, change them, commit them. What code reads from a known state is not
    pinned, since it is computed again; what it answered to a change is. Answers that contradict what is pinned already are an error that
    shows both. Of several worlds put together, each answer goes to its own world; those hold for the same worlds together.

    \b
    Examples:
      mcp-sim run ./tool_specs/mine --session monday -- python my_agent.py
      mcp-sim freeze ./tool_specs/mine --session monday
      mcp-sim run ./tool_specs/mine --frozen -- python my_agent.py
      mcp-sim freeze github --session monday --into tool_specs/mine
      mcp-sim freeze github+memory --session monday --into tool_specs
    """
    loaded = load_world(world)
    folders = choose_folders(loaded, into)
    sessions = [anyio.run(_open, loaded, name) for name in names]
    answers = [answer for session in sessions for answer in freeze_session(session)]
    if not answers:
        say(f"Nothing was imagined in {' or '.join(names)}: what was asked there is computed anew each time. Nothing was frozen.")
        return
    for pinned in pin(loaded, answers, folders):
        for line in pinned.report():
            say(line)
    served = "+".join(_named(part, folders[part.key]) for part in loaded.parts or (loaded,))
    say(f"Use them: mcp-sim serve {served} --frozen")


def _named(world: World, folder: Path) -> str:
    """How a command names the world with its answers; itself, where it has none and no folder was made."""
    if not folder.exists():
        return world.source
    return str(folder) if "/" in str(folder) else f"./{folder}"


async def _open(world: World, name: str) -> Session:
    shelf.find(sessions_folder(), name, world.key)
    async with open_simulator(world, SimulatorOptions(SessionOptions(keep=name))) as simulator:  # it knows what behaviours compute again
        return simulator.peek(name)
