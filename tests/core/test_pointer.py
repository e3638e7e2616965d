"""Places in messages, however deep they are."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.pointer import brief, under
from mcp_sim.core.schema import Schema
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.instances.instance import InstanceMaker


@given(st.lists(st.text(max_size=9), max_size=200))
def test_a_pointer_is_told_by_its_first_and_last_steps(steps: list[str]) -> None:
    pointer = under("#", *steps)
    told = brief(pointer)
    assert len(told.split("/")) <= 13
    assert told == pointer or (told.split("/")[:6], told.split("/")[-6:]) == (pointer.split("/")[:6], pointer.split("/")[-6:])


def test_what_a_deep_schema_breaks_is_told_in_a_line() -> None:
    wrong = {"type": 7}
    for _ in range(60):
        wrong = {"properties": {"n": wrong}}
    endless = {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#"}}}
    for fail in (lambda: Schema(wrong), lambda: InstanceMaker(endless).make(Random(0))):
        with pytest.raises(McpSimError, match=r"more \.\.\.\)/") as caught:
            fail()
        assert str(caught.value).count("/n") <= 12
