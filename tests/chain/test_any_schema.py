"""Any schema and any arguments: an answer, a refusal, or an error with a message; what is structured satisfies the schema."""

import json
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema.validators import validator_for
from mcp import Client, MCPError
from referencing import Registry
from referencing.exceptions import Unresolvable

from mcp_sim.core.action import Action
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.tool_specs.mending import mend_all
from tests.chain.programs import opened, play_one
from tests.core.schema_strategies import hostile, schemas, values

SOME = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
any_schemas = schemas | hostile | st.booleans() | schemas.map(lambda schema: {**schema, "type": "object"})
names = st.sampled_from("get_it set_it list_things search delete_thing".split())
raw_tools = st.fixed_dictionaries({"name": names, "inputSchema": any_schemas}, optional={"outputSchema": any_schemas})


def world_of(raw: list[Any]) -> World:
    tools, left_out = mend_all(raw)
    assert len(tools) + len(left_out) == len(raw)
    return World(name="any", key="any", source="any", tools=tools)


def assert_satisfied(schema: Any, value: Any) -> None:
    """Ask the reference implementation, which follows no remote reference either."""
    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
        kind(schema, registry=Registry()).validate(value)
    except (jsonschema.SchemaError, Unresolvable, RecursionError):
        return


@SOME
@given(
    st.lists(raw_tools | hostile, min_size=1, max_size=3), st.dictionaries(st.text(max_size=3) | st.sampled_from("abc"), values, max_size=4)
)
async def test_no_schema_and_no_arguments_break_the_chain(raw: list[Any], arguments: dict[str, Any]) -> None:
    world = world_of(raw)
    async with opened(world) as simulator:
        for tool in world.tools:
            outcome = await play_one(simulator, "s", Action.call(tool.name, arguments))
            if isinstance(outcome, Transition):
                json.dumps(outcome.observation.to_result(), allow_nan=False)
                if outcome.observation.has_structured_content and not any("not enforced" in sentence for sentence in tool.mended):
                    assert_satisfied(tool.output_schema, outcome.observation.structured_content)
            else:
                assert outcome
            if isinstance(outcome, Transition):  # and from now on it is a fact
                again = await play_one(simulator, "s", Action.call(tool.name, arguments))
                if not outcome.changes:
                    assert isinstance(again, Transition)
                    assert again.observation == outcome.observation


@settings(SOME, max_examples=60)
@given(
    st.lists(raw_tools, min_size=1, max_size=3),
    st.dictionaries(st.sampled_from("abc"), values, max_size=3),
    st.sampled_from(["legacy", "auto"]),
)
async def test_a_client_of_any_era_gets_a_result_or_an_error(raw: list[Any], arguments: dict[str, Any], era: str) -> None:
    world = world_of(raw)
    async with opened(world) as simulator, Client(SimulatedServer(simulator).build(), mode=era) as client:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == [tool.name for tool in world.tools]
        for tool in world.tools:
            assert await code_of(client, tool.name, arguments) in (None, -32603, -32602)


async def code_of(client: Client, name: str, arguments: dict[str, Any]) -> int | None:
    """Call a tool, and return the code of the error if there is one."""
    try:
        result = await client.call_tool(name, arguments)
    except MCPError as error:
        return error.error.code if error.error.message else 0
    return None if result.content or not result.is_error else 0
