"""`mcp-sim freeze`."""

import shutil
from pathlib import Path

import click

from mcp_sim.assemble import sessions_folder
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.sessions import shelf
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.tool_specs.answers import read_frozen
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.freezing import freeze_session, merge, write_line
from mcp_sim.tool_specs.world_folder import find_world, load_world, write_world


@click.command()
@click.argument("world")
@click.option("--session", "names", required=True, multiple=True, metavar="NAME", help="A kept session; several may be named.")
@click.option("--into", type=click.Path(path_type=Path), help="A frozen.jsonl, or the world folder for it; a new one is made from WORLD.")
def freeze(world: str, names: tuple[str, ...], into: Path | None) -> None:
    """Pin what was imagined in a session of WORLD, so that it is answered the same for ever and without a model.

    The answers go into frozen.jsonl, one a line, sorted: look at them, change them, commit them. What code computes is not pinned, since it
    is computed again. Answers that contradict what is pinned already are an error that shows both.

    \b
    Examples:
      mcp-sim run ./tool_specs/mine --session monday -- python my_agent.py
      mcp-sim freeze ./tool_specs/mine --session monday
      mcp-sim run ./tool_specs/mine --frozen -- python my_agent.py
      mcp-sim freeze github --session monday --into tool_specs/mine
    """
    loaded = load_world(world)
    folder = _choose_folder(loaded, into)
    is_new = not (folder / "tools.json").exists()
    answers = [answer for name in names for answer in freeze_session(_open(loaded, name))]
    before = [] if is_new else _read(loaded, folder / "frozen.jsonl")
    lines = merge([*before, *answers])
    if is_new:
        _copy_world(loaded, folder)
    write_world(folder, frozen=[write_line(answer) for answer in lines], replace=True)
    click.echo(f"{len(lines)} answers are frozen in {folder / 'frozen.jsonl'}, {len(lines) - len(before)} of them new.")
    click.echo(f"Use them: mcp-sim serve {folder if '/' in str(folder) else f'./{folder}'} --frozen")


def _choose_folder(world: World, into: Path | None) -> Path:
    if into is not None:
        return into.parent if into.name == "frozen.jsonl" else into
    folder = find_world(world.source)
    if world.source in bundled_worlds() or not folder.is_dir():
        raise SetupError(f"{world.source!r} is no folder of yours. Name one that is to hold it with its answers: --into tool_specs/mine")
    return folder


def _copy_world(world: World, folder: Path) -> None:
    source = find_world(world.source)
    if source.is_dir():
        shutil.copytree(source, folder)
    else:
        folder.mkdir(parents=True)
        shutil.copy(source, folder / "tools.json")


def _open(world: World, name: str) -> Session:
    shelved = shelf.find(sessions_folder(), name, world.key)
    kept = KeptSession(world, name, shelved.path)
    kept.catch_up()
    return kept.session


def _read(world: World, path: Path) -> list[FrozenAnswer]:
    return list(read_frozen(path, world.tools_by_name)) if path.exists() else []
