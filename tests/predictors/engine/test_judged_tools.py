"""What the engine understands of real servers' tools, against what a careful reader understands of them."""

import pytest

from benchmarks.understanding import Score, judgements
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.tools.reading import read_tools
from tests.predictors.engine.lists import real

REAL = real()
pytestmark = pytest.mark.skipif(not REAL, reason="set MCP_SIM_CORPUS to a folder with tool lists of real servers")


@pytest.mark.parametrize("world", REAL, ids=lambda world: world.name)
def test_nothing_is_understood_wrongly(world: World) -> None:
    assert Score.of(read_tools(world), judgements()[world.name]).wrong == ()


@pytest.mark.parametrize("world", REAL, ids=lambda world: world.name)
def test_every_tool_was_judged(world: World) -> None:
    judged = {name.partition(":")[0] for name in judgements()[world.name]}
    assert judged == {tool.name for tool in world.tools}


def test_most_of_what_can_be_followed_is() -> None:
    judged = judgements()
    scores = [Score.of(read_tools(world), judged[world.name]) for world in REAL]
    assert sum(score.right for score in scores) >= 0.8 * sum(score.judged for score in scores)
