"""Names into objects: opens and closes what must be opened and closed.

For: building a simulator from what the doors were told.
Looks at: everything below.
Touches: nothing itself; it makes the objects that do.
"""

import importlib
import logging
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer, Transition
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.behaving import Behaving
from mcp_sim.predictors.behaviours.behaviour import Behaviour
from mcp_sim.predictors.memory import Memory
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.sessions.name import DEFAULT_SESSION
from mcp_sim.simulator import Outcome, Simulator
from mcp_sim.tool_specs.bundled import bundled_folder

logger = logging.getLogger(__name__)

BEHAVIOURS = "mcp_sim.behaviours"
"""The entry point group in which behaviours are found by name."""


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How sessions are kept: `keep` names the one that is kept in a file and answers calls that name none."""

    keep: str | None = None
    seed: int | None = None
    fsync: bool = False
    max_sessions: int = 10_000
    idle_seconds: float = 3600.0

    @property
    def default_session(self) -> str:
        """The session of calls that name none."""
        return self.keep or DEFAULT_SESSION


def sessions_folder(world_key: str | None = None) -> Path:
    """Return the folder of all kept sessions, or of those of one world; it need not exist."""
    folder = user_data_path("mcp-sim", appauthor=False) / "sessions"
    return folder / world_key if world_key else folder


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model answers where nothing else can, and how it is asked; `None` leaves it to the world and to the published defaults."""

    url: str
    name: str | None = None
    api_key: str | None = None
    concurrency: int = 8
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    thinking: str | None = None
    on_slow: str = "no-thinking"


@dataclass(frozen=True, slots=True)
class ShadowOptions:
    """The real server behind a simulated one: a command that starts it with an environment, or a URL with headers."""

    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SimulatorOptions:
    """How a simulator is opened. With `frozen` nothing is imagined: what is neither frozen nor computed is an error. With `shadow` a real
    server answers the tools that the world's settings list as `real_reads`.
    """

    sessions: SessionOptions = SessionOptions()
    model: ModelOptions | None = None
    frozen: bool = False
    answer_within_seconds: float = math.inf
    shadow: ShadowOptions | None = None


@asynccontextmanager
async def open_simulator(
    world: World,
    options: SimulatorOptions,
    *,
    listener: Callable[[Action, Outcome], None] | None = None,
    on_use: Callable[[FrozenAnswer], None] | None = None,
    on_pin: Callable[[FrozenAnswer], None] | None = None,
) -> AsyncIterator[Simulator]:
    """Give a simulator of the world for the length of the block.

    `listener` is told each action and its outcome, `on_use` each frozen answer that was given. With `on_pin`, what had to be imagined is
    a frozen answer from then on, and `on_pin` is told.

    Raises:
        SetupError: a behaviour is missing or its options are wrong, the kept session is not of this world, or the model's URL is none.
    """
    _log_mending(world)
    async with AsyncExitStack() as stack:
        end = _choose_end(options, stack)
        if world.parts:
            if options.shadow is not None:
                raise SetupError("Several worlds have no one real server behind them: serve each with its own.")
            world, predictor = _build_parts(world, end, on_use, on_pin)
        else:
            shadow = None if options.shadow is None else partial(_build_shadow, options.shadow, stack)
            world, predictor = _build_chain(world, end(world), on_use, on_pin, shadow)
        yield Simulator(world, Memory(predictor), _build_store(world, options.sessions), listener)


def open_parts(simulator: Simulator) -> dict[str, Simulator]:
    """Return a simulator of each of the worlds that were put together, by name and under their own names, over the same sessions."""
    separate = load("mcp_sim.tool_specs.combining:separate")
    rename_action = load("mcp_sim.tool_specs.renaming:rename_action")
    renamed = load("mcp_sim.predictors.routed:Renamed")
    parts: dict[str, Simulator] = {}
    for part in simulator.world.parts:
        served = {own: name for name, own in part.own_names.items()}
        tools = {own: name for own, name in served.items() if name in part.tools_by_name}
        prompts = {own: name for own, name in served.items() if part.offers.prompt(name)}
        rename = partial(rename_action, tools=tools, prompts=prompts)
        parts[part.name] = simulator.beside(separate(part), partial(renamed, rename))
    return parts


def _choose_end(options: SimulatorOptions, stack: AsyncExitStack) -> Callable[[World], Predictor]:
    """Return what builds the end of a chain: what answers where no behaviour and no frozen answer does."""
    if options.frozen:
        return lambda world: Deferred(lambda: _build_frozen_end(world))
    if options.model is None:
        return lambda world: _beside_offers(world, Deferred(lambda: _build_embedded(world)))
    build = _connect_model(options.model, options.answer_within_seconds, stack)
    return lambda world: _beside_offers(world, build(world))


def _beside_offers(world: World, last: Predictor) -> Predictor:
    if not world.offers.has_resources and not world.offers.has_prompts:
        return last
    offered: Predictor = load("mcp_sim.predictors.offered:Offered")(world.offers, last)
    return offered


