import pytest

from mcp_sim.core.action import Action
from mcp_sim.errors import SetupError
from mcp_sim.predictors.behaviours.sequential_thinking import SequentialThinkingBehaviour
from tests.predictors.behaviours.play import Play

THOUGHT = {"thought": "x", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}


def test_thoughts_and_branches_are_counted() -> None:
    play = Play(SequentialThinkingBehaviour({}))
    for branch in ["b", "10", "a", "9", "b"]:
        result = play.call("sequentialthinking", **{**THOUGHT, "thoughtNumber": 3, "branchFromThought": 1, "branchId": branch})
        assert play.changed
    assert result["structuredContent"] == {
        "thoughtNumber": 3,
        "totalThoughts": 3,
        "nextThoughtNeeded": True,
        "branches": ["9", "10", "b", "a"],
        "thoughtHistoryLength": 5,
    }


def test_a_refused_thought_is_not_counted() -> None:
    play = Play(SequentialThinkingBehaviour({}))
    assert play.call("sequentialthinking", **{**THOUGHT, "nextThoughtNeeded": "maybe"})["isError"] is True
    assert not play.changed
    assert play.call("sequentialthinking", **THOUGHT)["structuredContent"]["thoughtHistoryLength"] == 1


def test_a_branch_named_like_a_member_fails_but_counts() -> None:
    play = Play(SequentialThinkingBehaviour({}))
    assert "push is not a function" in play.text("sequentialthinking", **{**THOUGHT, "branchFromThought": 1, "branchId": "toString"})
    assert play.call("sequentialthinking", **THOUGHT)["structuredContent"]["thoughtHistoryLength"] == 2


def test_other_arguments_are_not_mine() -> None:
    play = Play(SequentialThinkingBehaviour({}))
    assert play.behaviour.answer(play.session, Action.call("sequentialthinking", {"thought": 5})) is None


def test_unknown_options_are_refused() -> None:
    with pytest.raises(SetupError, match="none"):
        SequentialThinkingBehaviour({"x": 1})
