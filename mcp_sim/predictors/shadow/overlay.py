"""The seam between real answers and what was simulated."""

from collections.abc import Sequence
from typing import Protocol

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change
from mcp_sim.core.transition import Transition


class Overlay(Protocol):
    """Knows, for one kind of tools, how real answers and simulated changes go together."""

    def concerns(self, action: Action) -> bool:
        """Whether the action is one of its tools."""
        ...

    def knows(self, session: Session, action: Action) -> bool:
        """Whether the session's state tells the answer of a read by itself, so that the real server need not be asked."""
        ...

    def needs(self, session: Session, action: Action) -> Sequence[Action]:
        """Return the real reads without which the action cannot be simulated: what it changes must be known first.

        It is asked again when they are learned, until it names no new one.

        Raises:
            PredictionError: it cannot be simulated on top of a real server.
        """
        ...

    def learn(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """Return what a real answer tells of the state."""
        ...

    def amend(self, made: Transition) -> list[Change]:
        """Return the patch that the state is to keep of a simulated transition, with what tells it from what was really read."""
        ...

    def settle(self, session: Session, real: Transition) -> Observation | None:
        """Return a real answer with the simulated changes in it: itself where they do not touch it, `None` where code cannot tell."""
        ...
