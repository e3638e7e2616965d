"""Prints what a session of so many calls with 1 KB answers holds in memory: bytes grown, and bytes of the data itself.

python benchmarks/session_memory.py CALLS
"""

import gc
import json
import os
import sys
from random import Random

import anyio
from clients import resident_bytes

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.predictors.memory import Memory
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.simulator import Simulator

ANSWER_BYTES = 1024


class Pages:
    """Answers each call with another text of 1 KB."""

    def __init__(self) -> None:
        self._random = Random(0)

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        return session.transition(action, Observation.of_text(self._random.randbytes(ANSWER_BYTES // 2).hex()), "imagined")


async def grow(calls: int) -> tuple[int, int]:
    """Return the bytes by which the process grew over the calls, and the bytes of their arguments and answers."""
    schema = {"type": "object", "properties": {"page": {"type": "integer"}}}
    definition = {"name": "get_page", "inputSchema": schema}
    world = World(name="pages", key="pages", tools=(ToolSpec(name="get_page", input_schema=schema, definition=definition),))
    simulator = Simulator(world, Memory(Pages()), InMemoryStore(world))
    data = 0
    for page in range(-20, 0):
        await simulator.call("s", Action.call("get_page", {"page": page}))
    gc.collect()
    before = resident_bytes(os.getpid())
    for page in range(calls):
        transition = await simulator.call("s", Action.call("get_page", {"page": page}))
        data += len(json.dumps(transition.action.params)) + len(json.dumps(transition.observation.to_result()))
    gc.collect()
    return resident_bytes(os.getpid()) - before, data


if __name__ == "__main__":
    print(*anyio.run(grow, int(sys.argv[1])))
