"""A recording in the place of the real server: what it holds of the beginning is real, and what is done since is computed."""

from collections.abc import Iterable
from dataclasses import replace

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, apply, lookup
from mcp_sim.core.transition import FrozenAnswer, Transition
from mcp_sim.predictors.shadow.overlay import Overlay

_MOST_ROUNDS = 4
_LEARNED = "recorded"
"""Where the state keeps that the recorded reads are in it."""


class Recorded:
    """Answers the tools of one behaviour in a world that was recorded and whose first state nobody wrote down.

    `behaving` is the behaviour with all that comes after it, `following` what comes after it. The behaviour answers what follows from
    the recorded reads and from what was done in the session; where more would have to be known, `following` is asked.
    """

    def __init__(
        self, answers: Iterable[FrozenAnswer], first_state: str, overlay: Overlay, behaving: Predictor, following: Predictor
    ) -> None:
        self._overlay, self._behaving, self._next = overlay, behaving, following
        self._read = {
            answer.action.key: answer for answer in answers if answer.fingerprint in (None, first_state) and overlay.concerns(answer.action)
        }

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        if not self._overlay.concerns(action):
            return await self._behaving.predict(session, action, context)
        if any(turn.changes and turn.source in ("frozen", "real") and self._overlay.concerns(turn.action) for turn in session.trajectory):
            return await self._imagine(session, action, context)  # what a recorded change did is not in the state
        if session.world.mutates(action):
            return await self._change(session, action, context)
        if self._overlay.knows(session, action):
            return await self._behaving.predict(session, action, context)
        observation = self._recorded(action)
        settled = (
            None if observation is None else self._overlay.settle(session, session.transition(action, observation, "real", changes=False))
        )
        if observation is None:
            return await self._imagine(session, action, context)
        if settled is None:
            made = session.transition(action, observation, "imagined", changes=False)
            return made.model_copy(update={"notes": ["As it was recorded: what was changed since may be missing from it."]})
        return session.transition(action, settled, "computed", changes=False)

    async def _change(self, session: Session, action: Action, context: Context) -> Transition:
        learned: list[Change] = []
        known = session
        mark = [_LEARNED, type(self._overlay).__name__]
        if lookup(session.state, *mark) is None:
            learned = [Change(path=mark, value=True)]
            for answer in self._read.values():
                learned, known = self._learn(known, learned, answer.action, answer.observation)
        asked: set[str] = set()
        missing = False
        for _ in range(_MOST_ROUNDS):
            needed = [read for read in self._overlay.needs(known, action) if read.key not in asked]
            for read in needed:
                asked.add(read.key)
                observation = self._recorded(read)
                missing |= observation is None
                if observation is not None:
                    learned, known = self._learn(known, learned, read, observation)
            if not needed:
                break
        made = await self._behaving.predict(known, action, context)
        if missing and made.observation.is_error:  # it would tell that there is nothing where nothing is known
            return await self._imagine(session, action, context)
        return made.model_copy(update={"patch": [*learned, *self._overlay.amend(made)]})

    def _learn(self, known: Session, learned: list[Change], read: Action, observation: Observation) -> tuple[list[Change], Session]:
        if known.world.mutates(read) or observation.protocol_error is not None:
            return learned, known
        news = self._overlay.learn(known, read, observation)
        return [*learned, *news], replace(known, state=apply(known.state, news))

    def _recorded(self, action: Action) -> Observation | None:
        answer = self._read.get(action.key)
        return None if answer is None or answer.observation.protocol_error is not None else answer.observation

    async def _imagine(self, session: Session, action: Action, context: Context) -> Transition:
        made = await self._next.predict(session, action, context)
        return made.model_copy(update={"source": "imagined"}) if made.source == "computed" else made
