"""Changing calls: create, update, delete, and adding to or removing from a list inside a thing."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.batches import MOST_AT_ONCE, cut_links, made_once
from mcp_sim.predictors.engine.calls.folders import Folders, edited
from mcp_sim.predictors.engine.calls.moving import Moving
from mcp_sim.predictors.engine.calls.places import Places
from mcp_sim.predictors.engine.calls.putting import Putting
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.kept.needs import Needing
from mcp_sim.predictors.engine.resources.effects import Effects
from mcp_sim.predictors.engine.resources.resource import goes_by_name
from mcp_sim.predictors.engine.things.inherited import Inherited
from mcp_sim.predictors.engine.things.listing import passing
from mcp_sim.predictors.engine.things.owners import Owners
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.paging import Cut, Window


@dataclass(frozen=True, slots=True)
class Writes:
    """Answers one changing call. `reads` holds what is needed to look things up."""

    reads: Reads

    @property
    def effects(self) -> Effects:
        """What the call sets."""
        return Effects(self.reads.meaning, self.reads.resource, self.reads.arguments)

    def create(self) -> Observation | None:
        """Make one thing, or several at once."""
        reads = self.reads
        if self._forbidden(""):
            return self._refusal("forbidden", "")
        parents = reads.knowledge.parents_of(reads.meaning, reads.resource, reads.arguments)
        named = {**self.effects.sent, **parents}
        gone = reads.things.is_orphan(reads.resource, named) or Owners(reads.things).missing(reads.resource, named)
        if gone:
            owner = reads.knowledge.resources[gone]
            naming = (name for name in reads.arguments if (about := reads.knowledge.owner(concept(name))) and about.name == gone)
            places = zip(reads.resource.scope, reads.resource.scope_keys, strict=True)
            above = (parents[key] for about, key in places if about == gone and key in parents)
            key = next((id_text(reads.arguments[name]) for name in naming), "") or id_text(next(above, ""))
            return reads.refusals.refuse("missing", reads.meaning, owner, key, reads.arguments)
        if reads.resource.style.style == "place":
            return Places(reads).create()
        lost = self._lost_origin(parents)
        if lost is not None:
            return lost
        Owners(reads.things).reveal(reads.resource, {**self.effects.sent, **parents})
        items = reads.arguments.get(reads.meaning.items) if reads.meaning.items else None
        if isinstance(items, list):
            made = [
                made_once(reads, item if isinstance(item, dict) else {"content": item}, parents, self._made)
                for item in items[:MOST_AT_ONCE]
            ]
            return self._shown_all([record for record in made if record is not None])
        if reads.meaning.id and reads.arguments.get(reads.meaning.id) is not None:
            existing = self._existing(parents)
            if existing is not None:
                return existing
        before = reads.things.open(reads.resource, parents)
        record = self._made(self.effects.sent, parents)
        if self._is_named_alike(before, record):
            return self._refusal("exists", id_text(record.get("name")))
        chance = reads.things.chance("form", reads.resource.name, str(record.get(reads.resource.id_key)))
        return reads.form.one(record, reads.arguments, chance)

    def _lost_origin(self, parents: dict[str, JSON]) -> Observation | None:
        """The refusal where a thing is to be made from another that is not there: a branch from a branch."""
        reads = self.reads
        for name, value in self.effects.sent.items():
            first, _, rest = snake(name).partition("_")
            origin = reads.knowledge.owner(concept(rest)) if first in ("from", "source", "parent", "base") and rest else None
            if origin is None or not isinstance(value, str | int) or not reads.things.is_missing(origin, id_text(value), parents):
                continue
            return reads.refusals.refuse("missing", reads.meaning, origin, id_text(value), {**reads.arguments, rest: value})
        return None

    def _is_named_alike(self, before: Collection, record: Record) -> bool:
        """Whether there is one of that name already, where names tell things of the kind apart: repositories, tables, labels."""
        reads = self.reads
        name = record.get("name")
        sent = {snake(field): value for field, value in self.effects.sent.items()}
        if reads.meaning.id or not isinstance(name, str) or sent.get("name") != name or not goes_by_name(reads.resource.name):
            return False
        whole = "full_name" if isinstance(record.get("full_name"), str) else "name"
        called = Needing(lambda other: other.get(whole) == record[whole], (((f"={whole}", id_text(record[whole]).lower()),),))
        return next(passing(reads.things, reads.resource, before, called), None) is not None

    def _existing(self, parents: dict[str, JSON]) -> Observation | None:
        reads = self.reads
        key = id_text(reads.arguments[reads.meaning.id or ""])
        collection = reads.things.open(reads.resource, parents)
        record = collection.find(key)
        if reads.meaning.upserts:
            record = record or Inherited(reads.things).kept(reads.resource, collection, parents, key)
            if record is not None and (stale := reads.refusals.refuse_stale(reads.meaning, record, reads.arguments)):
                return stale
        if record is None:  # a name that is free again: the new thing takes the old one's place
            return self._revived(collection, key, parents) if collection.is_deleted(key) else None
        reads.things.rest_on(reads.resource, collection, key)
        if reads.meaning.upserts:
            return Putting(self.reads).put(collection, key, record, self.effects.sent)
        if reads.meaning.idempotent:
            return reads.form.one(record, reads.arguments, reads.things.chance("form", reads.resource.name, collection.parent, key))
        return self._refusal("exists", key)

    def _revived(self, collection: Collection, key: str, parents: dict[str, JSON]) -> Observation:
        reads = self.reads
        chance = reads.things.chance("made", reads.things.session.fingerprint, reads.resource.name, collection.parent, key)
        identifier = reads.arguments[reads.meaning.id or ""]
        record = reads.knowledge.making(reads.resource).fresh(identifier, parents, self.effects.sent, reads.things.session.now, chance)
        collection.revive(reads.things.draft, key, record)
        return reads.form.one(record, reads.arguments, chance)

    def _made(self, sent: Record, parents: dict[str, JSON]) -> Record:
        reads, things = self.reads, self.reads.things
        resource = reads.resource
        collection = things.open(resource, parents)
        own = reads.arguments.get(reads.meaning.id) if reads.meaning.id else sent.get(resource.id_key) if reads.meaning.items else None
        fresh_name = isinstance(own, str | int) and not collection.knows(id_text(own))
        identifier = own if fresh_name else things.mint(resource, collection, parents, sent)
        chance = things.chance("made", things.session.fingerprint, resource.name, collection.parent, id_text(identifier))
        record = reads.knowledge.making(resource).fresh(identifier, parents, sent, things.session.now, chance)
        identifier = record.get(resource.id_key, identifier)  # an output schema may allow no other than its own
        things.again(collection).create(things.draft, id_text(identifier), record)
        Owners(things).count(resource, parents, 1)
        if resource.wide:
            things.draft.put(["entities", resource.name, "where", id_text(identifier)], collection.parent)
        return record

    def _shown_all(self, records: list[Record]) -> Observation:
        reads = self.reads
        cut = Cut(Window(0, 10**9, False), len(records), len(records), reads.arguments)
        return reads.form.many(records, cut, reads.things.chance("list", reads.resource.name))

    def update(self) -> Observation | None:
        """Change one thing."""
        if self.reads.meaning.renames is not None:
            return Folders(self.reads).move()
        if self.reads.meaning.edits is not None:
            edits = self.reads.arguments.get(self.reads.meaning.edits)
            return self._changed(lambda record: None if (text := edited(record.get("content"), edits)) is None else {"content": text})
        if self.reads.resource.style.style == "place" and not self.reads.meaning.fields:
            return Places(self.reads).select()
        if self.reads.meaning.counts is not None:
            return Moving(self.reads).done()
        if self.reads.meaning.effect is not None:
            again = self._already()
            if again is not None:
                return again
        return Putting(self.reads).lost_target() or self._changed(lambda record: {**self.effects.effect(record), **self.effects.kept()})

    def _already(self) -> Observation | None:
        """The refusal of a verb whose work is done, where a demonstration shows it: merging what is merged."""
        reads = self.reads
        _, record = reads.found(id_text(reads.arguments.get(reads.meaning.id or "")))
        if record is None or not self._is_done(record):
            return None

        first = replace(reads.things, draft=Draft(reads.things.session.world.first_state))  # where the demonstrations begin

        def was_done(arguments: dict[str, JSON]) -> bool:
            before = replace(reads, things=first, arguments=arguments).found(id_text(arguments.get(reads.meaning.id or "")))[1]
            return before is not None and self._is_done(before)

        refused = reads.refusals.refuse_again(reads.meaning, reads.resource, reads.arguments, was_done)
        if refused is not None:
            self._subject(id_text(reads.arguments.get(reads.meaning.id or "")))
        return refused

    def _is_done(self, record: Record) -> bool:
        return all(record.get(key) == value for key, value in self.effects.effect(record).items())

    def delete(self) -> Observation | None:
        """Take one thing away, or several at once."""
        if self.reads.resource.style.style == "place":
            return Places(self.reads).delete()
        reads = self.reads
        many = reads.arguments.get(reads.meaning.ids) if reads.meaning.ids else None
        keys = (
            [id_text(item) for item in many[:MOST_AT_ONCE]]
            if isinstance(many, list)
            else [id_text(reads.arguments.get(reads.meaning.id or ""))]
        )
        last: Record = {}
        for key in keys:
            collection, record = self._subject(key)
            if record is None:
                if reads.meaning.idempotent and collection.is_deleted(key):
                    last = {reads.resource.id_key: key}
                    continue
                return self._absent(collection, key)
            if self._forbidden(key):
                return self._refusal("forbidden", key)
            reads.things.again(collection).delete(reads.things.draft, key)
            if reads.resource.named:  # another may come by that name
                cut_links(reads, key)
            Owners(reads.things).count(reads.resource, reads.knowledge.parents_in(reads.resource, {**reads.arguments, **record}), -1)
            last = record
        return reads.form.done(last, reads.arguments, reads.things.chance("form", reads.resource.name, *keys))

    def members(self, *, adds: bool) -> Observation | None:
        """Add to a list inside a thing, or remove from it: its labels, its members."""
        return self._changed(lambda record: self.effects.with_members(record, adds=adds))

    def _changed(self, sent: Callable[[Record], Record | None]) -> Observation | None:
        """Put what is sent for the thing that the call names, where it is there and may be changed."""
        reads = self.reads
        key = id_text(reads.arguments.get(reads.meaning.id or ""))
        collection, record = self._subject(key)
        if record is None:
            return self._absent(collection, key)
        if self._forbidden(key):
            return self._refusal("forbidden", key)
        changed = sent(record)
        return None if changed is None else Putting(self.reads).put(collection, key, record, changed)

    def _subject(self, key: str) -> tuple[Collection, Record | None]:
        reads = self.reads
        collection, record = reads.found(key)
        if record is None and reads.arguments.get(reads.meaning.id or "") is not None:
            record = reads.revealed(key, reads.arguments[reads.meaning.id or ""], collection)
            collection = reads.things.again(collection)
        reads.things.rest_on(reads.resource, collection, key)
        return collection, record

    def _absent(self, collection: Collection, key: str) -> Observation | None:
        if self.reads.things.certain_only and not (collection.is_closed or collection.is_deleted(key)):
            return None
        return self._refusal("missing", key)

    def _forbidden(self, key: str) -> bool:
        reads = self.reads
        values = [id_text(value) for value in reads.arguments.values() if isinstance(value, str | int)]
        about = {concept(name): value for name, value in reads.arguments.items()}
        for _, places in reads.knowledge.forbidden_places:
            if all(about.get(place) == value for place, value in places.items()):
                return True
        verb = reads.meaning.verb or reads.meaning.kind
        return bool(reads.knowledge.background.forbids(verb, reads.resource.name, [key, *values]))

    def _refusal(self, reason: str, key: str) -> Observation:
        reads = self.reads
        return reads.refusals.refuse(reason, reads.meaning, reads.resource, key, reads.arguments)  # type: ignore[arg-type]
