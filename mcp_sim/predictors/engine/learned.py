"""What a recording says becomes state, so that code answers the next read."""

from collections.abc import Container
from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Learned:
    """Wraps a predictor that gives recorded and real answers: the things that these tell of are kept in the state.

    The tools in `known` are left alone: a behaviour keeps their state.
    """

    engine: Engine
    known: Container[str]
    next: Predictor

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        transition = await self.next.predict(session, action, context)
        if transition.source not in ("frozen", "real") or transition.patch or action.name in self.known:
            return transition
        learned = self.engine.learn(session, transition)
        return transition.model_copy(update={"patch": learned}) if learned else transition
