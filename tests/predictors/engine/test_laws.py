"""Random programs of calls on many servers' tools; the laws are in `laws`."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.world import World
from tests.predictors.engine.laws import Program
from tests.predictors.engine.lists import invented, real

WORLDS = [*invented(), *real()]


@pytest.mark.parametrize("world", [pytest.param(world, id=world.name) for world in WORLDS])
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_laws_hold(world: World, seed: int) -> None:
    Program(world, Random(seed)).run(25)
