"""Random programs of calls on many servers' tools; the laws are in `laws`."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.predictors.engine.laws import Program
from tests.predictors.engine.lists import invented, real

WORLDS = {world.name: world for world in [*invented(), *real()]}


@pytest.mark.parametrize("name", list(WORLDS))
@settings(max_examples=12, print_blob=False)
@given(seed=st.integers(0, 2**32))
def test_laws_hold(name: str, seed: int) -> None:
    Program(WORLDS[name], Random(seed)).run(25)
