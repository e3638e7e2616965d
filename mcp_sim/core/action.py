"""What an agent does: one method and its parameters."""

from functools import cached_property

from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.model import Frozen


class Action(Frozen):
    """One request of the agent. For a tool call `params` is `{"name": ..., "arguments": {...}}`; `_meta` is not part of it."""

    method: str = "tools/call"
    params: dict[str, JSON]

    @classmethod
    def call(cls, name: str, arguments: dict[str, JSON] | None = None) -> "Action":
        """Return the action of calling tool `name`; absent arguments are the empty object."""
        return cls(params={"name": name, "arguments": arguments or {}})

    @property
    def is_call(self) -> bool:
        """Whether a tool is called: all else reads what the world offers, and changes nothing."""
        return self.method == "tools/call"

    @property
    def name(self) -> str:
        """The tool's name; the method where the action is no tool call."""
        name: str = self.params["name"] if self.method == "tools/call" else self.method
        return name

    @property
    def arguments(self) -> dict[str, JSON]:
        """The tool's arguments; the parameters where the action is no tool call."""
        arguments: dict[str, JSON] = self.params["arguments"] if self.method == "tools/call" else self.params
        return arguments

    @cached_property
    def key(self) -> str:
        """A hash of the method and the canonical parameters: equal for equal actions, whatever the order of keys."""
        return digest(self.method, canonical(self.params))
