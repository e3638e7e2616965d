"""The end of a chain: what answers where no behaviour and no frozen answer does."""

import math
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import Any

from mcp_sim.assemble.loading import Deferred, load
from mcp_sim.assemble.options import ModelOptions, SimulatorOptions
from mcp_sim.core.predictor import Predictor
from mcp_sim.core.world import World
from mcp_sim.predictors.behaving import Behaving
from mcp_sim.tool_specs.bundled import bundled_folder


def choose_end(options: SimulatorOptions, stack: AsyncExitStack) -> Callable[[World], Predictor]:
    """Return what builds the end of a chain: what answers where no behaviour and no frozen answer does."""
    if options.frozen:
        return lambda world: Deferred(lambda: _build_frozen_end(world))
    if options.real is not None:
        connection = load("mcp_sim.assemble.real:connect_real")(options.real, stack)
        return lambda world: Deferred(lambda: _build_real_end(world, connection))
    if options.model is None:
        return lambda world: _beside_offers(world, Deferred(lambda: _build_embedded(world)))
    build = _connect_model(options.model, options.answer_within_seconds, stack)
    return lambda world: _beside_offers(world, build(world))


def _beside_offers(world: World, last: Predictor) -> Predictor:
    if not world.offers.has_resources and not world.offers.has_prompts:
        return last
    offered: Predictor = load("mcp_sim.predictors.offered:Offered")(world.offers, last)
    return offered


def _build_embedded(world: World) -> Predictor:
    """The end of the chain without a model: the engine, and an example where it cannot tell."""
    recorded = any(options.get("recorded") is True for options in world.settings.behaviours.values())
    return _build_reasoning(world, load("mcp_sim.predictors.example:ExamplePredictor")(world), may_imagine=True, recorded=recorded)


def _build_frozen_end(world: World) -> Predictor:
    """The end of the chain where nothing may be imagined: the engine where it is certain, and an error where it is not."""
    return _build_reasoning(world, load("mcp_sim.predictors.frozen_only:FrozenOnly")(world.frozen), may_imagine=False, recorded=True)


def _build_real_end(world: World, connection: Any) -> Predictor:
    """The end of the chain where a real server answers what is not known."""
    misses = load("mcp_sim.protocol.real_misses:RealMisses")(connection, heeds_state=world.settings.frozen.match == "state")
    return _build_reasoning(world, misses, may_imagine=False, computed_only=True, recorded=True)


def _build_reasoning(world: World, following: Predictor, **said: bool) -> Predictor:
    reasoning = load("mcp_sim.predictors.engine.reasoning:Reasoning")(_build_engine(world), **said)
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
