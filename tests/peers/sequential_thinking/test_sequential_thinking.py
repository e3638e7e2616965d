"""The same thoughts to the real server-sequential-thinking and to ours: whole results equal."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.predictors.behaviours.sequential_thinking import SequentialThinkingBehaviour
from tests.peers.node import npm_server
from tests.predictors.behaviours.play import Play
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

flags = st.booleans() | st.sampled_from(["true", "False", "TRUE", "maybe", ""])
numbers = st.integers(1, 9) | st.sampled_from([3.0, 9007199254740991])
branches = st.sampled_from(["a", "b", "", "10", "9", "007", "4294967294", "4294967295", "-1", "1.5", "é", "toString", "__proto__"])
thoughts = st.fixed_dictionaries(
    {
        "thought": st.text(st.characters(codec="utf-8"), max_size=5),
        "nextThoughtNeeded": st.booleans() | flags,
        "thoughtNumber": numbers,
        "totalThoughts": numbers,
    },
    optional={
        "isRevision": st.booleans() | flags,
        "revisesThought": numbers,
        "branchFromThought": numbers,
        "branchId": branches,
        "needsMoreThoughts": st.booleans(),
        "extra": st.none(),
    },
)


def test_same_results_as_the_real_server() -> None:
    command = npm_server("server-sequential-thinking")

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(thoughts, min_size=20, max_size=50))
    def compare(program: list[dict[str, Any]]) -> None:
        ours = Play(SequentialThinkingBehaviour({}))
        with RawServer(command) as real:
            for thought in program:
                assert ours.call("sequentialthinking", **thought) == real.call("sequentialthinking", thought), thought

    compare()
