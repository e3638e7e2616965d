"""The demonstrations of a bundled world, recorded from a real server, are what its behaviour answers from its first state."""

import pytest

from mcp_sim.core.session import Session
from mcp_sim.predictors.behaviours.behaviour import Behaviour
from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.predictors.behaviours.memory.behaviour import MemoryBehaviour
from mcp_sim.tool_specs.world_folder import load_world


@pytest.mark.parametrize(("name", "behaviour"), [("filesystem", FilesystemBehaviour({})), ("memory", MemoryBehaviour({}))])
def test_a_behaviour_answers_as_recorded(name: str, behaviour: Behaviour) -> None:
    world = load_world(name)
    session = Session.begin(world, "replay")
    for example in world.demonstrations:
        transition = behaviour.answer(session, example.action)
        assert transition is not None, example.action
        assert transition.observation.to_result() == example.observation.to_result(), example.action
        session = session.append(transition)
    assert len(session.trajectory) > len(world.tools)
