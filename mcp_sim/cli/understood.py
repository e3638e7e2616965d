"""How much of a world code follows, and what helps with the rest."""

from mcp_sim.assemble.behaviours import find_behaviours
from mcp_sim.core.counted import count_of
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine

_MOST_NAMES = 5


def not_understood(world: World, engine: Engine) -> list[str]:
    """Return the names of the tools that neither a behaviour nor the engine follows."""
    behaviours = find_behaviours(world)
    return [name for name, tool in engine.understanding.items() if name not in behaviours and not tool.understood]


def tell_understood(world: World, name: str, record: str) -> list[str]:
    """Return in lines how many tools are followed by code, and what to do about the others.

    `name` is what the world is served by, `record` the command that records it.
    """
    others, explain = not_understood(world, Engine(world)), f"`mcp-sim tools {name} --explain` says how"
    if not others:
        return [f"All of its tools are understood: what they do is followed in a state ({explain})."]
    of_all = count_of(len(world.tools), "tool", ("is", "are"))
    names = ", ".join(others[:_MOST_NAMES]) + (f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else "")
    return [
        f"{len(world.tools) - len(others)} of {of_all} understood: what they do is followed in a state ({explain}).",
        f"The others are answered without state, by example: {names}. What helps them: real answers ({record}), a language model "
        "(--model URL), or a line in world.toml that says what the tool does ([tools.NAME] with kind and resource).",
    ]
