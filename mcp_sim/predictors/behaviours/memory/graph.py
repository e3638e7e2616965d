"""The knowledge graph in a session's state."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.state import Change, State, lookup
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.derived import Derived
from mcp_sim.predictors.behaviours.memory.collection import Collection, Keys, Listed
from mcp_sim.predictors.behaviours.memory.shapes import ENTITIES, RELATIONS

Item = Mapping[str, Any]
_NONE: list[JSON] = []


def entity_keys(entity: Item) -> tuple[str, ...]:
    """An entity is found by its name."""
    return (entity["name"],)


def end_key(name: str) -> str:
    """The key of all relations that start or end at this name."""
    return f"end {name}"


def relation_key(relation: Item) -> str:
    """The key of all relations that say exactly this."""
    return "says " + canonical([relation["from"], relation["to"], relation["relationType"]])


def relation_keys(relation: Item) -> tuple[str, ...]:
    """A relation is found by either end and by what it says."""
    return (end_key(relation["from"]), end_key(relation["to"]), relation_key(relation))


class Graph:
    """Entities and relations as one call sees and changes them.

    In `state.json`: `{"memory": {"entities": [{"name", "entityType", "observations"}], "relations": [{"from", "to", "relationType"}]}}`.
    These lists stay as written; `memory.later` keeps what has changed since (see `Collection`), so that a change costs the same
    at any size. Their index is kept in `indexes`.

    Raises:
        PredictionError: the lists in the state are not of this form.
    """

    def __init__(self, state: State, indexes: Derived[Listed]) -> None:
        self.entities = _collection(state, indexes, "entities", ENTITIES, entity_keys)
        self.relations = _collection(state, indexes, "relations", RELATIONS, relation_keys)

    @property
    def changes(self) -> list[Change]:
        """What this call has changed so far."""
        return self.entities.changes + self.relations.changes


def _collection(state: State, indexes: Derived[Listed], part: str, shape: TypeAdapter[Any], keys: Keys) -> Collection:
    written = lookup(state, "memory", part) or _NONE
    listed = indexes.of(part, written, derive=lambda: Listed.of(_read(shape, part, written), keys))
    return Collection(state, ("memory", "later", part), listed, keys)


def _read(shape: TypeAdapter[Any], part: str, written: JSON) -> list[Item]:
    try:
        items: list[Item] = shape.validate_python(written, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in ("memory", part, *first["loc"]))
        raise PredictionError(f"The state's {where} is wrong: {first['msg']}. Correct it in the world's state.json.") from error
    return items
