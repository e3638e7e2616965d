"""The ways up from a thing, by what it belongs to: from a card by its column to the board."""

from collections.abc import Mapping

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.matching import means_all
from mcp_sim.predictors.engine.resources.ranges import resource_has
from mcp_sim.predictors.engine.resources.resource import Path, Resource
from mcp_sim.predictors.engine.things.things import Things, unkeyed
from mcp_sim.predictors.engine.words.arguments import concept, field_named, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding


def leads_to(things: Things, record: Record, path: Path, wanted: JSON) -> bool:
    """Return whether a way up from a thing ends at the thing of an id. What was looked at on the way is told to `things.consulted`."""
    values = record
    for key, kind in path[:-1]:
        value = field_named(values, key)
        if not isinstance(value, str | int):
            return False
        owner = things.knowledge.resources[kind]
        collection = things.of_owner(owner, id_text(value), values)
        if things.consulted is not None:
            things.consulted.add((owner.name, id_text(value)))
        if collection is None:
            return False
        at = things.key_of(collection, id_text(value))
        if things.consulted is not None:
            things.consulted.update(((owner.name, at), (owner.name, f"/{collection.parent}")))
        found = collection.find(at)
        if found is None:
            return False
        values = {**unkeyed(owner, collection.parent), **found}
    return id_text(field_named(values, path[-1][0])).lower() == id_text(wanted).lower()


def ways_asked(meaning: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON]) -> tuple[tuple[Path, JSON], ...]:
    """Return the ways up that the things asked for must have, and where to: the cards of a board, in whatever column."""
    asked = ((name, arguments.get(name)) for name in dict.fromkeys((*meaning.parents, *meaning.filters)))
    return tuple(
        (resource.above[concept(name)], value)
        for name, value in asked
        if concept(name) in resource.above
        and concept(name) not in resource.scope
        and not resource_has(resource, snake(name))
        and not means_all(value)
    )
