"""The chain of predictors of a world."""

from collections.abc import Callable

from mcp_sim.assemble.behaviours import bind_behaviours
from mcp_sim.assemble.checking import check_world
from mcp_sim.assemble.ends import _build_engine
from mcp_sim.assemble.loading import Deferred, load
from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Predictor
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.predictors.behaving import Behaving


def build_chain(
    world: World,
    last: Predictor,
    on_use: Callable[[FrozenAnswer], None] | None,
    on_pin: Callable[[FrozenAnswer], None] | None,
    shadow: Callable[[World, Predictor], Predictor] | None = None,
) -> tuple[World, Predictor]:
    """Build the chain of one world, memory aside, and return it with the world as its behaviours see it.

    Raises:
        SetupError: a behaviour is missing or its options are wrong, or the frozen answers cannot be matched as world.toml says.
    """
    world = check_world(world)
    predictor = last
    for behaviour, names in reversed(list(bind_behaviours(world).values())):
        predictor = Behaving(behaviour, names, predictor)
    if shadow is not None:
        predictor = shadow(world, predictor)
    if world.frozen or on_pin is not None:
        answers = load("mcp_sim.predictors.frozen_answers:FrozenAnswers")
        frozen: Predictor = answers(world.frozen, predictor, world.settings.frozen, on_use, on_pin)
        predictor = Deferred(lambda: load("mcp_sim.predictors.engine.learned:Learned")(_build_engine(world), world.effects, frozen))
    return world, predictor


def build_parts(
    world: World,
    end: Callable[[World], Predictor],
    on_use: Callable[[FrozenAnswer], None] | None,
    on_pin: Callable[[FrozenAnswer], None] | None,
) -> tuple[World, Predictor]:
    """Build a chain for each of the worlds put together: each tool is answered in its own world's way, from the state that all share."""
    built = [build_chain(part, end(part), on_use, on_pin) for part in world.parts]
    parts = tuple(part for part, _ in built)
    calls = {tool.name: (part, Action.call(tool.name)) for part in parts for tool in part.tools}
    effects = {name: part.mutates(call) for name, (part, call) in calls.items()}
    volatile = frozenset(name for name, (part, call) in calls.items() if part.is_volatile(call))
    world = world.model_copy(update={"parts": parts, "effects": effects, "volatile_tools": volatile})
    return world, load("mcp_sim.predictors.routed:Routed")({part.key: predictor for part, predictor in built})
