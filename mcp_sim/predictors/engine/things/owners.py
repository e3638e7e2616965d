"""What a thing that is made or goes does to what it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.things import Things, tells_id
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.vocabulary import plural


@dataclass(frozen=True, slots=True)
class Owners:
    """The things that others belong to."""

    things: Things

    def reveal(self, resource: Resource, values: Mapping[str, JSON]) -> None:
        """Bring to light what a new thing belongs to and names: whoever makes a part of it takes it to be there."""
        for about, key in zip(resource.scope, resource.scope_keys, strict=True):
            owner = self.things.knowledge.resources.get(about)
            if owner is not None and owner.name != resource.name and key in values:
                self._reveal(owner, key, values[key], values)
        for key, about in resource.links:
            value = next((values[name] for name in values if snake(name) == key), None)
            if tells_id(key) and isinstance(value, str | int) and not isinstance(value, bool):
                self._reveal(self.things.knowledge.resources[about], key, value, values)

    def _reveal(self, owner: Resource, key: str, identifier: JSON, parents: Mapping[str, JSON]) -> None:
        own = self.things.knowledge.parents_in(owner, parents)
        name = id_text(identifier)
        if len(own) < len(owner.scope) or not (owner.style.fits(name) or tells_id(key)):
            return
        if next(self.things.knowing(owner, name), None) is not None:
            return
        collection = self.things.open(owner, own)
        if not collection.is_closed and not collection.knows(name):
            random = self.things.chance("thing", owner.name, collection.parent, name)
            number = owner.style.number_of(name) if owner.style.style == "number" else 0
            record = self.things.imagine(owner, owner.style.numbered(number) if number else identifier, own, random)
            collection.reveal(self.things.draft, name, record, 1_000_000)

    def count(self, resource: Resource, parents: Mapping[str, JSON], by: int) -> None:
        """Move the counter that what a thing belongs to keeps of its parts: the comments of an issue."""
        if not resource.scope or resource.scope[-1] not in self.things.knowledge.resources:
            return
        owner = self.things.knowledge.resources[resource.scope[-1]]
        key = id_text(parents.get(resource.scope_keys[-1]))
        collection = self.things.of_owner(owner, key, parents)
        record = collection.find(key) if collection is not None else None
        part = plural(resource.name.split("_")[-1])
        for name, value in (record or {}).items():
            if snake(name) in (part, f"{part}_count", f"{resource.name.split('_')[-1]}_count") and isinstance(value, int):
                if collection is not None and record is not None and not isinstance(value, bool):
                    collection.change(self.things.draft, key, {**record, name: max(value + by, 0)})
                return
