"""Whether a reply reports that the tool failed.

A file may begin with "Error:" and be a success, so words alone decide nothing. A reply is a failure only where the whole of it has the
shape of a failure that this tool is known to report, or of the wrapper that the world's server library puts around failures, and
where it is not text that the agent wrote or has been shown as a success.
"""

from collections.abc import Sequence

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import World
from mcp_sim.predictors.language.shape import Shape, fits, leaves, says_something, shape_of

_LONGEST = 4_000
_KNOWN_AT_MOST = 50

# How MCP server libraries word what goes wrong in a tool: the TypeScript SDK, FastMCP and the low-level Python server.
_WRAPPERS: dict[str, tuple[str, ...]] = {
    "zod": ("MCP error -32602: ", "MCP error -32603: "),
    "pydantic": ("Error executing tool {name}: ", "Error calling tool '{name}': "),
    "jsonschema": ("Input validation error: ", "Output validation error: "),
}


class Failures:
    """The failures that the tools of a world are known to report."""

    def __init__(self, world: World) -> None:
        self._wrappers = _WRAPPERS.get(world.settings.errors, ())
        self._shapes: dict[str, list[Shape]] = {}
        known: dict[str, list[Demonstration]] = {}
        for demonstration in (*world.demonstrations, *world.frozen):
            known.setdefault(demonstration.action.name, []).append(demonstration)
        for name, demonstrations in known.items():
            self._shapes[name] = _telling_shapes(demonstrations)

    def knows(self, name: str) -> bool:
        """Whether the tool has been seen to fail."""
        return bool(self._shapes.get(name))

    def reports(self, session: Session, action: Action, reply: str) -> bool:
        """Whether the reply to this action says that the tool failed."""
        reply = reply.strip()
        if not 0 < len(reply) <= _LONGEST:
            return False
        wrapped = any(reply.startswith(wrapper.format(name=action.name)) for wrapper in self._wrappers)
        if not wrapped and not any(fits(shape, reply) for shape in self._shapes.get(action.name, ())):
            return False
        return not _is_content(session, reply)


def _telling_shapes(demonstrations: Sequence[Demonstration]) -> list[Shape]:
    failed = [item for item in demonstrations if item.observation.is_error][:_KNOWN_AT_MOST]
    succeeded = [item.observation.text.strip() for item in demonstrations if not item.observation.is_error]
    shapes = {_shape(item) for item in failed if item.observation.text.strip()}
    return sorted(shape for shape in shapes if not any(fits(shape, text) for text in succeeded))


def _shape(failed: Demonstration) -> Shape:
    text = failed.observation.text.strip()
    shape = shape_of(text, failed.action)
    return shape if says_something(shape) else (text,)


def _is_content(session: Session, reply: str) -> bool:
    """Whether the agent wrote this text, or was shown it as a success: then it is what a tool returns, not how it fails."""
    for turn in session.trajectory:
        if any(reply in leaf for leaf in leaves(turn.action.arguments)):
            return True
        if not turn.observation.is_error and reply in turn.observation.text:
            return True
    return False
