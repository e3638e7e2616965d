"""The Python SDK's client, in both eras, over stdio and HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.peers.clients.scenarios import SCENARIOS, tool_names
from tests.served import MCP_SIM, served

pytestmark = pytest.mark.peers


@contextmanager
def over_stdio(world: str) -> Iterator[Any]:
    yield StdioServerParameters(command=MCP_SIM, args=["serve", world])


@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize("way", [over_stdio, served])
@pytest.mark.parametrize("world", SCENARIOS)
async def test_a_bundled_world(world: str, way: Any, era: str) -> None:
    with way(world) as target:
        async with Client(target, mode=era) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == tool_names(world)
            for turn, step in enumerate(SCENARIOS[world], start=1):
                result = await client.call_tool(step.tool, step.arguments)
                assert not result.is_error
                assert step.holds in result.content[0].text, step.tool  # type: ignore[union-attr]
                assert (result.meta or {})["mcp-sim/turn"] == turn
