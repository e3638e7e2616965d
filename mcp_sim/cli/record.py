"""`mcp-sim record`."""

import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import click
from anyio.abc import TaskGroup

from mcp_sim.assemble.behaviours import settle_effects
from mcp_sim.assemble.keeping import sessions_folder
from mcp_sim.assemble.loading import load
from mcp_sim.assemble.offline import refuse
from mcp_sim.cli.headers import read_headers
from mcp_sim.cli.options import Address
from mcp_sim.cli.terminal import say
from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.errors import SetupError
from mcp_sim.protocol.recording.reading_along import ReadingAlong
from mcp_sim.protocol.recording.recorder import Recorder
from mcp_sim.protocol.recording.stdio_proxy import forward
from mcp_sim.sessions.name import check_session_name
from mcp_sim.tool_specs.bundled import WORLD_NAME, place_user_world, project_worlds
from mcp_sim.tool_specs.secrets import conceal, secrets_in_texts, secrets_in_values, secrets_of_shell
from mcp_sim.tool_specs.world_folder import load_world

_ASKING_SECONDS = 30.0
_REASON_CHARACTERS = 300

_Say = Callable[[str], None]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("world")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--url", metavar="URL", help="The server is at this URL (streamable HTTP or its older event stream).")
@click.option("--header", "headers", multiple=True, metavar="'KEY: VALUE'", help="With --url: send this header too. It is not kept.")
@click.option("--http", "address", type=Address(), help="With --url: where clients connect.  [default: 127.0.0.1, a free port]")
@click.option("--session", "session", metavar="NAME", help="The session that is recorded.  [default: recorded-DATE-TIME]")
@click.option(
    "--redact", "patterns", multiple=True, metavar="REGEX", help="Leave this out too of what is kept (RE2; its first group, if any)."
)
@click.option("--no-redact", is_flag=True, help="Keep everything, secrets as well.")
@click.pass_context
def record(
    ctx: click.Context,
    world: str,
    command: tuple[str, ...],
    url: str | None,
    headers: tuple[str, ...],
    address: tuple[str, int] | None,
    session: str | None,
    patterns: tuple[str, ...],
    no_redact: bool,
) -> None:
    """Stand between a client and a real server, change nothing, and keep in WORLD what is answered.

    Put this command where the client has the server's own. WORLD is a world of your own, or the path of a folder that is to hold it: its
    lists, answers that can be replayed (frozen.jsonl) and demonstrations; the calls are a session as well. Each is written within
    a tenth of a second. What looks like a secret is kept as {{redacted:1a2b3c}}, and is still recognised when it is replayed.

    \b
    Examples:
      mcp-sim record ./tool_specs/files -- npx -y @modelcontextprotocol/server-filesystem /tmp
      mcp-sim record tracker --url https://mcp.example.com/mcp --header 'Authorization: Bearer TOKEN'
      mcp-sim record bank --redact 'DE[0-9]{20}' -- uvx my-bank-server
      mcp-sim serve ./tool_specs/files --frozen           the server is gone, and answers as it did
    """
    if (url is None) == (not command):
        raise click.UsageError("Give either a command after -- or --url.")
    if url is None and (headers or address):
        raise click.UsageError("--header and --http have a meaning only with --url.")
    if no_redact and patterns:
        raise click.UsageError("--redact and --no-redact contradict each other.")
    if no_redact:
        _say("--no-redact: tokens, passwords and whatever else is secret in calls and answers is kept as it is. Do not share this world.")
    if url is not None:
        refuse("servers at a URL")
    sent = read_headers(headers)
    known = _secrets(command, url, sent)

    def tell(message: str) -> None:
        text = conceal(message, known)
        _say(text if len(text) <= _REASON_CHARACTERS else text[:_REASON_CHARACTERS].rstrip() + " ...")

    folder = _place(world)
    name = check_session_name(session or f"recorded-{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}")
    recorder = Recorder(
        folder,
        lambda: settle_effects(load_world(world if WORLD_NAME.fullmatch(world) else folder)),
        lambda found: sessions_folder(found.key) / f"{name}.jsonl",
        redaction=None if no_redact else RedactionSettings(key=secrets.token_hex(16), patterns=patterns),
        secrets=() if no_redact else known,
        command=command,
    )
    if recorder.session_path is not None and recorder.session_path.exists():
        raise SetupError(f"There is a session {name!r} of this world already: name another with --session.")
    try:
        if url is None:
            code = anyio.run(_over_stdio, command, recorder, tell)
        else:
            code = anyio.run(_over_http, url, sent, address or ("127.0.0.1", 0), recorder, tell)
    except SetupError as error:
        raise SetupError(conceal(str(error), known)) from error
    finally:
        _report(recorder, world, tell)
    ctx.exit(code)


