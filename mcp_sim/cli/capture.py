"""`mcp-sim capture`."""

import os
import shlex

import anyio
import click

from mcp_sim.assemble.offline import refuse
from mcp_sim.cli.capturing import keep_captured
from mcp_sim.cli.headers import read_headers
from mcp_sim.cli.terminal import say
from mcp_sim.cli.understood import tell_understood
from mcp_sim.core.counted import count_of
from mcp_sim.errors import SetupError
from mcp_sim.protocol.capture import capture_command, capture_url
from mcp_sim.tool_specs.bundled import place_user_world
from mcp_sim.tool_specs.secrets import conceal, secrets_in_texts, secrets_in_values, secrets_of_shell


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--header", "headers", multiple=True, metavar="'KEY: VALUE'", help="With a URL: send this header too. It is not kept.")
@click.option("--replace", is_flag=True, help="Take the place of a world captured before under this name; its other files stay.")
@click.option("--timeout", "timeout_seconds", default=60.0, show_default=True, type=click.FloatRange(min=1), help="Seconds to wait.")
def capture(name: str, command: tuple[str, ...], headers: tuple[str, ...], replace: bool, timeout_seconds: float) -> None:
    """Read what a real server offers into a world of your own called NAME: tools, resources, prompts, each list exactly as sent.

    COMMAND starts the server, which gets this shell's environment and is ended again; a URL is asked over streamable HTTP, or over the
    older event stream. Only lists are asked for: nothing is called, read or changed.

    \b
    Examples:
      mcp-sim capture files -- npx -y @modelcontextprotocol/server-filesystem /tmp
      mcp-sim capture clock -- uvx mcp-server-time
      mcp-sim capture tracker https://mcp.example.com/mcp --header 'Authorization: Bearer TOKEN'
      mcp-sim serve files
    """
    folder = place_user_world(name)
    is_url = len(command) == 1 and command[0].startswith(("http://", "https://"))
    if headers and not is_url:
        raise click.UsageError("--header has a meaning only with a URL.")
    sent = read_headers(headers)
    where = command[0] if is_url else shlex.join(command)
    secrets = secrets_in_values(sent) | secrets_in_texts(command) | (set() if is_url else secrets_of_shell(os.environ))

    def shown(text: str) -> str:
        return conceal(text, secrets)

    try:
        if is_url:
            refuse("servers at a URL")
            captured = anyio.run(lambda: capture_url(where, headers=sent, timeout_seconds=timeout_seconds))
        else:
            captured = anyio.run(lambda: capture_command(command, environment=os.environ, timeout_seconds=timeout_seconds, conceal=shown))
    except SetupError as error:
        raise SetupError(shown(f"{where}: {error}")) from error
    world, is_redacted = keep_captured(captured, folder, command=() if is_url else command, secrets=secrets, replace=replace)
    are = "is" if len(world.tools) == 1 else "are"
    say(f"{count_of(len(world.tools), 'tool')} of {shown(command[0])!r} {are} now the world {name!r} in {folder}.")
    for notice in captured.notices:
        say(shown(notice))
    if is_redacted:
        say("The server said what it was given as a secret; REDACTED stands in its place.")
    if world.left_out:
        say(f"{len(world.left_out)} cannot be served; `mcp-sim tools {name}` says why.")
    if mended := sum(bool(tool.mended) for tool in world.tools):
        say(f"{count_of(mended, 'tool')} had to be mended for clients; `mcp-sim tools {name}` says why.")
    for line in tell_understood(world, name, f"mcp-sim record {name} {'--url URL' if is_url else '-- ...'}"):
        say(line)
    say(f"Serve it: mcp-sim serve {name}")
