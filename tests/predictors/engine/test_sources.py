"""Where an answer says that it came from: `computed` only where nothing in it was made up."""

import json
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.reasoning import Reasoning
from mcp_sim.tool_specs.world_folder import load_world
from tests.predictors.engine.lists import INVENTED, NUMBER, TEXT, tool, world_of


class Talk:
    """A session in which the engine may imagine."""

    def __init__(self, world: World) -> None:
        self.reasoning = Reasoning(Engine(world), may_imagine=True)
        self.session = Session.begin(world, "sources")

    def __call__(self, tool_name: str, /, **arguments: Any) -> Transition:
        action = Action.call(tool_name, arguments)
        transition = self.session.recall(action) or self.reasoning.answer(self.session, action)
        assert transition is not None, f"{tool_name} was not answered"
        self.session = self.session.append(transition)
        return transition

    def value(self, tool_name: str, /, **arguments: Any) -> Any:
        return json.loads(self(tool_name, **arguments).observation.text)


def test_what_was_made_is_computed_ever_after() -> None:
    talk = Talk(world_of("tasks", INVENTED["tasks"]))
    key = talk.value("create_task", title="Mend the nets")["id"]
    assert talk("get_task", task_id=key).source == "computed"
    assert talk("update_task", task_id=key, title="Mend all nets").source == "computed"
    assert talk("close_task", task_id=key).source == "computed"
    assert talk("get_task", task_id=key).source == "computed"
    assert talk("delete_task", task_id=key).source == "computed"
    for gone in ("get_task", "delete_task", "close_task"):
        refused = talk(gone, task_id=key)
        assert refused.observation.is_error
        assert refused.source == "computed"


def test_what_was_imagined_stays_so_in_every_state() -> None:
    talk = Talk(world_of("tasks", INVENTED["tasks"]))
    seen = talk("list_tasks", status="all")
    assert seen.source == "imagined"
    first = json.loads(seen.observation.text)["tasks"][0]["id"]
    talk("create_task", title="Mend the nets")
    for name, arguments in (
        ("get_task", {"task_id": first}),
        ("list_tasks", {"status": "all"}),
        ("count_tasks", {}),
        ("update_task", {"task_id": first, "title": "Other"}),
        ("get_task", {"task_id": first}),
    ):
        assert talk(name, **arguments).source == "imagined", name


def test_a_given_state_is_computed_whole() -> None:
    given = {"collections": {"tasks": [{"id": 1, "title": "Mend the nets", "status": "open"}]}}
    world = world_of("tasks", INVENTED["tasks"], first_state=freeze(given))
    talk = Talk(world)
    assert [talk(*call).source for call in (("list_tasks",), ("count_tasks",))] == ["computed", "computed"]
    assert talk("search_tasks", query="nets").source == "computed"
    missing = talk("get_task", task_id=7)
    assert missing.observation.is_error
    assert missing.source == "computed"


def test_what_a_new_thing_holds_is_computed() -> None:
    talk = Talk(world_of("wide", INVENTED["wide"]))
    board = talk.value("create_board", name="Nets")["id"]
    assert talk.value("list_cards", board_id=board) == []
    assert talk("list_cards", board_id=board).source == "computed"
    talk("create_card", board_id=board, name="Mend")
    assert talk("list_cards", board_id=board).source == "computed"
    assert talk("list_cards", board_id="elsewhere").source == "imagined"


def test_what_an_output_schema_asks_for_beyond_what_is_known_is_imagined() -> None:
    shown = {"type": "object", "properties": {"id": TEXT, "name": TEXT, "rank": NUMBER}, "required": ["id", "name", "rank"]}
    known = {"type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"]}
    tools = [tool("create_boat", known, name=TEXT), tool("get_boat", known, boat_id=TEXT), tool("list_boats")]
    given = {"collections": {"boats": [{"id": "b1", "name": "Heron"}]}}
    assert Talk(world_of("boats", tools, first_state=freeze(given)))("get_boat", boat_id="b1").source == "computed"
    tools[1] = tool("get_boat", shown, boat_id=TEXT)
    assert Talk(world_of("boats", tools, first_state=freeze(given)))("get_boat", boat_id="b1").source == "imagined"


def test_a_demonstrated_thing_that_exists_already_is_refused_by_computing() -> None:
    talk = Talk(load_world("github"))
    place = {"owner": "brinewatch", "repo": "tidegauge"}
    branches = talk.value("list_branches", **place)
    again = talk("create_branch", **place, branch=branches[0]["name"])
    assert again.observation.is_error
    assert again.source == "computed"


def test_a_hash_that_only_a_demonstration_shows_is_made_up() -> None:
    talk = Talk(load_world("github"))
    place = {"owner": "brinewatch", "repo": "tidegauge"}
    assert talk("create_branch", **place, branch="calm", from_branch="main").source == "computed"  # where `main` ends is given
    assert talk("merge_pull_request", **place, pull_number=418).source == "imagined"
