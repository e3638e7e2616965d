"""The ways up from a thing, by what it belongs to: from a card by its column to the board."""

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.resource import Path
from mcp_sim.predictors.engine.things.things import Things, unkeyed
from mcp_sim.predictors.engine.words.arguments import field_named


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
