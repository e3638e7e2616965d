"""A transition as the result of a request."""

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Transition
from mcp_sim.protocol.definitions import has_plain_output

SESSION_META_KEY = "mcp-sim/session"
"""The key in `_meta` that names the session: of a call in a request, of its answer in a result."""


def write_result(transition: Transition, tool: ToolSpec | None, session_name: str, *, modern: bool) -> dict[str, JSON]:
    """Return the wire form of the transition's observation; `_meta` says where it came from, in which session and turn."""
    observation = transition.observation
    result: dict[str, JSON] = observation.to_result() if transition.action.is_call else dict(observation.structured_content or {})
    if observation.protocol_error is not None:  # nothing of it is on the wire, where there is an error or a result
        result = {"error": observation.protocol_error}
    if tool is not None and has_plain_output(tool) and not modern:
        result.pop("structuredContent", None)
    meta: dict[str, JSON] = {"mcp-sim/source": transition.source, SESSION_META_KEY: session_name, "mcp-sim/turn": transition.turn}
    if transition.recalled is not None:
        meta["mcp-sim/recalled"] = transition.recalled
    if transition.notes:
        meta["mcp-sim/notes"] = transition.notes
    return {**result, "_meta": meta}
