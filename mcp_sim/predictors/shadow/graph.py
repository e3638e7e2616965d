"""The knowledge graph of a real memory server: read whole before the first simulated change, and computed from then on."""

import json
from collections.abc import Sequence
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.memory.behaviour import MemoryBehaviour

_WHOLE = "read_graph"
_TOOLS = frozenset(MemoryBehaviour({}).mutates)
_IS_REAL = ["memory", "real"]


class GraphOverlay:
    """Imports the real graph as the state of the behaviour `memory`."""

    def concerns(self, action: Action) -> bool:
        """See `Overlay.concerns`."""
        return action.is_call and action.name in _TOOLS

    def knows(self, session: Session, action: Action) -> bool:
        """See `Overlay.knows`."""
        return bool(lookup(session.state, *_IS_REAL))

    def needs(self, session: Session, action: Action) -> Sequence[Action]:
        """See `Overlay.needs`."""
        return () if self.knows(session, action) else (Action.call(_WHOLE),)

    def learn(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """See `Overlay.learn`.

        Raises:
            PredictionError: the real server's graph cannot be read.
        """
        if action.name != _WHOLE or session.world.mutates(action):
            return []
        graph: Any = observation.structured_content if observation.has_structured_content else _parsed(observation.text)
        if observation.is_error or not isinstance(graph, dict):
            raise PredictionError(f"The real server does not give its graph: {observation.text[:200]}")
        parts: dict[str, JSON] = {part: graph.get(part, []) for part in ("entities", "relations")}
        return [*(Change(path=["memory", part], value=items) for part, items in parts.items()), Change(path=_IS_REAL, value=True)]

    def amend(self, made: Transition) -> list[Change]:
        """See `Overlay.amend`."""
        return made.patch

    def settle(self, session: Session, real: Transition) -> Observation | None:
        """See `Overlay.settle`."""
        return None


def _parsed(text: str) -> JSON:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
