"""The options of shadow mode."""

import os
import sys
from collections.abc import Sequence

import click

from mcp_sim.assemble.behaviours import settle_effects
from mcp_sim.assemble.options import RealOptions
from mcp_sim.cli.terminal import say
from mcp_sim.core.action import Action
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError


def read_shadow(command: Sequence[str], url: str | None, headers: dict[str, str]) -> RealOptions:
    """Return where the real server is.

    Raises:
        click.UsageError: neither a command nor a URL says so, or both do.
    """
    if (url is None) == (not command):
        raise click.UsageError("--shadow wants one WORLD and the real server's command behind --, or --shadow-url.")
    if headers and url is None:
        raise click.UsageError("--shadow-header has a meaning only with --shadow-url.")
    return RealOptions(tuple(command), dict(os.environ), url, headers)


def allow_reads(world: World) -> World:
    """Return the world with a list of the tools that may go to the real server: its own, or one that the person at the terminal accepts.

    Raises:
        SetupError: it has none, and nobody accepts one.
    """
    if world.settings.shadow.real_reads:
        return world
    proposed = propose_reads(settle_effects(world))
    snippet = "\n[shadow]\nreal_reads = [" + ", ".join(f'"{name}"' for name in proposed) + "]\n"
    message = (
        f"{world.name} does not say which tools may go to the real server. What a tool says of itself is not trusted: "
        f"read this list, correct it, and put it at the end of its world.toml.\n{snippet}"
    )
    if not sys.stdin.isatty() or not proposed:
        raise SetupError(message)
    say(message, err=True)
    if not click.confirm("Let these go to the real server, for this once?", err=True):
        raise SetupError("Nothing was served: no tool may go to the real server.")
    shadow = world.settings.shadow.model_copy(update={"real_reads": tuple(proposed)})
    return world.model_copy(update={"settings": world.settings.model_copy(update={"shadow": shadow})})


def propose_reads(world: World) -> list[str]:
    """Return the tools that only read by all that is known: by their hint, by the verb in their name, and by the world."""
    return [
        tool.name
        for tool in world.tools
        if tool.annotations.get("readOnlyHint") is True
        and not ToolSpec(name=tool.name, input_schema={}, definition={}).mutates
        and not world.mutates(Action.call(tool.name))
    ]
