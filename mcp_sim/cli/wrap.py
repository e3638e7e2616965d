"""`mcp-sim wrap`."""

import difflib
import math
import secrets
import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from mcp_sim.cli.config import find_command
from mcp_sim.cli.terminal import say
from mcp_sim.cli.wrapping import PLACEHOLDER, Wrapping, secrets_of
from mcp_sim.core.canonical import JSON
from mcp_sim.core.counted import count_of
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.client_config import ClientConfig, Entry, mask, read_config
from mcp_sim.tool_specs.json_text import read_text
from mcp_sim.tool_specs.secrets import conceal
from mcp_sim.tool_specs.suggestion import suggest


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where the copy goes.  [default: NAME.simulated.json beside]")
@click.option("--only", metavar="A,B", help="Only these servers.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--in-place", is_flag=True, help="Change CONFIG itself; a backup with the time in its name stays beside it.")
@click.option("--restore", is_flag=True, help="Put the oldest backup back, of those with the fewest simulated servers.")
@click.option("--timeout", "timeout_seconds", default=60.0, show_default=True, type=click.FloatRange(min=1), help="Seconds for a server.")
@click.pass_context
def wrap(
    ctx: click.Context, config: Path, out: Path | None, only: str | None, yes: bool, in_place: bool, restore: bool, timeout_seconds: float
) -> None:
    """Put simulated servers in the place of the real ones of a client's CONFIG: same names, same tools, none of the secrets.

    Each server is started once with its own environment and asked for its lists, as by `mcp-sim capture`; nothing is called. Reads
    claude_desktop_config.json, .mcp.json and ~/.claude.json, and the files of VS Code, Cursor, Windsurf and Zed, comments and all. CONFIG
    stays as it is and a copy is written, unless --in-place says otherwise. A server that cannot be started is left as it was, and the exit
    code is 1; one that is simulated already stays as it is. Where nothing is to be changed, nothing is written.

    \b
    Examples:
      mcp-sim wrap .mcp.json
      mcp-sim wrap ~/.cursor/mcp.json --only github,slack --in-place
      mcp-sim wrap ~/.cursor/mcp.json --restore
    """
    path = config.expanduser().resolve()
    if restore:
        _restore(path, yes)
        return
    if out is not None and in_place:
        raise click.UsageError("--out and --in-place exclude each other.")
    target = path if in_place else (out or path.with_name(f"{path.stem}.simulated.json")).expanduser().absolute()
    if not in_place and target.exists():
        raise SetupError(f"{target}: exists already. Remove it, or name another file with --out.")
    read = read_config(path)
    chosen = [entry for entry in _choose(read, only) if not _is_done(entry)]
    if not chosen:
        say("There is nothing to change, and nothing was written.")
        return
    wrapping = Wrapping(read, timeout_seconds, _answering(read, yes))
    _announce(wrapping, chosen)
    if not yes:
        click.confirm("Start and ask them?", abort=True)
    entries = _capture_all(wrapping, chosen)
    if not entries:
        raise SetupError("None of the servers could be captured; nothing was written.")
    text = read.replaced(entries, wrapping.secrets)
    _show(read.text, text, path, target, secrets_of(read) | wrapping.secrets)
    if in_place and not yes:
        click.confirm(f"Change {path}?", abort=True)
    if in_place:
        backup = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}.bak")
        shutil.copy2(path, backup)
        say(f"The file as it was is {backup.name}. Put it back: mcp-sim wrap {shlex.quote(str(path))} --restore")
    _write(target, text, like=path)
    simulated = len(entries) + sum(entry.is_simulated for entry in read.entries)
    say(f"{simulated} of {count_of(len(read.entries), 'server', ('is', 'are'))} simulated in {target}.")
    if len(entries) < len(chosen):
        ctx.exit(1)


def _choose(config: ClientConfig, only: str | None) -> list[Entry]:
    names = [entry.name for entry in config.entries]
    wanted = names if only is None else [name.strip() for name in only.split(",") if name.strip()]
    for name in wanted:
        if name not in names:
            raise SetupError(f"{config.path}: there is no server {name!r}. {suggest(name, names)}")
    return [entry for entry in config.entries if entry.name in wanted]


def _is_done(entry: Entry) -> bool:
    if entry.is_simulated:
        say(f"{entry.name} is simulated already, and stays as it is.")
    return entry.is_simulated


def _answering(config: ClientConfig, yes: bool) -> Callable[[str], str]:
    """Return what answers the questions that VS Code would ask: the person, once each; with --yes nobody, and a placeholder does."""
    answers: dict[str, str] = {}

    def answer(name: str) -> str:
        if name not in answers:
            asked = config.inputs.get(name, {})
            default = asked.get("default")
            fallback = default if isinstance(default, str) else PLACEHOLDER
            answers[name] = (
                fallback if yes else click.prompt(str(asked.get("description") or name), fallback, hide_input=True, show_default=False)
            )
        return answers[name]

    return answer


def _announce(wrapping: Wrapping, entries: Sequence[Entry]) -> None:
    for entry in entries:
        where = shlex.join(entry.command) if entry.command else entry.url
        say(f"{entry.name}: {conceal(where, wrapping.secrets_in(entry)) if where else 'nothing to start, and no URL'}")


def _capture_all(wrapping: Wrapping, entries: Sequence[Entry]) -> dict[tuple[str, ...], dict[str, JSON]]:
    simulated: dict[tuple[str, ...], dict[str, JSON]] = {}
    for entry in entries:
        try:
            world = wrapping.capture(entry)
        except SetupError as error:
            say(f"{entry.name} is left as it was, with what is secret in it: {error}")
            continue
        usual = wrapping.usual_name(entry)
        why = "" if world.name == usual else f" ({usual} is the world of another server)"
        say(f"{entry.name}: {count_of(len(world.tools), 'tool')}, now the world {world.name!r}{why}.")
        simulated[entry.path] = entry.simulated(find_command(), ["serve", world.source])
    return simulated


def _show(before: str, after: str, path: Path, target: Path, hidden: set[str]) -> None:
    old, new = (mask(text, path, hidden).splitlines() for text in (before, after))
    for line in difflib.unified_diff(old, new, str(path), str(target), lineterm=""):
        say(line)


def _write(target: Path, text: str, like: Path) -> None:
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        beside.touch(mode=0o600)
        beside.write_text(text, encoding="utf-8", newline="")
        shutil.copymode(like, beside)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise SetupError(f"{target}: cannot be written: {error.strerror or error}.") from error


def _restore(path: Path, yes: bool) -> None:
    backups = sorted(path.parent.glob(f"{path.name}.*.bak"))
    if not backups:
        raise SetupError(f"{path}: there is no backup of it here ({path.name}.TIME.bak). --in-place makes one.")
    simulated = {backup: _count_simulated(backup) for backup in backups}
    chosen = min(backups, key=lambda backup: (simulated[backup], backup.name))
    if len(backups) > 1 or simulated[chosen]:
        fewest = f"the fewest simulated servers ({simulated[chosen]})"
        say(f"{chosen.name} is the oldest backup with {fewest}, of {count_of(len(backups), 'backup')}.")
    if path.exists():
        before, after = read_text(path), read_text(chosen)
        _show(before, after, path, chosen, set().union(*(secrets_of(read_config(file)) for file in (path, chosen))))
    if not yes:
        click.confirm(f"Put {chosen.name} back as {path.name}?", abort=True)
    chosen.replace(path)
    say(f"{path} is again what it was.")


def _count_simulated(backup: Path) -> float:
    try:
        return sum(entry.is_simulated for entry in read_config(backup).entries)
    except SetupError:
        return math.inf
