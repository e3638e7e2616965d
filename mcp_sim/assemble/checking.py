"""What is wrong in a world's settings, found before anybody calls a tool of it."""

import os
from fnmatch import fnmatchcase

from mcp_sim.assemble.behaviours import settle_effects
from mcp_sim.assemble.loading import load
from mcp_sim.core.action import Action
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.world_folder import find_world


def check_world(world: World) -> World:
    """Return the world as its behaviours see it, where its settings can be served.

    Raises:
        SetupError: a behaviour is missing or its options are wrong, a pattern or path of `frozen` cannot be read, or `shadow.real_reads`
            names a tool that may change something.
    """
    if world.parts:
        return world.model_copy(update={"parts": tuple(check_world(part) for part in world.parts)})
    try:
        return _checked(world)
    except SetupError as error:
        if not world.source or not str(error).startswith("world.toml:"):
            raise
        raise SetupError(f"{find_world(world.source)}{os.sep}{error}") from error


def _checked(world: World) -> World:
    world = settle_effects(world)
    frozen = world.settings.frozen
    if frozen.patterns or frozen.ignore or frozen.redaction.patterns:
        load("mcp_sim.predictors.sameness:Sameness")(frozen)
    reads = world.settings.shadow.real_reads
    changing = [
        tool.name for tool in world.tools if any(fnmatchcase(tool.name, glob) for glob in reads) and world.mutates(Action.call(tool.name))
    ]
    if changing:
        raise SetupError(
            f"world.toml: shadow.real_reads names {', '.join(changing)}, which may change the real server. Take it out; "
            f"or, if you know that it only reads, name it in `reading` as well."
        )
    return world
