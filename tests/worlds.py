"""Small worlds for tests."""

from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World


def make_tool(name: str, input_schema: dict[str, Any] | None = None, output_schema: Any = None) -> ToolSpec:
    input_schema = input_schema or {"type": "object"}
    definition: dict[str, Any] = {"name": name, "inputSchema": input_schema}
    if output_schema is not None:
        definition["outputSchema"] = output_schema
    return ToolSpec(name=name, input_schema=input_schema, output_schema=output_schema, definition=definition)


def make_world(*tools: ToolSpec, **fields: Any) -> World:
    return World(name="test", key="test", source="test", tools=tools or (make_tool("get_it"), make_tool("set_it")), **fields)


class Counting:
    """A predictor whose every answer is another text, so that a test sees whether it was asked again."""

    def __init__(self) -> None:
        self.asked: list[Action] = []

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        self.asked.append(action)
        return session.transition(action, Observation.of_text(f"answer {len(self.asked)}"), "imagined")
