"""The real server behind a simulated one."""

import os
import secrets
import shlex
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from mcp_sim.assemble.behaviours import bind_behaviours
from mcp_sim.assemble.ends import _build_engine
from mcp_sim.assemble.loading import load
from mcp_sim.assemble.options import RealOptions
from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.predictor import Predictor
from mcp_sim.core.redaction import Redaction
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.secrets import conceal, secrets_in_texts, secrets_in_values, secrets_of_shell


def read_real(text: str, headers: Mapping[str, str] | None = None) -> RealOptions:
    """Return where a real server is: at a URL, or started by a command line, which gets this process's environment.

    Raises:
        SetupError: it is neither, or headers are given for a command.
    """
    if text.startswith(("http://", "https://")):
        return RealOptions(url=text, headers=headers or {})
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise SetupError(f"{text!r} is no command line: {error}.") from error
    if not command:
        raise SetupError("The real server is a URL or a command line such as 'npx -y some-server', and nothing is given.")
    if headers:
        raise SetupError("Headers have a meaning only where the real server is at a URL.")
    return RealOptions(command, dict(os.environ))


def secrets_of(options: RealOptions) -> set[str]:
    """Return what is known to be secret before anything was said."""
    known = secrets_in_texts([*options.command, options.url or ""]) | secrets_in_values(options.headers)
    return known | set(options.headers.values()) | secrets_of_shell(options.environment)


def redact_world(world: World, options: RealOptions) -> tuple[World, Redaction]:
    """Return the world as one that leaves secrets out of what is kept, with the real server's own among them, and what does so.

    Raises:
        SetupError: it is several worlds put together, or a pattern of its redaction is wrong.
    """
    if world.parts:
        raise SetupError("Several worlds have no one real server behind them: refresh each with its own.")
    own, known = world.settings.frozen.redaction, secrets_of(options)
    settings = RedactionSettings(key=own.key or secrets.token_hex(16), patterns=own.patterns, literals=own.literals)
    redaction = Redaction(settings, known)
    settings = settings.model_copy(update={"literals": tuple(sorted({*own.literals, *redaction.own_literals}))})
    frozen = world.settings.frozen.model_copy(update={"redaction": settings})
    return world.model_copy(update={"settings": world.settings.model_copy(update={"frozen": frozen})}), redaction


def connect_real(options: RealOptions, stack: AsyncExitStack) -> Any:
    """Return the connection to the real server, closed with the stack."""
    if options.url is None:
        line = load("mcp_sim.protocol.real_line:CommandLine")(options.command, options.environment)
    else:
        line = load("mcp_sim.protocol.real_line:UrlLine")(options.url, options.headers)
    known = secrets_of(options)
    connection = load("mcp_sim.protocol.real_connection:RealConnection")(line, lambda reason: conceal(reason, known))
    stack.push_async_callback(connection.aclose)
    return connection


def build_shadow(options: RealOptions, stack: AsyncExitStack, world: World, following: Predictor) -> Predictor:
    """Put the real server before what simulates: it is asked for the listed reads, and for nothing else."""
    known = {"filesystem": "files:FilesOverlay", "memory": "graph:GraphOverlay", "sqlite": "database:DatabaseOverlay"}
    own = [load(f"mcp_sim.predictors.shadow.{known[name]}")() for name in bind_behaviours(world) if name in known]
    things = load("mcp_sim.predictors.shadow.things:ThingsOverlay")(_build_engine(world))
    predictor: Predictor = load("mcp_sim.protocol.real_server:RealServer")(
        connect_real(options, stack), world.settings.shadow.real_reads, [*own, things], following
    )
    return predictor
