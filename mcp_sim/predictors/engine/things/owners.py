"""What a thing that is made or goes does to what it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.things import Things, tells_id
from mcp_sim.predictors.engine.words.arguments import field_named, snake
from mcp_sim.predictors.engine.words.vocabulary import plural

_MOST_HOLDERS = 200


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
            if isinstance(value, str | int) and not isinstance(value, bool):
                self._reveal(self.things.knowledge.resources[about], key, value, values)

    def missing(self, resource: Resource, values: Mapping[str, JSON]) -> str:
        """Return the kind of something that a new thing names by an id and that is certainly not there; the empty string if there is none.

        Where that kind belongs to another and the call does not say to which, all of it must be known, under whatever it belongs to.
        """
        for key, about in (*resource.links, *zip(resource.scope_keys, resource.scope, strict=True)):
            owner = self.things.knowledge.resources.get(about)
            value = field_named(dict(values), key)
            if owner is None or not owner.scope or not tells_id(key) or not isinstance(value, str | int) or len(owner.group) > 1:
                continue
            unplaced = len(self.things.knowledge.parents_in(owner, values)) < len(owner.scope)
            if unplaced and self._is_known_whole(owner) and next(self.things.knowing(owner, id_text(value)), None) is None:
                return owner.name
        return ""

    def _is_known_whole(self, resource: Resource) -> bool:
        """Whether all things of a kind are known, whatever they belong to."""
        things = self.things
        if resource.name in things.knowledge.given:
            return True
        if not resource.scope:
            return things.under(resource, "").is_closed
        above = things.knowledge.resources.get(resource.scope[0])
        if len(resource.scope) > 1 or above is None or above.scope or not self._is_known_whole(above):
            return False
        holders = things.under(above, "")
        if holders.extent > _MOST_HOLDERS:
            return False
        for holder in holders:
            own = {resource.scope_keys[0]: holder.get(above.id_key)}
            if not things.under(resource, things.knowledge.parent_key(resource, own)).is_closed and not things.is_new(resource, own):
                return False
        return True

    def _reveal(self, owner: Resource, key: str, identifier: JSON, parents: Mapping[str, JSON]) -> None:
        own = self.things.knowledge.parents_in(owner, parents)
        name = id_text(identifier)
        if len(own) < len(owner.scope) or next(self.things.knowing(owner, name), None) is not None:
            return
        collection = self.things.open(owner, own)
        if not (owner.style.fits(name) or tells_id(key)):  # what is so named is nobody's id, and was taken to be there all the same
            if not collection.is_closed and collection.find(self.things.key_of(collection, name)) is None:
                collection.keep(self.things.draft, ["accepted", name], True)
        elif not collection.is_closed and not collection.knows(name):
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