def _build_parts(
    world: World,
    end: Callable[[World], Predictor],
    on_use: Callable[[FrozenAnswer], None] | None,
    on_pin: Callable[[FrozenAnswer], None] | None,
) -> tuple[World, Predictor]:
    """Build a chain for each of the worlds put together: each tool is answered in its own world's way, from the state that all share."""
    built = [_build_chain(part, end(part), on_use, on_pin) for part in world.parts]
    parts = tuple(part for part, _ in built)
    calls = {tool.name: (part, Action.call(tool.name)) for part in parts for tool in part.tools}
    effects = {name: part.mutates(call) for name, (part, call) in calls.items()}
    volatile = frozenset(name for name, (part, call) in calls.items() if part.is_volatile(call))
    world = world.model_copy(update={"parts": parts, "effects": effects, "volatile_tools": volatile})
    return world, load("mcp_sim.predictors.routed:Routed")({part.key: predictor for part, predictor in built})


def _log_mending(world: World) -> None:
    mended = [tool for tool in world.tools if tool.mended]
    if mended or world.left_out:
        counts = f"{len(mended)} of {len(world.tools)} tools are served mended, {len(world.left_out)} are left out"
        logger.warning("%s: %s; `mcp-sim tools %s` says why", world.name, counts, world.source)
    for notice in world.notices:
        logger.warning("%s", notice)


async def compose_prompt(world: World, sessions: SessionOptions, action: Action) -> list[dict[str, str]]:
    """Return the messages that a model would be sent for the action in the default session, each with `role` and `content`.

    Raises:
        SetupError: the domain's prompt cannot be read, or the kept session is not of this world.
    """
    part = world.part_of(action)
    template = load("mcp_sim.predictors.language.system_message:read_template")(bundled_folder("prompts"), part.settings.domain)
    settings = load("mcp_sim.predictors.language.settings:settle")(part)
    prompter = load("mcp_sim.predictors.language.prompt:Prompter")(part, template, settings.max_tokens, settings.demonstration_characters)
    async with _build_store(world, sessions).lease(sessions.default_session, alone=False) as lease:
        messages: list[dict[str, str]] = prompter.compose(lease.session, action).messages
    return messages


class Deferred:
    """A predictor that is built when it is first asked, so that what it needs is not loaded before."""

    def __init__(self, build: Callable[[], Predictor]) -> None:
        self._build = build
        self._built: Predictor | None = None

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        if self._built is None:
            self._built = self._build()
        return await self._built.predict(session, action, context)


def load(name: str) -> Any:
    """Return what `module:attribute` names, and import its module only now."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _build_chain(
    world: World,
    last: Predictor,
    on_use: Callable[[FrozenAnswer], None] | None,
    on_pin: Callable[[FrozenAnswer], None] | None,
    shadow: Callable[[World, Predictor], Predictor] | None = None,
) -> tuple[World, Predictor]:
    predictor = last
    for behaviour, names in reversed(list(_bind_behaviours(world).values())):
        predictor = Behaving(behaviour, names, predictor)
    world = settle_effects(world)
    if shadow is not None:
        predictor = shadow(world, predictor)
    if world.frozen or on_pin is not None:
        answers = load("mcp_sim.predictors.frozen_answers:FrozenAnswers")
        frozen: Predictor = answers(world.frozen, predictor, world.settings.frozen, on_use, on_pin)
        predictor = Deferred(lambda: load("mcp_sim.predictors.engine.learned:Learned")(_build_engine(world), world.effects, frozen))
    return world, predictor


def settle_effects(world: World) -> World:
    """Return the world with what its behaviours say of their tools: what they change, and which answer differently each time.

    Raises:
        SetupError: a behaviour is not installed, or its options are wrong.
    """
    effects: dict[str, bool] = {}
    volatile: set[str] = set()
    for behaviour, names in reversed(list(_bind_behaviours(world).values())):
        effects |= {tool: behaviour.mutates[own] for tool, own in names.items()}
        volatile |= {tool for tool, own in names.items() if own in behaviour.volatile}
    return world.model_copy(update={"effects": effects, "volatile_tools": frozenset(volatile)})


def _build_shadow(options: ShadowOptions, stack: AsyncExitStack, world: World, following: Predictor) -> Predictor:
    """Put the real server before what simulates: it is asked for the listed reads, and for nothing else."""
    reads = world.settings.shadow.real_reads
    changing = [tool.name for tool in world.tools if _any_matches(reads, tool.name) and world.mutates(Action.call(tool.name))]
    if changing:
        raise SetupError(
            f"world.toml: shadow.real_reads names {', '.join(changing)}, which may change the real server. Take it out; "
            f"or, if you know that it only reads, name it in `reading` as well."
        )
    if options.url is None:
        line = load("mcp_sim.protocol.real_line:CommandLine")(options.command, options.environment)
    else:
        line = load("mcp_sim.protocol.real_line:UrlLine")(options.url, options.headers)
    known = {"filesystem": "files:FilesOverlay", "memory": "graph:GraphOverlay"}
    own = [load(f"mcp_sim.predictors.shadow.{known[name]}")() for name in _bind_behaviours(world) if name in known]
    things = load("mcp_sim.predictors.shadow.things:ThingsOverlay")(_build_engine(world))
    server = load("mcp_sim.protocol.real_server:RealServer")(line, reads, [*own, things], following)
    stack.push_async_callback(server.aclose)
    predictor: Predictor = server
    return predictor


def _any_matches(globs: tuple[str, ...], name: str) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def find_behaviours(world: World) -> dict[str, str]:
    """Return, for each tool that a behaviour answers, the behaviour's name.

    Raises:
        SetupError: a behaviour is not installed, or its options are wrong.
    """
    bound = _bind_behaviours(world)
    return {tool: name for name in reversed(bound) for tool in bound[name][1]}


def _bind_behaviours(world: World) -> dict[str, tuple[Behaviour, dict[str, str]]]:
    """The world's behaviours by name, each with the tools that it answers: their names in the world, and in the behaviour."""
    bound: dict[str, tuple[Behaviour, dict[str, str]]] = {}
    for name, options in world.settings.behaviours.items():
        behaviour = _build_behaviour(name, {key: value for key, value in options.items() if key != "names"})
        names = {tool: own for tool in world.tools_by_name if (own := world.own_names.get(tool, tool)) in behaviour.mutates}
        for tool, own in _read_names(name, options).items():
            if tool not in world.tools_by_name or own not in behaviour.mutates:
                place = f"world.toml: behaviours.{name}.names: {tool!r} = {own!r}"
                raise SetupError(f"{place} must be a tool of this world and one of the behaviour's: {', '.join(behaviour.mutates)}.")
            names[tool] = own
        bound[name] = behaviour, names
    return bound


