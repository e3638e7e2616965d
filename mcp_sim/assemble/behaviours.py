"""Which behaviours answer in a world, and what they say of its tools."""

from importlib.metadata import entry_points
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.behaviours.behaviour import Behaviour

BEHAVIOURS = "mcp_sim.behaviours"
"""The entry point group in which behaviours are found by name."""


def find_behaviours(world: World) -> dict[str, str]:
    """Return, for each tool that a behaviour answers, the behaviour's name.

    Raises:
        SetupError: a behaviour is not installed, or its options are wrong.
    """
    bound = bind_behaviours(world)
    return {tool: name for name in reversed(bound) for tool in bound[name][1]}


def settle_effects(world: World) -> World:
    """Return the world with what its behaviours say of their tools: what they change, and which answer differently each time.

    Raises:
        SetupError: a behaviour is not installed, or its options are wrong.
    """
    effects: dict[str, bool] = {}
    volatile: set[str] = set()
    for name, (behaviour, names) in reversed(list(bind_behaviours(world).items())):
        if is_recorded(world, name):
            continue  # why: its answers are kept by what the tools said of themselves when they were recorded
        effects |= {tool: behaviour.mutates[own] for tool, own in names.items()}
        volatile |= {tool for tool, own in names.items() if own in behaviour.volatile}
    return world.model_copy(update={"effects": effects, "volatile_tools": frozenset(volatile)})


def is_recorded(world: World, name: str) -> bool:
    """Whether a behaviour stands for a server that was recorded, so that what was there at first is only known as far as it was asked.

    Raises:
        SetupError: the option is neither true nor false.
    """
    recorded = world.settings.behaviours[name].get("recorded", False)
    if not isinstance(recorded, bool):
        raise SetupError(f"world.toml: behaviours.{name}.recorded must be true or false.")
    return recorded


def bind_behaviours(world: World) -> dict[str, tuple[Behaviour, dict[str, str]]]:
    """The world's behaviours by name, each with the tools that it answers: their names in the world, and in the behaviour."""
    bound: dict[str, tuple[Behaviour, dict[str, str]]] = {}
    for name, options in world.settings.behaviours.items():
        behaviour = _build_behaviour(name, {key: value for key, value in options.items() if key not in ("names", "recorded")})
        names = {tool: own for tool in world.tools_by_name if (own := world.own_names.get(tool, tool)) in behaviour.mutates}
        for tool, own in _read_names(name, options).items():
            if tool not in world.tools_by_name or own not in behaviour.mutates:
                place = f"world.toml: behaviours.{name}.names: {tool!r} = {own!r}"
                raise SetupError(f"{place} must be a tool of this world and one of the behaviour's: {', '.join(behaviour.mutates)}.")
            names[tool] = own
        if is_recorded(world, name):  # a behaviour that changes what only reads, as its server says, would be out of order
            names = {tool: own for tool, own in names.items() if world.mutates(Action.call(tool)) or not behaviour.mutates[own]}
        bound[name] = behaviour, names
    return bound


def _read_names(behaviour: str, options: dict[str, Any]) -> dict[str, str]:
    names = options.get("names", {})
    if not isinstance(names, dict) or not all(isinstance(own, str) for own in names.values()):
        raise SetupError(f'world.toml: behaviours.{behaviour}.names must be a table of texts: names = {{theirs = "ours"}}.')
    return names


def _build_behaviour(name: str, options: dict[str, Any]) -> Behaviour:
    found = {entry.name: entry for entry in entry_points(group=BEHAVIOURS)}
    if name not in found:
        raise SetupError(f"world.toml: there is no behaviour {name!r}. Installed: {', '.join(sorted(found)) or 'none'}.")
    behaviour: Behaviour = found[name].load()(options)
    return behaviour
