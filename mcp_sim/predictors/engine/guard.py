"""The guard: an answer that contradicts the state is asked for again, then put right, and never passes unmarked."""

from dataclasses import dataclass, replace

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Guarded:
    """Wraps a predictor that imagines. What it answers is checked against the state, and what it tells of things is kept in the state.

    What was found and done stands in the transition's `notes`.
    """

    engine: Engine
    next: Predictor

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        first = await self._ask(session, action, context)
        if first.source != "imagined":
            return first
        wrong = self.engine.contradictions(session, first)
        answer = first if not wrong else await self._second(session, first, wrong, context)
        learned = self.engine.learn(session, answer)
        return answer.model_copy(update={"patch": [*answer.patch, *learned]}) if learned else answer

    async def _ask(self, session: Session, action: Action, context: Context) -> Transition:
        answer = await self.next.predict(session, action, context)
        if answer.changes and session.world.mutates(action) and self.engine.only_reads(action):  # `git_branch(mode="list")`
            return answer.model_copy(update={"changes": False})
        return answer

    async def _second(self, session: Session, first: Transition, wrong: list[str], context: Context) -> Transition:
        said = " ".join(wrong)
        await context.log(f"The answer to `{first.action.name}` contradicts the state and is asked for again: {said}")
        notes = [f"Asked again: {said}"]
        try:
            second = await self._ask(session, first.action, replace(context, correction=said))
        except PredictionError as error:
            second, still = first, wrong
            notes.append(f"The second answer failed: {error}")
        else:
            still = self.engine.contradictions(session, second)
        if still:
            fixed = self.engine.correct(session, second, still)
            if fixed is None or self.engine.contradictions(session, fixed):
                notes.append(f"Kept although it contradicts the state: {' '.join(still)}")
            else:
                second = fixed
                notes.append(f"Corrected by code: {' '.join(still)}")
        return second.model_copy(update={"notes": [*second.notes, *notes]})
