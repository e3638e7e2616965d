"""Calls about many things at once, and answers that show several kinds of things: a knowledge graph that no behaviour answers."""

import json
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from tests.predictors.engine.lists import TEXT, TEXTS, tool, world_of


def many(**parts: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": parts, "required": list(parts)}}


ENTITY = {"name": TEXT, "entityType": TEXT, "observations": TEXTS}
RELATION = {
    "from": {"type": "string", "description": "The name of the entity where it starts"},
    "to": {"type": "string", "description": "The name of the entity where it ends"},
    "relationType": TEXT,
}
GRAPH = {
    "type": "object",
    "properties": {"entities": many(**ENTITY), "relations": many(**RELATION)},
    "required": ["entities", "relations"],
    "additionalProperties": False,
}


def graph(output: Any, **fields: Any) -> World:
    forgiving = {"idempotentHint": True, "readOnlyHint": False}
    tools = [
        tool("create_entities", entities=many(**ENTITY)),
        tool("create_relations", relations=many(**RELATION)),
        tool("add_observations", observations=many(entityName=TEXT, contents=TEXTS)),
        tool("delete_entities", None, forgiving, entityNames=TEXTS),
        tool("delete_observations", None, forgiving, deletions=many(entityName=TEXT, observations=TEXTS)),
        tool("delete_relations", None, forgiving, relations=many(**RELATION)),
        tool("read_graph", output),
        tool("search_nodes", output, query=TEXT),
        tool("open_nodes", output, names=TEXTS),
    ]
    return world_of("graph", tools, **fields)


class Caller:
    def __init__(self, world: World) -> None:
        self.engine = Engine(world)
        self.session = Session.begin(world, "graph")

    def __call__(self, name: str, **arguments: Any) -> Observation:
        transition = self.engine.answer(self.session, Action.call(name, arguments))
        assert transition is not None, name
        self.session = self.session.append(transition)
        return transition.observation

    def names(self, name: str, **arguments: Any) -> set[str]:
        return {entity["name"] for entity in json.loads(self(name, **arguments).text)["entities"]}

    def arrows(self, name: str = "read_graph", **arguments: Any) -> set[tuple[str, str]]:
        return {(relation["from"], relation["to"]) for relation in json.loads(self(name, **arguments).text)["relations"]}


def filled(output: Any = GRAPH) -> Caller:
    call = Caller(graph(output))
    call("create_entities", entities=[{"name": name, "entityType": "boat", "observations": []} for name in ("Alk", "Gannet", "Puffin")])
    call("create_relations", relations=[{"from": "Alk", "to": "Gannet", "relationType": "tows"}])
    return call


def test_what_was_made_at_once_is_in_the_whole_and_found_by_name_and_by_text() -> None:
    for output in (GRAPH, None):
        call = filled(output)
        assert call.names("read_graph") >= {"Alk", "Gannet", "Puffin"}
        assert call.names("open_nodes", names=["Gannet", "Nobody at all"]) == {"Gannet"}
        call("add_observations", observations=[{"entityName": "Puffin", "contents": ["smells of diesel", "is red"]}])
        assert call.names("search_nodes", query="diesel") == {"Puffin"}
        assert ("Alk", "Gannet") in call.arrows()
        assert call.arrows("open_nodes", names=["Gannet"]) == {("Alk", "Gannet")}


def test_what_is_there_is_not_made_twice() -> None:
    call = filled()
    before = call.names("read_graph")
    again = call("create_entities", entities=[{"name": "Alk", "entityType": "bird", "observations": []}])
    assert not again.is_error
    assert call.names("read_graph") == before
    call("create_relations", relations=[{"from": "Alk", "to": "Gannet", "relationType": "tows"}])
    assert len([arrow for arrow in json.loads(call("read_graph").text)["relations"] if arrow["from"] == "Alk"]) == 1


def test_what_is_deleted_takes_its_relations_along_for_ever() -> None:
    call = filled()
    call("delete_entities", entityNames=["Gannet"])
    assert "Gannet" not in call.names("read_graph")
    call("create_entities", entities=[{"name": "Gannet", "entityType": "bird", "observations": []}])
    assert "Gannet" in call.names("read_graph")
    assert ("Alk", "Gannet") not in call.arrows()


def test_relations_are_deleted_by_what_they_are_like() -> None:
    call = filled()
    call("create_relations", relations=[{"from": "Alk", "to": "Gannet", "relationType": "follows"}])
    call("delete_relations", relations=[{"from": "Alk", "to": "Gannet", "relationType": "tows"}])
    left = [arrow["relationType"] for arrow in json.loads(call("read_graph").text)["relations"] if arrow["from"] == "Alk"]
    assert left == ["follows"]


def test_members_are_added_and_removed_in_many_things_at_once() -> None:
    call = filled()
    call(
        "add_observations",
        observations=[{"entityName": "Alk", "contents": ["is wet", "is old"]}, {"entityName": "Puffin", "contents": ["is red"]}],
    )
    call("delete_observations", deletions=[{"entityName": "Alk", "observations": ["is wet", "never said"]}])
    shown = {entity["name"]: entity["observations"] for entity in json.loads(call("open_nodes", names=["Alk", "Puffin"]).text)["entities"]}
    assert shown == {"Alk": ["is old"], "Puffin": ["is red"]}


def test_one_unknown_name_among_many_refuses_all() -> None:
    call = filled()
    call("read_graph")  # from here on nobody else is there
    both = [{"entityName": "Alk", "contents": ["is wet"]}, {"entityName": "Heron", "contents": ["is grey"]}]
    refused = call("add_observations", observations=both)
    assert refused.is_error
    assert "Heron" in refused.text
    assert json.loads(call("open_nodes", names=["Alk"]).text)["entities"][0]["observations"] == []
