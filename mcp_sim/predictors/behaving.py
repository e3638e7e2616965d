"""What code can know is computed."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.behaviour import Behaviour


@dataclass(frozen=True, slots=True)
class Behaving:
    """Lets a behaviour answer the tools that it knows; else asks the next predictor.

    `names` maps a tool's name in this world to its name in the behaviour, where a server calls it otherwise.
    """

    behaviour: Behaviour
    names: Mapping[str, str]
    next: Predictor

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        own_name = self.names.get(action.name)
        if own_name is not None:
            own_action = action if own_name == action.name else Action.call(own_name, action.arguments)
            transition = self.behaviour.answer(session, own_action)
            if transition is not None:
                return transition if own_action is action else transition.model_copy(update={"action": action})
        return await self.next.predict(session, action, context)
