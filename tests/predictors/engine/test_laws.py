"""Random programs of calls on many servers' tools; the laws are in `laws` and `laws_of_many`."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.predictors.engine.laws_of_many import Whole
from tests.predictors.engine.lists import invented, real

REAL = real()
WORLDS = {world.name: world for world in [*invented(), *REAL]}


@pytest.mark.parametrize("name", list(WORLDS))
@settings(max_examples=12, print_blob=False)
@given(seed=st.integers(0, 2**32))
def test_laws_hold(name: str, seed: int) -> None:
    Whole(WORLDS[name], Random(seed)).run(25)


@pytest.mark.skipif(not REAL, reason="set MCP_SIM_CORPUS to a folder with tool lists of real servers")
def test_the_laws_are_put_to_the_test_on_twelve_real_servers() -> None:
    tested = []
    for world in REAL:
        program = Whole(world, Random(1))
        program.run(25)
        if set(program.checked) - {"the same calls lead to the same answers"}:
            tested.append(world.name)
    assert len(tested) >= 12, tested