def _read_names(behaviour: str, options: dict[str, Any]) -> dict[str, str]:
    names = options.get("names", {})
    if not isinstance(names, dict) or not all(isinstance(own, str) for own in names.values()):
        raise SetupError(f'world.toml: behaviours.{behaviour}.names must be a table of texts: names = {{theirs = "ours"}}.')
    return names


def _build_embedded(world: World) -> Predictor:
    """The end of the chain without a model: the engine, and an example where it cannot tell."""
    return _build_reasoning(world, load("mcp_sim.predictors.example:ExamplePredictor")(world), may_imagine=True)


def _build_frozen_end(world: World) -> Predictor:
    """The end of the chain where nothing may be imagined: the engine where it is certain, and an error where it is not."""
    return _build_reasoning(world, load("mcp_sim.predictors.frozen_only:FrozenOnly")(world.frozen), may_imagine=False)


def _build_reasoning(world: World, following: Predictor, *, may_imagine: bool) -> Predictor:
    reasoning = load("mcp_sim.predictors.engine.reasoning:Reasoning")(_build_engine(world), may_imagine)
    return Behaving(reasoning, {name: name for name in world.tools_by_name}, following)


def _build_guarded(world: World, model: Predictor) -> Predictor:
    """The end of the chain with a model: the engine where it is certain, and the model, under guard, where it is not."""
    guarded = load("mcp_sim.predictors.engine.guard:Guarded")(_build_engine(world), model)
    return _build_reasoning(world, guarded, may_imagine=False)


def _build_engine(world: World) -> Any:
    return load("mcp_sim.predictors.engine.engine:Engine")(world)


def _connect_model(model: ModelOptions, answer_within_seconds: float, stack: AsyncExitStack) -> Callable[[World], Predictor]:
    """Open the connection that all worlds share, and return what builds the end of a chain with the model behind it."""
    asked = asdict(model)
    if math.isfinite(answer_within_seconds):  # the model counts 60% of it back from a call's deadline
        asked["answer_within_seconds"] = answer_within_seconds
    connection = load("mcp_sim.predictors.language.connection:connect")(
        asked.pop("url"), model_name=asked.pop("name"), api_key=asked.pop("api_key"), concurrency=asked.pop("concurrency")
    )
    stack.push_async_callback(connection.aclose)

    def build(world: World) -> Predictor:
        language_model: Predictor = load("mcp_sim.predictors.language.connection:build_language_world_model")(
            world, connection, bundled_folder("prompts"), embedded=Deferred(lambda: _build_embedded(world)), **asked
        )
        return Deferred(lambda: _build_guarded(world, language_model))

    return build


def _build_behaviour(name: str, options: dict[str, Any]) -> Behaviour:
    found = {entry.name: entry for entry in entry_points(group=BEHAVIOURS)}
    if name not in found:
        raise SetupError(f"world.toml: there is no behaviour {name!r}. Installed: {', '.join(sorted(found)) or 'none'}.")
    behaviour: Behaviour = found[name].load()(options)
    return behaviour


def _build_store(world: World, options: SessionOptions) -> Any:
    in_memory = InMemoryStore(world, seed=options.seed or 0, max_sessions=options.max_sessions, idle_seconds=options.idle_seconds)
    if options.keep is None:
        return in_memory
    kept = load("mcp_sim.sessions.kept:KeptStore")(world, sessions_folder(world.key), seed=options.seed, fsync=options.fsync)
    kept.open(options.keep).check()
    return load("mcp_sim.sessions.one_kept:OneKept")(options.keep, kept, in_memory)
