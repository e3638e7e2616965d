"""A real server at the end of the chain: asked for what is neither frozen nor computed, and for nothing else."""

import json

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.errors import RealServerError
from mcp_sim.protocol.client.asking import RefusedError
from mcp_sim.protocol.real_connection import RealConnection

_SHOWN_CHARACTERS = 200


class RealMisses:
    """Lets the real server answer, and change. An error of its own is an answer too.

    It is asked only while it has seen the very changes of the session, in their order: what it says in another state would be kept as the
    answer for this one. `heeds_state` is false where a world's answers hold in every state.
    """

    def __init__(self, connection: RealConnection, *, heeds_state: bool = True) -> None:
        self._connection = connection
        self._heeds_state = heeds_state
        self._seen: list[str] = []

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`.

        Raises:
            RealServerError: the real server cannot be reached, or is in another state than the session.
        """
        changes = [transition for transition in session.trajectory if transition.changes]
        if self._heeds_state and [transition.action.key for transition in changes] != self._seen:
            raise RealServerError(self._out_of_step(action, changes))
        try:
            observation = await self._connection.answer(action)
        except RefusedError as refusal:
            observation = Observation.of_protocol_error(refusal.error)
        real = session.transition(action, observation, "real")
        if real.changes:
            self._seen.append(action.key)
        return real

    def _out_of_step(self, action: Action, changes: list[Transition]) -> str:
        unseen = next((change for number, change in enumerate(changes) if [change.action.key] != self._seen[number : number + 1]), None)
        if unseen is None:
            what = (
                "it was changed since by another session, or by a call whose answer could not be kept. Give each session a run of its own"
            )
        else:
            said = json.dumps(unseen.action.arguments, ensure_ascii=False)[:_SHOWN_CHARACTERS]
            what = (
                f"the real server has not seen turn {unseen.turn}, {unseen.action.name} {said}, whose answer was frozen or computed. "
                "Take the frozen answers to changes out of frozen.jsonl, so that all of them are asked again, or record the run anew "
                "with mcp-sim record"
            )
        return f"The real server is not asked for {action.name}, since it is in another state than this session: {what}."
