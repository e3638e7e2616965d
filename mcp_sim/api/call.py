"""One call that was answered."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.transition import Source, Transition


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a session and its answer.

    `result` is a `CallToolResult` in its wire form (`content`, `structuredContent`, `isError`). `source` says where it came from:
    `computed`, `frozen`, `imagined` or `real`. `error` is the JSON-RPC error (`code`, `message`, `data`) that a recorded server
    answered with in place of a result. `turn` counts from 1; `changed` says whether it changed the state.
    """

    turn: int
    tool: str
    arguments: dict[str, JSON]
    result: dict[str, JSON]
    source: Source
    changed: bool
    text: str
    error: dict[str, JSON] | None = None

    @classmethod
    def of(cls, transition: Transition) -> "Call":
        """Return a transition as a call."""
        return cls(
            turn=transition.turn,
            tool=transition.action.name,
            arguments=transition.action.arguments,
            result=transition.observation.to_result(),
            source=transition.source,
            changed=transition.changes,
            text=transition.observation.text,
            error=transition.observation.protocol_error,
        )

    @property
    def failed(self) -> bool:
        """Whether the tool answered that it failed."""
        return self.result.get("isError") is True

    @property
    def structured(self) -> JSON:
        """The structured content, `None` if there is none."""
        return self.result.get("structuredContent")
