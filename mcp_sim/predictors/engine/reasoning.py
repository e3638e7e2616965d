"""The engine as a link of the chain: what it says certainly, and what it makes up."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Lets the engine answer: what follows from the session's state, and the rest by imagination, if it `may_imagine`.

    With `computed_only`, it is silent as well where what follows is made up in part: somebody is there who knows better. With `recorded`,
    what a recording does not show is not said to be missing: the real server may have it.
    """

    engine: Engine
    may_imagine: bool
    computed_only: bool = False
    recorded: bool = False
    volatile: frozenset[str] = frozenset()

    @property
    def mutates(self) -> Mapping[str, bool]:
        """The tools that the engine understands, each with whether a call of it may change state."""
        return self.engine.mutates

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to; `None` where the engine cannot tell, or would have to make it up and may not."""
        certain = self.engine.answer(session, action, certain_only=True)
        if certain is not None and certain.source == "imagined" and self.computed_only:
            return None
        if certain is not None and self.recorded and self.engine.only_seems_missing(session, certain):
            return None
        if certain is not None or not self.may_imagine:
            return certain
        return self.engine.answer(session, action)
