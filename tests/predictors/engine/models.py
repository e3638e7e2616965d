"""Models for tests: one that tells the truth of a world of its own, and one that lies about it."""

from collections.abc import Callable
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.guard import Guarded


class Honest:
    """Plays the language model: it has the whole truth in a session of its own, and shows of it what a model shows: the answer."""

    def __init__(self, world: World) -> None:
        self.engine = Engine(world)
        self.session = Session.begin(world, "truth", seed=7)
        self.asked: list[Action] = []
        self.corrections: list[str | None] = []

    def sees(self, action: Action) -> Transition | None:
        """The truth; what changes the world has changed it."""
        transition = self.engine.answer(self.session, action)
        if transition is not None:
            self.session = self.session.append(transition)
        return transition

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        self.asked.append(action)
        self.corrections.append(context.correction)
        truth = self.sees(action)
        assert truth is not None
        return session.transition(action, truth.observation, "imagined")


class Lying(Honest):
    """Tells the truth, but for the calls that `lie` makes something else of; it sees reason when corrected if `insists` is false."""

    def __init__(self, world: World, lie: Callable[[Transition], Transition], insists: bool) -> None:
        super().__init__(world)
        self.lie, self.insists = lie, insists
        self.truths: dict[str, Transition] = {}

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        self.corrections.append(context.correction)
        if context.correction is None or action.key not in self.truths:
            truth = self.sees(action)
            assert truth is not None
            self.truths[action.key] = session.transition(action, truth.observation, "imagined")
        answer = self.truths[action.key]
        return answer if context.correction is not None and not self.insists else self.lie(answer)


class Chain:
    """The end of the chain of a world with a model: the engine where it is certain, else the guarded model."""

    def __init__(self, world: World, model: Any) -> None:
        self.world, self.model = world, model
        self.engine = Engine(world)
        self.guarded = Guarded(self.engine, model)
        self.session = Session.begin(world, "chain")
        self.computed = 0

    async def call(self, tool: str, **arguments: Any) -> Transition:
        action = Action.call(tool, arguments)
        known = self.session.recall(action)
        if known is not None:
            return known
        transition = self.engine.answer(self.session, action, certain_only=True)
        if transition is None:
            transition = await self.guarded.predict(self.session, action, Context())
        else:
            self.computed += 1
            if isinstance(self.model, Honest):
                self.model.sees(action)
        self.session = self.session.append(transition)
        return transition
