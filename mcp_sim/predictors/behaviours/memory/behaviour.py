"""The nine tools of the knowledge graph."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, indented
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.derived import Derived
from mcp_sim.predictors.behaviours.memory import shapes
from mcp_sim.predictors.behaviours.memory.collection import Listed
from mcp_sim.predictors.behaviours.memory.graph import Graph, Item, end_key, relation_key
from mcp_sim.predictors.behaviours.options import NoOptions, read_options


class MemoryBehaviour:
    """Answers like `@modelcontextprotocol/server-memory` 2026.8.31 (read in its `dist/index.js`). State: see `Graph`."""

    def __init__(self, options: Mapping[str, JSON]) -> None:
        read_options(NoOptions, "memory", options)
        self.mutates: Mapping[str, bool] = {name: name not in ("read_graph", "search_nodes", "open_nodes") for name in _TOOLS}
        self.volatile: frozenset[str] = frozenset()
        self._indexes: Derived[Listed] = Derived(capacity=16)

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to; `None` also for arguments that the real server's schemas do not have."""
        if action.name not in _TOOLS:
            return None
        argument, shape, tool = _TOOLS[action.name]
        try:
            value = shape.validate_python(action.arguments.get(argument), strict=True)
        except ValidationError:
            return None
        graph = Graph(session.state, self._indexes)
        observation = tool(graph, value)
        patch = [] if observation.is_error else graph.changes
        return session.transition(action, observation, "computed", patch, changes=bool(patch))


def _create_entities(graph: Graph, entities: list[Item]) -> Observation:
    # The real server compares with what was there before the call: twins in one call are both kept.
    new = [dict(entity) for entity in entities if not graph.entities.find(entity["name"])]
    for entity in new:
        graph.entities.add(entity)
    return _told(new, {"entities": new})


def _create_relations(graph: Graph, relations: list[Item]) -> Observation:
    new = [dict(relation) for relation in relations if not graph.relations.find(relation_key(relation))]
    for relation in new:
        graph.relations.add(relation)
    return _told(new, {"relations": new})


def _add_observations(graph: Graph, additions: list[Item]) -> Observation:
    results: list[JSON] = []
    for addition in additions:
        found = graph.entities.find(addition["entityName"])
        if not found:
            return Observation.of_text(f"Entity with name {addition['entityName']} not found", is_error=True)
        position, entity = found[0]
        known = set(entity["observations"])
        new = [content for content in addition["contents"] if content not in known]
        if new:
            graph.entities.replace(position, _entity(entity, [*entity["observations"], *new]))
        results.append({"entityName": addition["entityName"], "addedObservations": new})
    return _told(results, {"results": results})


def _delete_entities(graph: Graph, names: list[str]) -> Observation:
    for position, _ in graph.entities.find(*names):
        graph.entities.remove(position)
    for position, _ in graph.relations.find(*map(end_key, names)):
        graph.relations.remove(position)
    return _done("Entities deleted successfully")


def _delete_observations(graph: Graph, deletions: list[Item]) -> Observation:
    for deletion in deletions:
        gone = set(deletion["observations"])
        for position, entity in graph.entities.find(deletion["entityName"])[:1]:
            kept = [content for content in entity["observations"] if content not in gone]
            if len(kept) < len(entity["observations"]):
                graph.entities.replace(position, _entity(entity, kept))
    return _done("Observations deleted successfully")


def _delete_relations(graph: Graph, relations: list[Item]) -> Observation:
    for position, _ in graph.relations.find(*map(relation_key, relations)):
        graph.relations.remove(position)
    return _done("Relations deleted successfully")


def _read_graph(graph: Graph, _: None) -> Observation:
    return _shown(graph.entities.all(), graph.relations.all())


def _search_nodes(graph: Graph, query: str) -> Observation:
    wanted = query.lower()
    found = [entity for entity in graph.entities.all() if any(wanted in text.lower() for text in _texts(entity))]
    return _shown(found, _touching(graph, found))


def _open_nodes(graph: Graph, names: list[str]) -> Observation:
    found = [entity for _, entity in graph.entities.find(*names)]
    return _shown(found, _touching(graph, found))


_TOOLS: dict[str, tuple[str, TypeAdapter[Any], Callable[[Graph, Any], Observation]]] = {
    "create_entities": ("entities", shapes.ENTITIES, _create_entities),
    "create_relations": ("relations", shapes.RELATIONS, _create_relations),
    "add_observations": ("observations", shapes.ADDITIONS, _add_observations),
    "delete_entities": ("entityNames", shapes.NAMES, _delete_entities),
    "delete_observations": ("deletions", shapes.DELETIONS, _delete_observations),
    "delete_relations": ("relations", shapes.RELATIONS, _delete_relations),
    "read_graph": ("", TypeAdapter(None), _read_graph),
    "search_nodes": ("query", shapes.TEXT, _search_nodes),
    "open_nodes": ("names", shapes.NAMES, _open_nodes),
}
"""Each tool's one argument, its shape, and what it does."""


def _texts(entity: Item) -> Iterable[str]:
    return (entity["name"], entity["entityType"], *entity["observations"])


def _touching(graph: Graph, entities: Iterable[Item]) -> list[Item]:
    return [relation for _, relation in graph.relations.find(*(end_key(entity["name"]) for entity in entities))]


def _entity(entity: Item, observations: list[str]) -> dict[str, JSON]:
    return {"name": entity["name"], "entityType": entity["entityType"], "observations": observations}


def _relation(relation: Item) -> dict[str, JSON]:
    return {"from": relation["from"], "to": relation["to"], "relationType": relation["relationType"]}


def _shown(entities: Iterable[Item], relations: Iterable[Item]) -> Observation:
    graph = {
        "entities": [_entity(entity, entity["observations"]) for entity in entities],
        "relations": [_relation(relation) for relation in relations],
    }
    return _told(graph, graph)


def _told(value: JSON, structured: dict[str, JSON]) -> Observation:
    return Observation.of_structured(structured, indented(value))


def _done(message: str) -> Observation:
    return Observation.of_structured({"success": True, "message": message}, message)
