"""`mcp-sim run`."""

import os
import signal
from collections import Counter
from collections.abc import Sequence

import anyio
import click
from anyio.abc import Process
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mcp_sim.assemble import SimulatorOptions, open_simulator
from mcp_sim.cli.options import simulator_options
from mcp_sim.core.action import Action
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError, SetupError
from mcp_sim.protocol.http import build_app, serving
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.simulator import Outcome
from mcp_sim.tool_specs.world_folder import load_world


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("world")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@simulator_options
@click.pass_context
def run(
    ctx: click.Context,
    world: str,
    command: tuple[str, ...],
    options: SimulatorOptions,
) -> None:
    """Serve WORLD while COMMAND runs, report what it called, and exit as it did.

    COMMAND finds the server's URL in the environment variable MCP_SIM_URL (streamable HTTP). Any agent in any language will do.

    \b
    Examples:
      mcp-sim run github -- python my_agent.py
      mcp-sim run ./my-tools.json --seed 7 -- npm test
    """
    tally = Tally()
    code = anyio.run(_serve_and_run, load_world(world), options, tally, command)
    tally.report(Console(stderr=True))
    ctx.exit(code)


class Tally:
    """Counts the calls of a run, by tool and by where the answer came from."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, str]] = Counter()
        self._failures: list[str] = []

    def count(self, action: Action, outcome: Outcome) -> None:
        """Take note of one call."""
        if isinstance(outcome, McpSimError):
            self._failures.append(f"{action.name}: {outcome}")
        else:
            self._answers[action.name, "failed" if outcome.observation.is_error else outcome.source] += 1

    def report(self, console: Console) -> None:
        """Print the counts."""
        columns = sorted({source for _, source in self._answers})
        table = Table(title=f"{self._answers.total()} calls answered", title_justify="left")
        table.add_column("tool")
        for column in columns:
            table.add_column(column, justify="right")
        for name in sorted({name for name, _ in self._answers}):
            table.add_row(escape(name), *(str(self._answers[name, column] or "") for column in columns))
        console.print(table if columns else "No tool was called.")
        for failure in self._failures:
            console.print(f"[red]not answered:[/] {escape(failure)}")


async def _serve_and_run(
    world: World,
    options: SimulatorOptions,
    tally: Tally,
    command: Sequence[str],
) -> int:
    async with open_simulator(world, options, listener=tally.count) as simulator:
        app = build_app(SimulatedServer(simulator, options.sessions.default_session, options.answer_within_seconds), host="127.0.0.1")
        async with serving(app, "127.0.0.1", 0) as url:
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
