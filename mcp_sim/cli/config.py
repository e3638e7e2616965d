"""`mcp-sim config`."""

import json
import shlex
import shutil
import sys
from pathlib import Path

import click

from mcp_sim.cli.terminal import say
from mcp_sim.core.canonical import JSON
from mcp_sim.sessions.name import check_session_name
from mcp_sim.tool_specs.world_folder import load_world

# Where each client looks for its servers, as its documentation says.
_PLACES = {
    "claude-desktop": "Settings > Developer > Edit Config (claude_desktop_config.json)",
    "claude-code": ".mcp.json in the project's folder, or paste the command below",
    "vscode": ".vscode/mcp.json in the workspace",
    "cursor": ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
}


@click.command()
@click.argument("world")
@click.option("--client", required=True, type=click.Choice(list(_PLACES)), help="Whose config the snippet is for.")
@click.option("--session", metavar="NAME", help="Keep what happens in a session of this name.")
@click.option("--seed", type=click.IntRange(min=0), help="The seed of what is imagined.")
def config(world: str, client: str, session: str | None, seed: int | None) -> None:
    """Print the snippet that makes a client use WORLD. Only the snippet goes to standard output.

    \b
    Examples:
      mcp-sim config filesystem --client claude-desktop
      mcp-sim config ./my-tools.json --client vscode --session demo > .vscode/mcp.json
    """
    loaded = load_world(world)
    arguments = ["serve", loaded.source]
    if session is not None:
        arguments += ["--session", check_session_name(session)]
    if seed is not None:
        arguments += ["--seed", str(seed)]
    entry: dict[str, JSON] = {"command": find_command(), "args": arguments, "env": {}}
    if client == "vscode":
        snippet: JSON = {"servers": {loaded.name: {"type": "stdio", **entry}}}
    else:
        snippet = {"mcpServers": {loaded.name: entry}}
    say(json.dumps(snippet, indent=2, ensure_ascii=False))
    say(f"Paste it into {_PLACES[client]}.", err=True)
    if client == "claude-code":
        say(shlex.join(["claude", "mcp", "add", loaded.name, "--", str(entry["command"]), *arguments]), err=True)


def find_command() -> str:
    """Return the absolute path of this installation's `mcp-sim`: clients start it without the shell's PATH."""
    beside = Path(sys.executable).with_name("mcp-sim")
    return str(beside) if beside.exists() else shutil.which("mcp-sim") or str(Path(sys.argv[0]).resolve())
