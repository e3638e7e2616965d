"""The shapes of what the tools take and keep. Validating drops unknown keys and settles their order, as the real server's schemas do."""

from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
"""Who relates to whom, and how."""


class Entity(TypedDict):
    """A node of the graph."""

    name: str
    entityType: str
    observations: list[str]


class Addition(TypedDict):
    """Observations to add to an entity."""

    entityName: str
    contents: list[str]


class Deletion(TypedDict):
    """Observations to delete from an entity."""

    entityName: str
    observations: list[str]


ENTITIES: TypeAdapter[Any] = TypeAdapter(list[Entity])
RELATIONS: TypeAdapter[Any] = TypeAdapter(list[Relation])
ADDITIONS: TypeAdapter[Any] = TypeAdapter(list[Addition])
DELETIONS: TypeAdapter[Any] = TypeAdapter(list[Deletion])
NAMES: TypeAdapter[Any] = TypeAdapter(list[str])
TEXT: TypeAdapter[Any] = TypeAdapter(str)
