"""The same laws where a model stands behind the engine: what it answers becomes state, and code goes on from there."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from tests.predictors.engine.laws import Program, value_of
from tests.predictors.engine.lists import invented
from tests.predictors.engine.models import Honest

WORLDS = {world.name: world for world in invented()}


def answer_of(observation: Observation) -> Any:
    try:
        return value_of(observation)
    except ValueError:
        return observation.text


class Modelled(Program):
    """A program whose calls go to the engine where it is certain, else to a model that tells the truth."""

    def __init__(self, world: World, random: Random) -> None:
        super().__init__(world, random)
        self.honest = Honest(world)
        self.computed = 0

    def call(self, tool: str, arguments: dict[str, Any]) -> Observation:
        action = Action.call(tool, arguments)
        before = self.session.recall(action)
        if before is not None:
            return before.observation
        truth = self.honest.sees(action)
        assert truth is not None
        transition = self.engine.answer(self.session, action, certain_only=True)
        if transition is None:
            imagined = self.session.transition(
                action, truth.observation, "imagined", changes=False if self.engine.only_reads(action) else None
            )
            assert self.engine.contradictions(self.session, imagined) == []
            transition = imagined.model_copy(update={"patch": self.engine.learn(self.session, imagined)})
        else:
            self.computed += 1
            assert transition.observation.is_error is truth.observation.is_error
            assert answer_of(transition.observation) == answer_of(truth.observation)
        assert transition.changes is truth.changes
        self.session = self.session.append(transition)
        return transition.observation

    def same_again(self) -> None:
        rebuilt = Session.begin(self.world, "another", seed=self.session.seed)
        for transition in self.session.trajectory:
            rebuilt = rebuilt.append(type(transition).model_validate_json(transition.model_dump_json(exclude_unset=True)))
        assert rebuilt.state == self.session.state


@pytest.mark.parametrize("name", list(WORLDS))
@settings(max_examples=10, print_blob=False)
@given(seed=st.integers(0, 2**32))
def test_laws_hold_with_an_honest_model(name: str, seed: int) -> None:
    Modelled(WORLDS[name], Random(seed)).run(25)
