"""`mcp-sim world`."""

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from mcp_sim.assemble.checking import check_world
from mcp_sim.cli.terminal import escape, say
from mcp_sim.cli.world_facts import describe_world
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.bundled import bundled_worlds, place_project_world, place_user_world, project_worlds, user_worlds
from mcp_sim.tool_specs.new_world import copy_world, scaffold_world
from mcp_sim.tool_specs.state_import import STATE_KINDS, StateKind, read_state_from, write_state
from mcp_sim.tool_specs.world_folder import find_folder, load_world


@click.group()
def world() -> None:
    """Make, fill and look at worlds.

    \b
    Examples:
      mcp-sim world list
      mcp-sim world new shop
      mcp-sim world new mine --like filesystem
      mcp-sim world import mine ~/project
    """


@world.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print names and folders as JSON.")
def list_worlds(as_json: bool) -> None:
    """List the worlds that have a name: the project's (tool_specs/ here), those bundled with mcp-sim, and your own.

    Of two with one name, the one listed first is meant by it; the other is there by its path only, and the list says so.

    \b
    Examples:
      mcp-sim world list
      mcp-sim world list --json | jq '.[].folder'
    """
    places = {"project": project_worlds(), "bundled": bundled_worlds(), "yours": user_worlds()}
    named = [(name, path, place) for place, worlds in places.items() for name, path in worlds.items()]
    meant: dict[str, Path] = {}
    for name, path, _ in named:
        meant.setdefault(name, path)
    if as_json:
        told = [{"name": name, "folder": str(path), "from": place, "by_name": meant[name] == path} for name, path, place in named]
        say(json.dumps(told, indent=2))
        return
    table = Table()
    for column in ("world", "tools", "what it is", "from"):
        table.add_column(column)
    for name, path, place in named:
        place = place if meant[name] == path else f"{place}, by its path: {escape(str(path))}"
        try:
            loaded = load_world(path)
            table.add_row(name, str(len(loaded.tools)), escape(loaded.settings.title), place)
        except SetupError as error:
            table.add_row(name, "", f"[red]{escape(str(error))}[/]", place)
    Console().print(table)


@world.command("new")
@click.argument("name")
@click.option("--like", "model", metavar="WORLD", help="Copy this world instead of a skeleton: tools, settings, background, state.")
@click.option("--bare", is_flag=True, help="With --like: only tools and settings, to be filled with a background and state of your own.")
@click.option("--project", is_flag=True, help="Put it into tool_specs/ here, to be kept with the project.")
def new_world(name: str, model: str | None, bare: bool, project: bool) -> None:
    """Make a world called NAME: a commented skeleton with one tool, or a copy of another world.

    \b
    Examples:
      mcp-sim world new shop
      mcp-sim world new shop --project
      mcp-sim world new mine --like filesystem
      mcp-sim world new mine --like filesystem --bare
    """
    if bare and model is None:
        raise click.UsageError("--bare has a meaning only with --like.")
    folder = place_project_world(name) if project else place_user_world(name)
    if model is None:
        scaffold_world(folder, name)
        say(f"The world {name!r} is in {folder}. Write its tools.json and background.md; world.toml says what else there is.")
    else:
        copy_world(_folder_of(model), folder, bare=bare)
        say(f"The world {name!r} {'has the tools and settings' if bare else 'is a copy'} of {model}, in {folder}.")
    say(f"Serve it: mcp-sim serve {name}")


@world.command("show")
@click.argument("world_name", metavar="WORLD")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show_world(world_name: str, as_json: bool) -> None:
    """Show what WORLD holds: its files, tools, who answers, and its first state.

    \b
    Examples:
      mcp-sim world show filesystem
      mcp-sim world show ./my-world --json
    """
    loaded = load_world(world_name)
    check_world(loaded)
    facts = describe_world(loaded, _folder_of(world_name) if not world_name.lower().endswith(".json") else None)
    if as_json:
        say(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    for key, value in facts.items():
        if value not in ("", [], {}):
            console.print(f"[bold]{key}[/]: {escape(value if isinstance(value, str) else '')}".rstrip())
            for line in _lines(value):
                console.print(f"  {escape(line)}")


@world.command("import")
@click.argument("world_name", metavar="WORLD")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--as", "form", type=click.Choice(STATE_KINDS), help="What PATH is, where the world could read it in several ways.")
@click.option("--as-directory", metavar="DIR", help="Of a folder: where it stands in the world.  [default: / and its name]")
@click.option("--base-url", metavar="URL", help="Of pages: the address that they stand under.  [default: https://NAME.example/]")
def import_state(world_name: str, path: Path, form: StateKind | None, as_directory: str | None, base_url: str | None) -> None:
    """Bring a real folder or file into WORLD as its first state. PATH is only read.

    \b
    filesystem   a folder of files
    sqlite       a database, or a dump of SQL
    memory       a memory.jsonl of the memory server
    documents    a folder of pages (Markdown, text, HTML, JSON) to search and fetch

    \b
    Examples:
      mcp-sim world new mine --like filesystem --bare
      mcp-sim world import mine ~/project --as-directory /project
      mcp-sim world import shop ./shop.db
      mcp-sim world import library ./docs --base-url https://docs.example/
    """
    folder = _folder_of(world_name)
    if folder in bundled_worlds().values():
        raise SetupError(f"{world_name} is bundled and stays as it is. Copy it first: mcp-sim world new mine --like {world_name} --bare")
    loaded = load_world(world_name)
    kind, state = read_state_from(path, loaded, form=form, as_directory=as_directory, base_url=base_url)
    write_state(folder, loaded, state)
    facts = describe_world(load_world(world_name), None)["first state"]
    say(f"{path} is now in the first state of {world_name} ({kind}):")
    for line in _lines(facts):
        say(f"  {line}")
    if former := _speaking_of_before(folder):
        say(f"What else {folder} says was written for another state and may contradict this one: {', '.join(former)}.", err=True)
        say(
            f"Change or delete what does, and the title in world.toml; `mcp-sim world new NAME --like {world_name} --bare` has none.",
            err=True,
        )


def _folder_of(world_name: str) -> Path:
    path = Path(load_world(world_name).source)
    folder = path if path.is_absolute() else find_folder(world_name)[0]
    if not folder.is_dir():
        raise SetupError(f"{world_name} is a file of tools, not a world folder. Name a folder.")
    return folder


def _speaking_of_before(folder: Path) -> list[str]:
    return [name for name in ("background.md", "demonstrations.jsonl", "frozen.jsonl") if (folder / name).is_file()]


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {item}" for key, item in value.items()]
    return [str(item) for item in value] if isinstance(value, list) else []
