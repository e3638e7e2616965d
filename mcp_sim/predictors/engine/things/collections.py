"""The things that exist in a session, for whoever looks at it from outside."""

from collections.abc import Iterator

from mcp_sim.core.session import Session
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.things import Things, unkeyed

_Place = tuple[str, str, str]


def read_collections(knowledge: Knowledge, session: Session) -> dict[str, list[Record]]:
    """Return the known things of each kind by the plural of their name (`issues`, `pull_requests`), as records of their own.

    What was there comes first, what was made in the session last and in the order in which it was made, so that the newest is at the
    end. A record also has what its thing belongs to. Nothing is imagined: what no call has touched yet is absent.
    """
    made = _order_of_making(session)
    things = Things(knowledge, session, Draft(session.state), certain_only=True)
    return {resource.plural: _read(resource, things.known(resource), made) for resource in knowledge.resources.values()}


def _read(resource: Resource, collections: Iterator[Collection], made: dict[_Place, int]) -> list[Record]:
    older: list[Record] = []
    newer: list[tuple[int, Record]] = []
    for collection in collections:
        places = collection.node.get("places", {})
        parents = unkeyed(resource, collection.parent)
        for record in collection:
            whole = {**{key: value for key, value in parents.items() if key not in record}, **record}
            place = places.get(id_text(record.get(resource.id_key)))
            if place is None:
                older.append(whole)
            else:
                newer.append((made.get((resource.name, collection.parent, place), 0), whole))
    return [*older, *(record for _, record in sorted(newer, key=lambda entry: entry[0]))]


def _order_of_making(session: Session) -> dict[_Place, int]:
    order: dict[_Place, int] = {}
    for transition in session.trajectory:
        for change in transition.patch:
            match change.path:
                case ["entities", resource, "within", parent, "created", place]:
                    order.setdefault((resource, parent, place), len(order))
    return order
