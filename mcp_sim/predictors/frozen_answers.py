"""What was pinned is answered as pinned."""

from collections.abc import Iterable

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer, Transition

_Key = tuple[str, str | None, int | None]


class FrozenAnswers:
    """Answers from frozen answers where one fits, the most specific first; else asks the next predictor.

    An answer fits if tool and arguments are equal, and the fingerprint and the occurrence too where it names them.
    """

    def __init__(self, answers: Iterable[FrozenAnswer], next: Predictor) -> None:
        self._next = next
        self._answers: dict[_Key, Observation] = {
            (answer.action.key, answer.fingerprint, answer.occurrence): answer.observation for answer in answers
        }

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        occurrence = session.occurrence(action) or None
        for key in (
            (action.key, session.fingerprint, occurrence),
            (action.key, session.fingerprint, None),
            (action.key, None, occurrence),
            (action.key, None, None),
        ):
            observation = self._answers.get(key)
            if observation is not None:
                return session.transition(action, observation, "frozen")
        return await self._next.predict(session, action, context)