async def _over_stdio(command: Sequence[str], recorder: Recorder, tell: _Say) -> int:
    async def ask() -> Any:
        return await load("mcp_sim.protocol.capture:capture_command")(command, environment=os.environ, timeout_seconds=_ASKING_SECONDS)

    async with _reading(recorder, ask, tell) as reading:
        return await forward(command, os.environ, client_said=reading.client_said, server_said=reading.server_said)


async def _over_http(url: str, headers: Mapping[str, str], address: tuple[str, int], recorder: Recorder, tell: _Say) -> int:
    async def ask() -> Any:
        return await load("mcp_sim.protocol.capture:capture_url")(url, headers=headers, timeout_seconds=_ASKING_SECONDS)

    async with _reading(recorder, ask, tell) as reading:
        app = load("mcp_sim.protocol.recording.http_proxy:build_proxy")(url, headers, reading, host=address[0])
        async with load("mcp_sim.protocol.http:serving")(app, *address) as served:
            shown = served.removesuffix("/mcp") + (urlsplit(url).path or "/")
            tell(f"recording on {shown}, which stands for {urlsplit(url).hostname}; press Ctrl-C to stop.")
            await load("mcp_sim.cli.serve:wait_for_signal")()
    return 0


@asynccontextmanager
async def _reading(recorder: Recorder, ask: Callable[[], Awaitable[Any]], tell: _Say) -> AsyncIterator[ReadingAlong]:
    """Give who reads along. Where a client calls and has not asked for the tools, another one is sent to `ask`."""
    failures: list[Exception] = []
    async with anyio.create_task_group() as tasks:

        async def complete() -> None:
            tell("the client calls tools that it has not asked for: another client asks the server for its lists, once.")
            try:
                captured = await ask()
            except SetupError as error:
                tell(f"its lists cannot be had ({error}), so nothing is kept before the client asks for them.")
                return
            recorder.keep_greeting(captured.server)
            for method, result in {**captured.lists, "tools/list": captured.tools}.items():
                recorder.keep_page(method, result, is_first=True)

        reading = ReadingAlong(recorder, tell, lambda: _begin(tasks, complete))
        try:
            yield reading
        except Exception as error:
            failures.append(error)  # raised below: the task group would hide it in a group
    reading.close()
    if failures:
        raise failures[0]


def _begin(tasks: TaskGroup, task: Callable[[], Coroutine[Any, Any, None]]) -> None:
    tasks.start_soon(task)


def _place(world: str) -> Path:
    if not WORLD_NAME.fullmatch(world):
        if "/" not in world and os.sep not in world:
            raise SetupError(f"{world!r} is no world's name, and a path needs a slash: ./{world}")
        return Path(world).expanduser().resolve()
    return project_worlds().get(world) or place_user_world(world)


def _secrets(command: Sequence[str], url: str | None, headers: Mapping[str, str]) -> set[str]:
    """Return what is known to be secret before anything was said."""
    known = secrets_in_texts(command if url is None else [url]) | set(headers.values()) | secrets_in_values(headers)
    return known | secrets_of_shell(os.environ) if url is None else known


def _report(recorder: Recorder, world: str, tell: _Say) -> None:
    for reason, count in recorder.notices.items():
        tell(f"{reason}{f' ({count} times)' if count > 1 else ''}")
    if recorder.world is None:
        tell("nothing was recorded: no client asked for the tools or called one.")
        return
    path = recorder.session_path
    name = path.stem if path else ""
    tell(f"{recorder.turns} answers are session {name!r} of {recorder.world.source}, which has {recorder.answers} frozen answers.")
    if recorder.answers:
        tell(f"replay them: mcp-sim serve {world} --frozen")


def _say(message: str) -> None:
    say(f"mcp-sim record: {message}", err=True)
