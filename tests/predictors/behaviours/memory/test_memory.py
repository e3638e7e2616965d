import json

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.state import freeze, thaw
from mcp_sim.errors import PredictionError, SetupError
from mcp_sim.predictors.behaviours.memory.behaviour import MemoryBehaviour
from tests.predictors.behaviours.play import Play, begin

ANN = {"name": "Ann", "entityType": "person", "observations": ["likes tea"]}
BO = {"name": "Bo", "entityType": "person", "observations": []}
KNOWS = {"from": "Ann", "to": "Bo", "relationType": "knows"}


@pytest.fixture
def play() -> Play:
    return Play(MemoryBehaviour({}), begin({"memory": {"entities": [ANN, BO], "relations": [KNOWS]}}))


def test_created_entities_are_told_without_those_that_exist(play: Play) -> None:
    cy = {"name": "Cy", "entityType": "cat", "observations": []}
    result = play.call("create_entities", entities=[ANN, {**cy, "extra": 1}])
    assert result["structuredContent"] == {"entities": [cy]}
    assert result["content"][0]["text"] == json.dumps([cy], indent=2)
    assert "isError" not in result


def test_what_changes_nothing_is_no_change(play: Play) -> None:
    for name, arguments in [
        ("create_entities", {"entities": [ANN]}),
        ("create_relations", {"relations": [KNOWS]}),
        ("add_observations", {"observations": [{"entityName": "Ann", "contents": ["likes tea"]}]}),
        ("delete_entities", {"entityNames": ["Nobody"]}),
        ("read_graph", {}),
    ]:
        play.call(name, **arguments)
        assert not play.changed, name


def test_a_failed_addition_keeps_nothing(play: Play) -> None:
    additions = [{"entityName": "Ann", "contents": ["new"]}, {"entityName": "Zed", "contents": ["x"]}]
    assert play.call("add_observations", observations=additions) == {
        "content": [{"type": "text", "text": "Entity with name Zed not found"}],
        "isError": True,
    }
    assert not play.changed
    assert play.call("open_nodes", names=["Ann"])["structuredContent"]["entities"] == [ANN]


def test_deleting_an_entity_deletes_its_relations(play: Play) -> None:
    play.call("delete_entities", entityNames=["Bo"])
    assert play.call("read_graph")["structuredContent"] == {"entities": [ANN], "relations": []}


def test_opened_nodes_show_relations_to_others(play: Play) -> None:
    assert play.call("open_nodes", names=["Bo"])["structuredContent"] == {"entities": [BO], "relations": [KNOWS]}


def test_order_is_that_of_creation_through_deletes_and_a_restart(play: Play) -> None:
    for name in "Cy Di Ed Fi Gu Hy Ix Ja Ka Lo".split():
        play.call("create_entities", entities=[{**BO, "name": name}])
    play.call("delete_entities", entityNames=["Ann", "Di"])
    play.call("create_entities", entities=[ANN])
    restarted = Play(MemoryBehaviour({}), begin(json.loads(json.dumps(thaw(play.session.state)))))
    names = [entity["name"] for entity in restarted.call("read_graph")["structuredContent"]["entities"]]
    assert names == "Bo Cy Ed Fi Gu Hy Ix Ja Ka Lo Ann".split()


def test_nothing_is_left_of_what_came_and_went(play: Play) -> None:
    play.call("create_entities", entities=[{**BO, "name": "Cy"}])
    play.call("create_relations", relations=[{**KNOWS, "to": "Cy"}])
    play.call("delete_entities", entityNames=["Cy"])
    later = thaw(play.session.state)["memory"]["later"]
    assert {part: {key: value for key, value in kept.items() if key != "next"} for part, kept in later.items()} == {
        "entities": {"items": {}, "index": {}},
        "relations": {"items": {}, "index": {}},
    }


def test_a_change_to_a_large_graph_is_small(play: Play) -> None:
    many = [{"name": f"e{number}", "entityType": "thing", "observations": ["x"]} for number in range(20_000)]
    play.session = begin({"memory": {"entities": many, "relations": []}})
    play.call("add_observations", observations=[{"entityName": "e19999", "contents": ["y"]}])
    assert len(json.dumps([change.model_dump() for change in play.session.trajectory[-1].patch])) < 300


def test_a_wrong_graph_is_named(play: Play) -> None:
    play.session = begin({"memory": {"entities": [{"name": "Ann"}]}})
    with pytest.raises(PredictionError, match=r"memory\.entities\.0\.entityType"):
        play.call("read_graph")


def test_other_tools_and_other_arguments_are_not_mine(play: Play) -> None:
    assert play.behaviour.answer(play.session, Action.call("read_file", {"path": "/a"})) is None
    assert play.behaviour.answer(play.session, Action.call("open_nodes", {"names": "Ann"})) is None


def test_unknown_options_are_refused() -> None:
    with pytest.raises(SetupError, match="colour"):
        MemoryBehaviour({"colour": "red"})


def test_the_first_state_is_never_touched(play: Play) -> None:
    before = play.session.world.first_state
    play.call("delete_entities", entityNames=["Ann", "Bo"])
    assert before == freeze({"memory": {"entities": [ANN, BO], "relations": [KNOWS]}})
