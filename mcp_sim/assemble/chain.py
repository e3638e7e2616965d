"""The chain of predictors of a world."""

from collections.abc import Callable

from mcp_sim.assemble.behaviours import bind_behaviours, is_recorded
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
    *,
    is_strict: bool = False,
) -> tuple[World, Predictor]:
    """Build the chain of one world, memory aside, and return it with the world as its behaviours see it.

    If it `is_strict`, what was not recorded is told by nobody, or by a real server: a behaviour of a recorded world has nothing to say.

    Raises:
        SetupError: a behaviour is missing or its options are wrong, or the frozen answers cannot be matched as world.toml says.
    """
    world = check_world(world)
    predictor = last
    for name, (behaviour, names) in reversed(list(bind_behaviours(world).items())):
        following, behaving = predictor, Behaving(behaviour, names, predictor)
        if not is_recorded(world, name) or (shadow is not None and not is_strict):
            predictor = behaving
        elif not is_strict:
            predictor = _stand_in(world, name, behaving, following)
    if shadow is not None:
        predictor = shadow(world, predictor)
    if world.frozen or on_pin is not None:
        answers = load("mcp_sim.predictors.frozen_answers:FrozenAnswers")
        frozen: Predictor = answers(world.frozen, predictor, world.settings.frozen, on_use, on_pin)
        predictor = Deferred(lambda: load("mcp_sim.predictors.engine.learned:Learned")(_build_engine(world), world.effects, frozen))
    return world, predictor


def _stand_in(world: World, name: str, behaving: Predictor, following: Predictor) -> Predictor:
    """What answers for a behaviour whose server was recorded: from the recording, as far as it goes."""
    if name == "sqlite":  # no read of a client tells what is in all tables
        return following
    known = {"filesystem": "files:FilesOverlay", "memory": "graph:GraphOverlay"}
    if name not in known:
        return behaving
    overlay = load(f"mcp_sim.predictors.shadow.{known[name]}")(**({"learns_listings": True} if name == "filesystem" else {}))
    recorded: Predictor = load("mcp_sim.predictors.shadow.recorded:Recorded")(
        world.frozen, world.first_state_hash, overlay, behaving, following
    )
    return recorded


def build_parts(
    world: World,
    end: Callable[[World], Predictor],
    on_use: Callable[[FrozenAnswer], None] | None,
    on_pin: Callable[[FrozenAnswer], None] | None,
    *,
    is_strict: bool = False,
) -> tuple[World, Predictor]:
    """Build a chain for each of the worlds put together: each tool is answered in its own world's way, from the state that all share."""
    built = [build_chain(part, end(part), on_use, on_pin, is_strict=is_strict) for part in world.parts]
    parts = tuple(part for part, _ in built)
    calls = {tool.name: (part, Action.call(tool.name)) for part in parts for tool in part.tools}
    effects = {name: part.mutates(call) for name, (part, call) in calls.items()}
    volatile = frozenset(name for name, (part, call) in calls.items() if part.is_volatile(call))
    world = world.model_copy(update={"parts": parts, "effects": effects, "volatile_tools": volatile})
    return world, load("mcp_sim.predictors.routed:Routed")({part.key: predictor for part, predictor in built})
