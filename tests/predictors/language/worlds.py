"""Small worlds and sessions for the tests of the language room."""

from pathlib import Path
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import Settings, World

PROMPTS = Path(__file__).resolve().parents[3] / "prompts"
TEMPLATE = (PROMPTS / "mcp" / "system.md").read_text("utf-8")

USER_SCHEMA: dict[str, JSON] = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["id", "name"],
    "additionalProperties": False,
}


def tool(name: str, output_schema: JSON = None, **annotations: bool) -> ToolSpec:
    definition: dict[str, JSON] = {"name": name, "description": f"The tool {name}.", "inputSchema": {"type": "object"}}
    if output_schema is not None:
        definition["outputSchema"] = output_schema
    return ToolSpec(
        name=name,
        description=definition["description"],
        input_schema=definition["inputSchema"],
        output_schema=output_schema,
        annotations=dict(annotations),
        definition=definition,
    )


def world(*tools: ToolSpec, demonstrations: tuple[Demonstration, ...] = (), background: str = "", **settings: Any) -> World:
    tools = tools or (tool("read_file"), tool("write_file"), tool("get_user", USER_SCHEMA))
    return World(
        name="test",
        key="test",
        tools=tools,
        demonstrations=demonstrations,
        background=background,
        settings=Settings.model_validate(settings),
    )


def demonstration(name: str, arguments: dict[str, JSON], text: str, *, is_error: bool = False) -> Demonstration:
    return Demonstration(action=Action.call(name, arguments), observation=Observation.of_text(text, is_error=is_error))


def session_of(of: World, *turns: tuple[Action, Observation]) -> Session:
    session = Session.begin(of, "test")
    for action, observation in turns:
        session = session.append(session.transition(action, observation, "imagined"))
    return session
