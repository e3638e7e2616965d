"""Several worlds, each answered by its own predictor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


@dataclass(frozen=True, slots=True)
class Routed:
    """Asks the predictor of the world that the action is about; `predictors` are by the world's key. The session is that of the whole."""

    predictors: Mapping[str, Predictor]

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        return await self.predictors[session.world.part_of(action).key].predict(session, action, context)


@dataclass(frozen=True, slots=True)
class Renamed:
    """Asks under the name that the whole has for a tool or prompt, whatever the client calls it."""

    rename: Callable[[Action], Action]
    next: Predictor

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        return await self.next.predict(session, self.rename(action), context)
