"""What was answered before in the same state is answered the same way again."""

from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


@dataclass(frozen=True, slots=True)
class Memory:
    """Answers from the session's own trajectory where it can; else asks the next predictor."""

    next: Predictor

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        before = session.recall(action)
        if before is None:
            return await self.next.predict(session, action, context)
        again = session.transition(action, before.observation, before.source, changes=False)
        return again.model_copy(update={"recalled": before.recalled or before.turn})
