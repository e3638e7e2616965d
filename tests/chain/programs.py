"""Sequences of calls for property tests, in bundled worlds and in worlds made up on the spot."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from hypothesis import strategies as st

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SessionOptions, SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.simulator import Simulator
from mcp_sim.tool_specs.mending import mend_all
from tests.predictors.instances.schemas import satisfiable

Outcome = Transition | str
"""What came of a call: a transition, or the message of the error."""


def opened(world: World, seed: int = 0) -> AbstractAsyncContextManager[Simulator]:
    """Open the world as the commands do: the whole chain, no model."""
    return open_simulator(world, SimulatorOptions(sessions=SessionOptions(seed=seed)))


async def play(simulator: Simulator, session: str, program: Sequence[Action]) -> list[Outcome]:
    """Call one action after another."""
    return [await play_one(simulator, session, action) for action in program]


async def play_one(simulator: Simulator, session: str, action: Action) -> Outcome:
    """Call one action."""
    try:
        return await simulator.call(session, action)
    except McpSimError as error:
        return str(error)


def told(outcome: Outcome) -> Any:
    """Return what the client was told, byte for byte."""
    return outcome if isinstance(outcome, str) else outcome.observation.model_dump_json(exclude_unset=True)


@st.composite
def made_up_worlds(draw: st.DrawFn) -> World:
    """Draw a world of a few tools with output schemas that can be met."""
    tools = []
    for verb in draw(st.lists(st.sampled_from("get list search create update delete run".split()), min_size=1, max_size=4, unique=True)):
        tool: dict[str, Any] = {
            "name": f"{verb}_{draw(st.sampled_from(['note', 'item']))}",
            "inputSchema": {"type": "object", "properties": {"id": {"type": ["string", "integer"]}, "title": {"type": "string"}}},
        }
        if draw(st.booleans()):
            schema, _ = draw(satisfiable())
            tool["outputSchema"] = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
        tools.append(tool)
    served, _ = mend_all(tools)
    return World(name="made-up", key="made-up", source="made-up", tools=served)


def programs(world: World, most: int = 10) -> st.SearchStrategy[list[Action]]:
    """Draw calls of the world's tools: as its demonstrations have them, or with other arguments that mostly fit the input schema."""
    shown = [demonstration.action for demonstration in world.demonstrations]
    seen: dict[str, list[Any]] = {}
    for action in shown:
        for name, value in action.arguments.items():
            seen.setdefault(name, []).append(value)
    drawn = [
        _arguments(tool.input_schema, seen).map(lambda arguments, name=tool.name: Action.call(name, arguments))  # type: ignore[misc]
        for tool in world.tools
    ]
    return st.lists(st.one_of([st.sampled_from(shown)] * bool(shown) + [st.one_of(drawn)]), min_size=2, max_size=most)


def _arguments(schema: Any, seen: dict[str, list[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw arguments whose values were seen under the same name before, or are of the right type."""
    required = schema.get("required", [])
    each = {
        name: st.sampled_from(seen[name]) | _value(part) if name in seen else _value(part)
        for name, part in schema.get("properties", {}).items()
    }
    needed = {name: each.pop(name) for name in required if name in each}
    return st.fixed_dictionaries(needed, optional=each)


def _value(schema: Any) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_value(part) for part in schema["anyOf"]])
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        return st.one_of([_value({**schema, "type": one}) for one in kind])
    if kind == "object":
        return _arguments(schema, {})
    if kind == "array":
        return st.lists(_value(schema.get("items", {})), min_size=schema.get("minItems", 0), max_size=3)
    lowest, highest = schema.get("minimum", -2), schema.get("maximum", 60)
    return {
        "integer": st.integers(lowest, max(lowest, highest)),
        "number": st.integers(lowest, max(lowest, highest)) | st.floats(0, 2),
        "boolean": st.booleans(),
        "null": st.none(),
    }.get(
        kind,
        st.sampled_from(["", "a", "bug", "main", "README.md", "/projects/new.txt"]) | st.text(st.characters(codec="utf-8"), max_size=5),
    )
