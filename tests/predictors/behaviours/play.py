"""Sessions for tests of behaviours."""

from datetime import datetime
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.world import Settings, World
from mcp_sim.predictors.behaviours.behaviour import Behaviour


def begin(state: dict[str, Any] | None = None, *, seed: int = 0, clock: datetime | None = None) -> Session:
    """Return a fresh session of a world with this first state."""
    settings = Settings(clock=clock) if clock else Settings()
    return Session.begin(World(name="test", key="test", tools=(), settings=settings, first_state=freeze(state or {})), "main", seed)


class Play:
    """A behaviour at work in a session, as the simulator would have it."""

    def __init__(self, behaviour: Behaviour, session: Session | None = None) -> None:
        self.behaviour = behaviour
        self.session = session or begin()

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Answer the call, keep the transition, and return the result as it goes over the wire."""
        transition = self.behaviour.answer(self.session, Action.call(name, arguments))
        assert transition is not None, f"{name} was not answered"
        assert transition.source == "computed"
        self.session = self.session.append(transition)
        return transition.observation.to_result()

    def text(self, name: str, **arguments: Any) -> str:
        """Answer the call and return its text."""
        block = self.call(name, **arguments)["content"][0]
        assert block["type"] == "text"
        text: str = block["text"]
        return text

    @property
    def changed(self) -> bool:
        """Whether the last call changed state."""
        return self.session.trajectory[-1].changes
