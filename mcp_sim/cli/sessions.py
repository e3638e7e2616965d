"""`mcp-sim sessions`."""

import difflib
import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from mcp_sim.assemble.keeping import sessions_folder
from mcp_sim.cli.terminal import escape, say, visible
from mcp_sim.core.counted import count_of
from mcp_sim.core.session import Session
from mcp_sim.core.state import State, thaw
from mcp_sim.core.transition import Transition
from mcp_sim.errors import SetupError
from mcp_sim.sessions import shelf
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.tool_specs.world_folder import load_source, load_world

_world_option = click.option(
    "--world", metavar="WORLD", help="Which world's session, where several have one of this name: a world, or what a list calls it."
)
_SHOWN_LINES = 12


@click.group()
def sessions() -> None:
    """The sessions that are kept (`--session NAME` of serve, run and call).

    \b
    Examples:
      mcp-sim sessions list
      mcp-sim sessions show friday
      mcp-sim sessions fork friday saturday --at 12
    """


@sessions.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_sessions(as_json: bool) -> None:
    """List all kept sessions.

    \b
    Examples:
      mcp-sim sessions list
      mcp-sim sessions list --json | jq '.[].name'
    """
    problems: list[str] = []
    found = list(shelf.browse(sessions_folder(), problems))
    if as_json:
        say(json.dumps([_to_json(shelved) for shelved in found], indent=2))
    elif found:
        table = Table()
        for column in ("session", "world"):
            table.add_column(column, overflow="fold")
        for column in ("turns", "seed", "size", "last call"):
            table.add_column(column, no_wrap=True)
        for shelved in found:
            header = shelved.header
            written = shelved.written.astimezone().strftime("%Y-%m-%d %H:%M")
            table.add_row(header.name, escape(header.source), str(shelved.turns), str(header.seed), f"{shelved.size_bytes:,} B", written)
        Console().print(table)
    else:
        say("No sessions are kept. `mcp-sim call memory read_graph --session mine` begins one.")
    for problem in problems:
        say(f"mcp-sim: {problem}", err=True)


@sessions.command()
@click.argument("name")
@_world_option
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N turns.")
@click.option("--state", "view", flag_value="state", help="What exists after the last turn, as JSON.")
@click.option("--diff", "view", flag_value="diff", help="What the session changed: the first state against the last, line by line.")
@click.option("--usage", "view", flag_value="usage", help="What a model was asked for each turn: tokens, cached tokens, seconds.")
@click.option("--json", "view", flag_value="json", help="The transitions, one JSON object a line.")
def show(name: str, world: str | None, last: int | None, view: str | None) -> None:
    """Show what happened in session NAME, call by call.

    \b
    Examples:
      mcp-sim sessions show friday
      mcp-sim sessions show friday --diff
      mcp-sim sessions show friday --json | jq .action.params.name
    """
    session = _open(name, world)
    if view == "state":
        say(_state_text(session.state), nl=False)
    elif view == "diff":
        _print_diff(session)
    elif view == "usage":
        Console().print(_usage_table(session))
    elif view == "json":
        for transition in session.trajectory:
            say(transition.model_dump_json(exclude_unset=True))
    else:
        console = Console()
        for transition in session.trajectory[-last if last else 0 :]:
            print_transition(console, transition)
        console.print(f"[dim]{count_of(len(session.trajectory), 'turn')}; the world's time is {session.now:%Y-%m-%d %H:%M:%S}[/]")


def _state_text(state: State) -> str:
    return json.dumps(thaw(state), indent=2, ensure_ascii=False) + "\n"


def _print_diff(session: Session) -> None:
    before, after = (_state_text(state).splitlines() for state in (session.world.first_state, session.state))
    lines = list(difflib.unified_diff(before, after, "first state", f"after turn {len(session.trajectory)}", lineterm=""))
    say("\n".join(lines) if lines else "The state is as it was at first.")


def _usage_table(session: Session) -> Table:
    table = Table(title="Asked of a model: tokens and seconds", title_justify="left")
    table.add_column("turn", justify="right")
    table.add_column("tool")
    for column in ("sent", "cached", "answered", "reasoning", "to first", "in all"):
        table.add_column(column, justify="right")
    totals = dict.fromkeys(_COUNTS, 0)
    saved = 0
    for transition in session.trajectory:
        usage = transition.usage
        if not usage:
            saved += transition.recalled is not None or transition.source in ("frozen", "computed")
            continue
        counts = [int(usage.get(name) or 0) for name in _COUNTS]
        totals = {name: total + count for (name, total), count in zip(totals.items(), counts, strict=True)}
        times = (usage.get("time_to_first_token"), usage.get("seconds"))
        table.add_row(str(transition.turn), escape(transition.action.name), *(f"{count:,}" for count in counts), *map(_seconds, times))
    table.add_section()
    table.add_row("", f"{saved} not asked", *(f"{total:,}" for total in totals.values()), "", "")
    return table


_COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


@sessions.command()
@click.argument("name")
@click.argument("new")
@_world_option
@click.option("--at", "turn", type=click.IntRange(min=0), metavar="TURN", help="Copy only the turns up to this one.")
def fork(name: str, new: str, world: str | None, turn: int | None) -> None:
    """Copy session NAME as NEW, for the world as it is now: from there the two go on apart.

    \b
    Examples:
      mcp-sim sessions fork friday saturday
      mcp-sim sessions fork friday what-if --at 12
    """
    shelved = _find(name, world)
    path = shelf.fork(shelved, load_source(shelved.header.source), new, turn)
    say(f"Session {new!r} has the first {count_of(shelved.turns if turn is None else turn, 'turn')} of {name!r}: {path}")


@sessions.command()
@click.argument("name")
@_world_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def rm(name: str, world: str | None, yes: bool) -> None:
    """Remove session NAME for good.

    \b
    Examples:
      mcp-sim sessions rm friday
      mcp-sim sessions rm friday --yes
    """
    damaged = shelf.find_damaged(sessions_folder(), name)
    if world is None and damaged is not None:
        what, path = f"{damaged}, which cannot be read", damaged
    else:
        shelved = _find(name, world)
        what, path = f"session {name!r} of world {shelved.header.source!r}, {count_of(shelved.turns, 'turn')}", shelved.path
    if not yes:
        click.confirm(f"Remove {visible(what)}?", abort=True)
    try:
        path.unlink()
    except OSError as error:
        raise SetupError(f"{path}: cannot be removed: {error.strerror or error}.") from error


def print_transition(console: Console, transition: Transition) -> None:
    """Print one call and what was answered."""
    arguments = json.dumps(transition.action.arguments, ensure_ascii=False)
    marks = [transition.source, *(["changed state"] if transition.changes else [])]
    if transition.recalled:
        marks.append(f"as in turn {transition.recalled}")
    console.print(f"[bold cyan]{transition.turn:>3}  {escape(transition.action.name)}[/] [dim]({', '.join(marks)})[/]")
    console.print(Syntax(visible(_shorten(arguments)), "json", background_color="default", word_wrap=True), style="dim")
    text = transition.observation.text or json.dumps(transition.observation.to_result(), ensure_ascii=False)
    console.print(escape(_shorten(text)), style="red" if transition.observation.is_error else "", highlight=False)
    for note in transition.notes:
        console.print(f"[yellow]{escape(note)}[/]")


def _shorten(text: str) -> str:
    lines = text[:4000].splitlines()
    kept = lines[:_SHOWN_LINES]
    return "\n".join([*kept, f"... {len(lines) - len(kept)} more lines"] if len(lines) > len(kept) else kept)


def _find(name: str, world: str | None) -> shelf.Shelved:
    return shelf.find(sessions_folder(), name, None if world is None else _key_of(name, world))


def _key_of(name: str, world: str) -> str:
    """Return the key of the world that a session of this name is for: a world that is as lists print it need not be there any more."""
    headers = [shelved.header for shelved in shelf.browse(sessions_folder()) if shelved.path.stem == name]
    if printed := [header.world for header in headers if world in (header.world, header.source)]:
        return printed[0]
    try:
        return load_world(world).key
    except SetupError:
        called = {header.world: header.source for header in headers if Path(header.source).stem == world}
        if not called:
            raise
    if len(called) > 1:
        raise SetupError(f"Several worlds {world!r} have a session {name!r}: say which by its path: {', '.join(called.values())}.")
    return next(iter(called))


def _open(name: str, world: str | None) -> Session:
    shelved = _find(name, world)
    kept = KeptSession(load_source(shelved.header.source), name, shelved.path)
    kept.catch_up()
    return kept.session


def _to_json(shelved: shelf.Shelved) -> dict[str, Any]:
    return {
        **shelved.header.model_dump(include={"name", "world", "source", "seed"}),
        "turns": shelved.turns,
        "size_bytes": shelved.size_bytes,
        "written": shelved.written.isoformat(),
        "file": str(shelved.path),
    }
