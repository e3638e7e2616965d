"""`mcp-sim run`."""

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import click
from anyio.abc import Process
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table

from mcp_sim.api.coverage import Coverage
from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.assemble.real import read_real, redact_world
from mcp_sim.cli.headers import read_headers
from mcp_sim.cli.options import simulator_options
from mcp_sim.cli.serving import app_of
from mcp_sim.cli.terminal import escape
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.http import serving
from mcp_sim.tool_specs.frozen_file import Pinned, choose_folders, pin
from mcp_sim.tool_specs.world_folder import load_world


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("world")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@simulator_options
@click.option("--refresh", is_flag=True, help="Imagine what is not frozen yet, then freeze it and show the difference.")
@click.option("--real", metavar="SERVER", help="With --refresh: ask a real server, a URL or a command in quotes, and change it.")
@click.option("--real-header", "real_headers", multiple=True, metavar="'KEY: VALUE'", help="With --real URL: send this header too.")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    help="With --refresh: the world folder for frozen.jsonl, made from WORLD if new (of several worlds: the folder around theirs).",
)
@click.pass_context
def run(
    ctx: click.Context,
    world: str,
    command: tuple[str, ...],
    options: SimulatorOptions,
    refresh: bool,
    real: str | None,
    real_headers: tuple[str, ...],
    into: Path | None,
) -> None:
    """Serve WORLD while COMMAND runs, report what it called, and exit as it did; with --frozen as a failure too if an answer was missing.

    COMMAND finds the server's URL in the environment variable MCP_SIM_URL (streamable HTTP). Any agent in any language will do.
    At the end stand the calls by tool and source, the frozen answers that were used and those that were not, and the calls that none fits.

    \b
    Examples:
      mcp-sim run github -- python my_agent.py
      mcp-sim run ./my-tools.json --seed 7 -- npm test
      mcp-sim run github+filesystem -- npm test              several worlds as one
      mcp-sim run ./tool_specs/mine --refresh -- npm test    freeze what it asks
      mcp-sim run ./tool_specs/mine --frozen -- npm test     ask no model, fail where nothing is frozen
      mcp-sim run ./tracker --refresh --real 'npx -y tracker' -- npm test
    """
    if refresh and options.frozen:
        raise click.UsageError("--frozen imagines nothing, and --refresh what is missing: use one of them.")
    if into is not None and not refresh:
        raise click.UsageError("--into has a meaning only with --refresh.")
    loaded, redaction = load_world(world), None
    if real is not None:
        _check_real(refresh, options)
        server = read_real(real, read_headers(real_headers))
        options = replace(options, real=server)
        loaded, redaction = redact_world(loaded, server)
    elif real_headers:
        raise click.UsageError("--real-header has a meaning only with --real URL.")
    folders = choose_folders(loaded, into) if refresh else {}
    coverage = Coverage(loaded)
    code = anyio.run(_serve_and_run, loaded, options, coverage, command, refresh)
    console = Console(stderr=True)
    _report(console, coverage)
    for pinned in pin(loaded, coverage.pinned, folders, redaction) if refresh else ():
        _report_pinned(console, pinned)
    ctx.exit(code or int(options.frozen and bool(coverage.misses)))


def _check_real(refresh: bool, options: SimulatorOptions) -> None:
    if not refresh:
        raise click.UsageError("--real has a meaning only with --refresh.")
    if options.model is not None and click.get_current_context().get_parameter_source("url") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--real and --model both answer what is missing: use one of them.")
    if options.sessions.keep is not None:
        raise click.UsageError("--real keeps what is frozen without secrets, and a session would keep them: leave --session away.")


def _report(console: Console, coverage: Coverage) -> None:
    answers = coverage.answers
    columns = sorted({source for _, source in answers})
    table = Table(title=f"{answers.total()} calls answered", title_justify="left")
    table.add_column("tool")
    for column in columns:
        table.add_column(column, justify="right")
    for name in sorted({name for name, _ in answers}):
        table.add_row(escape(name), *(str(answers[name, column] or "") for column in columns))
    console.print(table if columns else "No tool was called.")
    for line in coverage.report() if coverage.has_frozen or coverage.misses else ():
        console.print(escape(line), soft_wrap=True)
    for failure in dict.fromkeys([*(miss.message for miss in coverage.misses), *coverage.failures]):
        console.print(f"[red]not answered:[/] {escape(failure)}", soft_wrap=True)
    if coverage.misses:
        console.print(escape(coverage.misses[0].remedy), soft_wrap=True)


def _report_pinned(console: Console, pinned: Pinned) -> None:
    for line in pinned.report():
        console.print(escape(line), style="green" if line.startswith("+") else "red" if line.startswith("-") else "", soft_wrap=True)


async def _serve_and_run(
    world: World,
    options: SimulatorOptions,
    coverage: Coverage,
    command: Sequence[str],
    refresh: bool,
) -> int:
    on_pin = coverage.pin if refresh else None
    async with (
        open_simulator(world, options, listener=coverage.count, on_use=coverage.use, on_pin=on_pin) as simulator,
        serving(app_of(simulator, options, host="127.0.0.1"), "127.0.0.1", 0) as url,
    ):
        return await _run(command, {**os.environ, "MCP_SIM_URL": url})


async def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    try:
        process = await anyio.open_process(command, stdin=None, stdout=None, stderr=None, env=environment)
    except OSError as error:
        raise SetupError(f"{command[0]!r} cannot be started: {error.strerror or error}.") from error
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_pass_on_signals, process)
        code = await process.wait()
        tasks.cancel_scope.cancel()
    return 128 - code if code < 0 else code


async def _pass_on_signals(process: Process) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for received in signals:
            process.send_signal(received)
