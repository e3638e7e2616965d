"""The command `mcp-sim`."""

import gc
import importlib
import keyword
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mcp_sim import __version__
from mcp_sim.assemble import offline
from mcp_sim.cli.terminal import VisibleFormatter, say, told_if_output_fails
from mcp_sim.errors import McpSimError, SetupError
from mcp_sim.tool_specs.suggestion import suggest

# Each command by the module that holds it, so that a command loads only what it needs.
_COMMANDS = {
    "demo": "demo",
    "serve": "serve",
    "run": "run",
    "call": "call",
    "tools": "tools",
    "capture": "capture",
    "record": "record",
    "wrap": "wrap",
    "import": "import_world",
    "lint": "lint",
    "sessions": "sessions",
    "freeze": "freeze",
    "config": "config",
    "world": "world",
    "model": "model",
    "doctor": "model",
}


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave garbage alone while modules load: they stay for good, and looking through them again and again takes a sixth of the start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class _Commands(click.Group):
    """Loads a command's module when it is named, and turns our errors into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        attribute = f"{name}_" if keyword.iskeyword(name) else name
        with _uncollected():
            module = importlib.import_module(f"mcp_sim.cli.{_COMMANDS[name]}")
        command: click.Command = getattr(module, attribute)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command {name!r}. {suggest(name, _COMMANDS, 'See `mcp-sim --help`.')}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except McpSimError as error:
            say(f"mcp-sim: {error}", err=True)
            ctx.exit(2 if isinstance(error, SetupError) else 1)
        except BrokenPipeError:
            ctx.exit(0)  # whoever read our output has seen enough

    def main(self, *args: Any, **kwargs: Any) -> Any:
        with told_if_output_fails():
            return super().main(*args, **kwargs)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="mcp-sim")
@click.option("-v", "--verbose", count=True, help="Say more in the log on standard error; twice for everything.")
def main(verbose: int) -> None:
    """An MCP server that answers every call of any tool list by predicting its result: imagined once, then frozen.

    \b
    Start here:
      mcp-sim demo                       watch a scripted agent work in a bundled world
      mcp-sim world list                 the worlds that are here
      mcp-sim serve filesystem           serve one over stdio, for a client's config
      mcp-sim config filesystem --client claude-desktop

    A WORLD is a name (in tool_specs/ here, bundled, or your own), or a path (with a slash or ending in .json) to a world folder or to a
    file of tools.
    """
    if offline.is_offline():
        offline.refuse_network()
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(VisibleFormatter("mcp-sim: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("mcp_sim").setLevel(level)
    if verbose < 2:
        logging.getLogger("mcp").setLevel(logging.ERROR)  # the SDK logs every refused request as a warning
        logging.getLogger("mcp.client").setLevel(logging.CRITICAL)  # and every line of noise with a traceback; capture tells of it
