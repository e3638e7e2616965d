"""The things of a session: its collections opened, and what was there all the time imagined at the first touch."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from urllib.parse import unquote

from rpds import HashTrieMap

from mcp_sim.core.canonical import JSON, digest
from mcp_sim.core.session import Session
from mcp_sim.core.state import lookup
from mcp_sim.predictors.engine.index.shelf import Shelf
from mcp_sim.predictors.engine.kept.collection import Collection, Given, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.numbering import Chance, Numbering
from mcp_sim.predictors.engine.things.seeding import Seeding

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Things:
    """The things of a session while one call is answered. With `certain_only` nothing is imagined; another `salt` makes other chance."""

    knowledge: Knowledge
    session: Session
    draft: Draft
    certain_only: bool = False
    salt: str = ""
    consulted: set[tuple[str, str]] | None = None
    """Told what an answer hangs on: the owners that were looked at, by resource and id or name, and collections by `/` and parent."""

    def open(self, resource: Resource, parents: Mapping[str, JSON]) -> Collection:
        """Return the collection under these parents; what was there all the time is revealed at the first touch."""
        parent = self.knowledge.parent_key(resource, parents)
        given = self.knowledge.given_under(resource, parent)
        if given is not None:
            return Collection.at(self.draft.state, resource.name, parent, resource.id_key, given, closed=True)
        path = ["entities", resource.name, "within", parent]
        seeded = lookup(self.draft.state, *path, "seeded")
        if not isinstance(seeded, list):
            facts = self.knowledge.facts.get(resource.name, {}).get(parent, [])
            seeded = facts if self.certain_only else self._seeds(resource, parents, parent, facts)
            if seeded or not self.certain_only:
                fresh = Collection.at(self.draft.state, resource.name, parent, resource.id_key, Given((), {}))
                fresh.keep(self.draft, ["seeded"], seeded)
                if resource.wide:
                    for record in seeded:
                        self.draft.put(["entities", resource.name, "where", id_text(record.get(resource.id_key))], parent)
        base = Given.of(seeded, resource.id_key)
        whole = (resource.name, parent) in self.knowledge.shown_whole
        return Collection.at(self.draft.state, resource.name, parent, resource.id_key, base, closed=whole)

    def again(self, collection: Collection) -> Collection:
        """Return the collection as the draft has it now."""
        return Collection.at(
            self.draft.state, collection.resource, collection.parent, collection.id_key, collection.given, closed=collection.always_closed
        )

    def known(self, resource: Resource) -> Iterator[Collection]:
        """Return all collections of a resource that anything is known of, by parent."""
        within = lookup(self.draft.state, "entities", resource.name, "within")
        parents = set(within) if isinstance(within, HashTrieMap) else set()
        parents |= set(self.knowledge.given.get(resource.name, ()))
        facts = self.knowledge.facts.get(resource.name, {})
        for parent in sorted(parents | set(facts)):
            yield self._as_far_as_known(resource, parent)

    def _as_far_as_known(self, resource: Resource, parent: str) -> Collection:
        facts = self.knowledge.facts.get(resource.name, {}).get(parent)
        if facts is None or resource.name in self.knowledge.given:
            return self.under(resource, parent)
        return self.open(resource, self.knowledge.parents_in(resource, {**unkeyed(resource, parent), **facts[0]}))

    def under(self, resource: Resource, parent: str) -> Collection:
        """Return the collection of a parent as far as it is known, without opening it."""
        base = self.knowledge.given_under(resource, parent)
        whole = base is not None or (resource.name, parent) in self.knowledge.shown_whole
        if base is None:
            seeded = lookup(self.draft.state, "entities", resource.name, "within", parent, "seeded")
            facts = self.knowledge.facts.get(resource.name, {}).get(parent, [])
            base = Given.of(seeded if isinstance(seeded, list) else facts, resource.id_key)
        return Collection.at(self.draft.state, resource.name, parent, resource.id_key, base, closed=whole)

    def is_vast(self, resource: Resource) -> bool:
        """Whether there are too many collections of a resource to look at each."""
        within = lookup(self.draft.state, "entities", resource.name, "within")
        touched = len(within) if isinstance(within, HashTrieMap) else 0
        return touched + len(self.knowledge.given.get(resource.name, ())) > self.knowledge.catalogue.least

    def shelf(self, resource: Resource, parent: str | None = None) -> Shelf:
        """Return the index of one collection, or of all of a resource."""

        def base() -> Iterator[tuple[str, Record]]:
            of_resource = self.knowledge.given.get(resource.name)
            facts = self.knowledge.facts.get(resource.name, {})
            for under in (facts if of_resource is None else of_resource) if parent is None else (parent,):
                records = facts.get(under, ()) if of_resource is None else of_resource[under].records if under in of_resource else ()
                yield from ((under, record) for record in records)

        session = self.session
        return self.knowledge.catalogue.shelf(resource.name, parent, resource.id_key, base, session.trajectory, self.draft)

    def knowing(self, resource: Resource, key: str) -> Iterator[Collection]:
        """Return the collections in which a thing of that id is or was, by parent."""
        vast = self.is_vast(resource)
        parents = sorted({parent for _, parent, _ in self.shelf(resource).having("ids", key)}) if vast else ()
        for collection in (self._as_far_as_known(resource, parent) for parent in parents) if vast else self.known(resource):
            if collection.knows(key):
                yield collection

    def has_any(self, resource: Resource, kind: str) -> bool:
        """Whether a collection of the resource holds entries of a kind: `deleted` or `revealed`."""
        if not self.is_vast(resource):
            return any(kind in collection.node for collection in self.known(resource))
        parents = {parent for _, parent, _ in self.shelf(resource).having("kinds", kind)}
        return any(lookup(self.draft.state, "entities", resource.name, "within", parent, kind) is not None for parent in parents)

    def key_of(self, collection: Collection, name: str) -> str:
        """Return the id of the thing in a collection that others call by that name."""
        if collection.extent <= self.knowledge.catalogue.least or collection.knows(name):
            return collection.key_of(name)
        shelf = self.shelf(self.knowledge.resources[collection.resource], collection.parent)
        return collection.key_of(name, (key for _, _, key in shelf.having("names", name)))

    def holding(self, resource: Resource, key: str, parents: Mapping[str, JSON]) -> Collection:
        """Return the collection that an id leads to: the one under the parents, or the one that the id alone tells."""
        if len(parents) < len(resource.scope):
            parent = lookup(self.draft.state, "entities", resource.name, "where", key) or self.knowledge.given_parent(resource, key)
            if isinstance(parent, str) and self._is_there(resource, parent):
                return self.under(resource, parent)
            for collection in self.knowing(resource, key):
                return collection
        return self.open(resource, parents)

    def is_orphan(self, resource: Resource, record: Mapping[str, JSON], depth: int = 0) -> str:
        """Return the name of what the thing belonged to and what is gone, or the empty string. What was deleted takes its parts along."""
        if depth > _DEEPEST:
            return ""
        for about, key in zip(resource.scope, resource.scope_keys, strict=True):
            owner = self.knowledge.owner(about)
            if owner is not None and key in record and self._is_gone(owner, record[key], record, depth, by_name=not tells_id(key)):
                return owner.name
        for key, about in resource.links:
            value = next((record[name] for name in record if name.lower() == key.replace("_", "") or name == key), None)
            if value is not None and self._is_gone(self.knowledge.resources[about], value, record, depth, by_name=not tells_id(key)):
                return about
        return ""

    def _is_gone(self, owner: Resource, identifier: JSON, record: Mapping[str, JSON], depth: int, *, by_name: bool = False) -> bool:
        within = lookup(self.draft.state, "entities", owner.name, "within")
        if self.consulted is not None:
            parent = self.knowledge.parent_key(owner, self.knowledge.parents_in(owner, record))
            self.consulted.update(((owner.name, id_text(identifier)), (owner.name, f"/{parent}")))
        if owner.name not in self.knowledge.given and not isinstance(within, HashTrieMap):
            return False
        collection = self.of_owner(owner, id_text(identifier), record)
        if collection is None:
            return False
        key = self.key_of(collection, id_text(identifier))
        if self.consulted is not None:
            self.consulted.add((owner.name, key))
        if (found := collection.find(key)) is None:
            whole = collection.is_closed and not owner.wide and key not in collection.node.get("accepted", ())
            whole = whole and len(self.knowledge.parents_in(owner, record)) == len(owner.scope)
            named = by_name and any(isinstance(record.get("name"), str) for record in collection.given.records[:20])
            numbered = owner.style.style == "number" and key.isdecimal()
            if not collection.is_deleted(key) and numbered and self._is_of_group(owner, key, record):
                return False  # a pull request may be spoken of as an issue
            return collection.is_deleted(key) or (whole and (named or numbered or not by_name or owner.style.fits(key)))
        return self.is_orphan(owner, {**record, **found}, depth + 1) != ""

    def _is_of_group(self, owner: Resource, key: str, record: Mapping[str, JSON]) -> bool:
        others = [self.knowledge.resources[name] for name in owner.group if name != owner.name]
        return any((found := self.of_owner(other, key, record)) is not None and found.find(key) is not None for other in others)

    def is_missing(self, owner: Resource, key: str, parents: Mapping[str, JSON]) -> bool:
        """Whether nothing of that id is in a collection that is known whole."""
        collection = self.of_owner(owner, key, parents)
        return collection is not None and collection.find(key) is None and (collection.is_closed or collection.is_deleted(key))

    def of_owner(self, owner: Resource, key: str, record: Mapping[str, JSON]) -> Collection | None:
        """Return the collection that the owner of a thing is in, as far as the thing and the owner's id tell; `None` if there is none."""
        parents = self.knowledge.parents_in(owner, record)
        if len(parents) == len(owner.scope):
            parent = self.knowledge.parent_key(owner, parents)
            return self.under(owner, parent) if self._is_there(owner, parent) else None
        return next(self.knowing(owner, key), None)

    def _is_there(self, resource: Resource, parent: str) -> bool:
        """Whether anything was given of the resource or has happened under a parent."""
        within = lookup(self.draft.state, "entities", resource.name, "within", parent)
        return within is not None or resource.name in self.knowledge.given

    def is_new(self, resource: Resource, parents: Mapping[str, JSON]) -> bool:
        """Whether the thing that a collection belongs to was made in this session, so that nothing can have been in it."""
        return not self.certain_only and self._was_made(resource, parents)

    def _was_made(self, resource: Resource, parents: Mapping[str, JSON]) -> bool:
        for about, key in zip(resource.scope, resource.scope_keys, strict=True):
            if key not in parents:
                continue
            owner = self.knowledge.resources.get(about)
            own = owner is not None and owner.name != resource.name
            for holder in (owner,) if own and owner is not None else self.knowledge.resources.values():
                if self._has_made(holder, id_text(parents[key]), by_name=own):
                    return True
        return False

    def _has_made(self, resource: Resource, value: str, *, by_name: bool) -> bool:
        """Whether a thing of that id (or else of that name) was made in this session."""
        within = lookup(self.draft.state, "entities", resource.name, "within")
        parents = set(within) if isinstance(within, HashTrieMap) and not self.is_vast(resource) else set()
        if self.is_vast(resource):
            shelf = self.shelf(resource)
            parents = {parent for facet in ("ids", "names") for _, parent, _ in shelf.having(facet, value)}
        for parent in parents:
            collection = self.under(resource, parent)
            if (self.key_of(collection, value) if by_name else value) in collection.node.get("places", ()):
                return True
        return False

    def rest_on(self, resource: Resource, collection: Collection, key: str | None = None) -> None:
        """Mark the answer as imagined where the thing of that id, or (without one) what the collection holds in all, was made up."""
        told = self.is_told(resource, collection) if key is None else self._is_certain(resource, collection, key)
        if not told:
            self.draft.imagined = True

    def is_told(self, resource: Resource, collection: Collection) -> bool:
        """Whether all that a collection holds was given, demonstrated or made by calls."""
        given = resource.name in self.knowledge.given or (resource.name, collection.parent) in self.knowledge.shown_whole
        new = given or (not collection.given.records and self._was_made(resource, unkeyed(resource, collection.parent)))
        return new and not collection.node.get("revealed")

    def _is_certain(self, resource: Resource, collection: Collection, key: str) -> bool:
        """Whether a thing, or that there is none of that id, was given, demonstrated or came about by calls."""
        if key in collection.node.get("more", ()):
            return False
        if key in collection.node.get("places", ()) or collection.is_deleted(key):
            return True
        if not collection.knows(key):
            return self.is_told(resource, collection) or (resource.name, collection.parent, key) in self.knowledge.absent
        facts = self.knowledge.facts.get(resource.name, {}).get(collection.parent, ())
        return key in collection.given.places and (
            resource.name in self.knowledge.given or any(id_text(fact.get(resource.id_key)) == key for fact in facts)
        )

    def chance(self, *parts: str) -> Random:
        """Return chance that depends on the session's seed, the world and these words alone, never on what was asked in between."""
        chance = Chance(digest("things", str(self.session.seed) + self.salt, self.session.world.name, *parts))
        chance.draft = self.draft
        return chance

    def mint(self, resource: Resource, collection: Collection, parents: Mapping[str, JSON], sent: Record) -> JSON:
        """Return an id that was never used."""
        self.draft.imagined |= not (resource.style.counts and self.is_told(resource, collection))

        def beside() -> list[Collection]:
            group = [self.knowledge.resources[name] for name in resource.group]
            return [self.open(member, _renamed(parents, resource, member)) for member in group]

        return self._numbering.next(resource, collection, parents, sent, beside)

    def imagine(self, resource: Resource, identifier: JSON, parents: Mapping[str, JSON], random: Random) -> Record:
        """Return a thing that was there all the time."""
        return self._seeding.one(resource, identifier, parents, random)

    @property
    def _seeding(self) -> Seeding:
        return Seeding(self.knowledge, self._numbering, self.open)

    @property
    def _numbering(self) -> Numbering:
        return Numbering(self.knowledge, self.draft, self.session, self.chance)

    def _seeds(self, resource: Resource, parents: Mapping[str, JSON], parent: str, facts: list[Record]) -> list[Record]:
        """What was there all the time: what the demonstrations show, else what may well be there."""
        listed = lookup(self.draft.state, "entities", resource.name, "within", parent, "closed") is True  # all of it, by another predictor
        whole = listed or (resource.name, parent) in self.knowledge.shown_whole
        if facts or whole or self.is_new(resource, parents) or len(parents) < len(resource.scope):
            return facts
        return self._seeding.many(resource, parents, parent)


def tells_id(key: str) -> bool:
    """Return whether what is kept under a key is an id, and no name."""
    return key.lower().endswith(("id", "number", "key"))


def unkeyed(resource: Resource, parent: str) -> dict[str, JSON]:
    """Return what the key of a collection says its things belong to, by the keys of a record; every value is a text."""
    return {key: unquote(part) for key, part in zip(resource.scope_keys, parent.split("/"), strict=False)} if resource.scope else {}


def _renamed(parents: Mapping[str, JSON], one: Resource, other: Resource) -> dict[str, JSON]:
    by_concept = {about: parents[key] for about, key in zip(one.scope, one.scope_keys, strict=True) if key in parents}
    return {key: by_concept[about] for about, key in zip(other.scope, other.scope_keys, strict=True) if about in by_concept}
