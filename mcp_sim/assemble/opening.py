"""Simulators, opened and closed."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from mcp_sim.assemble.chain import build_chain, build_parts
from mcp_sim.assemble.ends import choose_end
from mcp_sim.assemble.keeping import build_store
from mcp_sim.assemble.loading import load
from mcp_sim.assemble.offline import refuse
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.assemble.real import build_shadow
from mcp_sim.core.action import Action
from mcp_sim.core.counted import count_of
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.memory import Memory
from mcp_sim.simulator import Outcome, Simulator
from mcp_sim.tool_specs.bundled import bundled_folder

logger = logging.getLogger(__name__)


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
    for what, asked in (("models", options.model), ("real servers", options.shadow or options.real)):
        if asked is not None:
            refuse(what)
    _log_mending(world)
    async with AsyncExitStack() as stack:
        end = choose_end(options, stack)
        is_strict = options.frozen or options.real is not None
        if world.parts:
            if options.shadow is not None or options.real is not None:
                raise SetupError("Several worlds have no one real server behind them: serve each with its own.")
            world, predictor = build_parts(world, end, on_use, on_pin, is_strict=is_strict)
        else:
            shadow = None if options.shadow is None else partial(build_shadow, options.shadow, stack)
            world, predictor = build_chain(world, end(world), on_use, on_pin, shadow, is_strict=is_strict)
        yield Simulator(world, Memory(predictor), build_store(world, options.sessions), listener)


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


async def compose_prompt(world: World, options: SimulatorOptions, action: Action) -> list[dict[str, str]]:
    """Return the messages that a model would be sent for the action in the default session, each with `role` and `content`.

    Raises:
        SetupError: the domain's prompt cannot be read, or the kept session is not of this world.
    """
    part = world.part_of(action)
    template = load("mcp_sim.predictors.language.system_message:read_template")(bundled_folder("prompts"), part.settings.domain)
    asked = {} if options.model is None else {"max_tokens": options.model.max_tokens, "state_in_prompt": options.model.state_in_prompt}
    settings = load("mcp_sim.predictors.language.settings:settle")(part, **asked)
    prompter = load("mcp_sim.predictors.language.prompt:Prompter")(
        part, template, settings.max_tokens, settings.demonstration_characters, state_in_prompt=settings.state_in_prompt
    )
    async with build_store(world, options.sessions).lease(options.sessions.default_session, alone=False) as lease:
        messages: list[dict[str, str]] = prompter.compose(lease.session, action).messages
    return messages


def _log_mending(world: World) -> None:
    why = f"`mcp-sim tools {world.source}` says why"
    if mended := sum(bool(tool.mended) for tool in world.tools):  # for -v: capture, lint and tools have told it
        logger.info("%s: %s of its %s had to be mended; %s", world.name, mended, count_of(len(world.tools), "tool"), why)
    if world.left_out:
        logger.warning("%s: %s cannot be served; %s", world.name, count_of(len(world.left_out), "tool"), why)
    for notice in world.notices:
        logger.warning("%s", notice)
