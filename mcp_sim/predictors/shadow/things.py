"""Things that the engine follows: those that a real server shows, and those that were made, changed or deleted in the session."""

from collections.abc import Sequence

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.shown.observed import json_of


class ThingsOverlay:
    """Lets the engine answer a read twice: from what was really read, and from that with what was simulated.

    Where the first is the real answer, the engine understands the tool, and the second is certain.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def concerns(self, action: Action) -> bool:
        """See `Overlay.concerns`."""
        return action.is_call and action.name in self._engine.mutates

    def knows(self, session: Session, action: Action) -> bool:
        """See `Overlay.knows`."""
        return False

    def needs(self, session: Session, action: Action) -> Sequence[Action]:
        """See `Overlay.needs`: before a thing is made, the list that it will be in, so that it gets an id that is free."""
        tool = self._engine.understanding[action.name].for_call(action.arguments)
        if tool.kind != "create":
            return ()
        for other in self._engine.understanding.values():
            if other.kind == "list" and other.resource == tool.resource and not session.world.mutates(Action.call(other.tool)):
                required = session.world.tools_by_name[other.tool].input_schema.get("required", [])
                if all(name in action.arguments for name in required):
                    return (Action.call(other.tool, {name: action.arguments[name] for name in required}),)
        return ()

    def learn(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """See `Overlay.learn`."""
        return self._engine.learn(session, session.transition(action, observation, "real", changes=False))

    def amend(self, made: Transition) -> list[Change]:
        """See `Overlay.amend`: what the engine imagined to be there all the time is not there. The real server tells what is."""
        return [
            Change(path=change.path, value=[]) if change.path[0] == "entities" and change.path[-1] == "seeded" else change
            for change in made.patch
        ]

    def settle(self, session: Session, real: Transition) -> Observation | None:
        """See `Overlay.settle`."""
        plain = Session.begin(session.world, session.name, session.seed)
        for transition in session.trajectory:
            if not transition.changes:
                plain = plain.append(transition)
        before, after = self._answer(plain, real), self._answer(session, real)
        if before is None or after is None or _content(before) != _content(real.observation):
            return None
        return real.observation if _content(after) == _content(before) else after

    def _answer(self, session: Session, real: Transition) -> Observation | None:
        learned = self.learn(session, real.action, real.observation)
        session = session.append(session.transition(real.action, real.observation, "real", learned, changes=False))
        answer = self._engine.answer(session, real.action, certain_only=True)
        return None if answer is None else answer.observation


def _content(observation: Observation) -> tuple[bool, JSON]:
    answer = json_of(observation)
    return observation.is_error, observation.text if answer is None else answer.value
