"""A session with invented tools, to try out what calls lead to."""

import json
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.predictors.engine.engine import Engine
from tests.predictors.engine.lists import world_of


class Trial:
    """A session with invented tools: calls them one after the other."""

    def __init__(self, *tools: dict[str, Any]) -> None:
        self.engine = Engine(world_of("trial", list(tools)))
        self.session = Session.begin(self.engine.world, "s")

    def call(self, name: str, /, **arguments: Any) -> Observation | None:
        transition = self.engine.answer(self.session, Action.call(name, arguments))
        if transition is None:
            return None
        self.session = self.session.append(transition)
        return transition.observation

    def shown(self, name: str, /, **arguments: Any) -> Any:
        observation = self.call(name, **arguments)
        assert observation is not None
        assert not observation.is_error, observation.text
        return json.loads(observation.text)

    def refused(self, name: str, /, **arguments: Any) -> bool:
        observation = self.call(name, **arguments)
        return observation is not None and observation.is_error
