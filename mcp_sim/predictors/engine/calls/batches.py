"""Calls that delete many things by what they are like, or change the lists inside many things at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.effects import Effects
from mcp_sim.predictors.engine.words.paging import Cut, Window

MOST_AT_ONCE = 1000
"""How many things one call makes, changes or deletes at the most."""
MOST_COMPARED = 10_000
"""How many things are looked at for one that is alike."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Answers one call about many things. `reads` holds what is needed to look things up."""

    reads: Reads

    @property
    def _items(self) -> list[JSON]:
        items = self.reads.arguments.get(self.reads.meaning.items or "")
        return items[:MOST_AT_ONCE] if isinstance(items, list) else []

    def delete(self) -> Observation | None:
        """Take away what is like the items: everything that they say of a thing is true of it."""
        reads, things = self.reads, self.reads.things
        collection = things.open(reads.resource, reads.knowledge.parents_of(reads.meaning, reads.resource, reads.arguments))
        last: Record = {}
        for item in self._items:
            alike = [record for record in islice(things.again(collection), MOST_COMPARED) if is_like(record, item)]
            if not alike and not reads.meaning.idempotent:
                if things.certain_only and not collection.is_closed:
                    return None
                things.rest_on(reads.resource, collection)
                return reads.refusals.refuse("missing", reads.meaning, reads.resource, _spoken(item), reads.arguments)
            for last in alike:
                things.again(collection).delete(things.draft, id_text(last.get(reads.resource.id_key)))
        return reads.form.done(last, reads.arguments, things.chance("form", reads.resource.name, "batch"))

    def members(self, *, adds: bool) -> Observation | None:
        """Add to lists inside things, or remove from them: each item names a thing and what to add or remove."""
        reads, things = self.reads, self.reads.things
        rows: list[Record] = []
        for item in self._items:
            if not isinstance(item, dict):
                return None
            one = replace(reads, meaning=reads.meaning.model_copy(update={"items": None}), arguments=item)
            key = id_text(item.get(reads.meaning.id or ""))
            collection, record = one.found(key)
            things.rest_on(reads.resource, collection, key)
            if record is None:
                if reads.meaning.idempotent and not adds:
                    continue
                if things.certain_only and not (collection.is_closed or collection.is_deleted(key)):
                    return None
                return reads.refusals.refuse("missing", reads.meaning, reads.resource, key, item)
            changed = Effects(one.meaning, reads.resource, item).with_members(record, adds=adds)
            things.again(collection).change(things.draft, key, {**record, **changed})
            new = [value for name, values in changed.items() for value in _beyond(values, record.get(name))]
            rows.append({**record, **changed, reads.meaning.id or "": key, f"added_{reads.meaning.member}": new})
        chance = things.chance("form", reads.resource.name, "batch")
        if not adds:
            return reads.form.done(rows[-1] if rows else {}, reads.arguments, chance)
        return reads.form.many(rows, Cut(Window(0, 10**9, False), len(rows), len(rows), reads.arguments), chance)


def made_once(reads: Reads, sent: Record, parents: dict[str, JSON], make: Callable[[Record, dict[str, JSON]], Record]) -> Record | None:
    """Make one of several things; one that is there is changed or (`None`) left as it is."""
    things = reads.things
    resource = reads.resource
    collection = things.open(resource, parents)
    own = sent.get(resource.id_key)
    key = id_text(own) if isinstance(own, str | int) else ""
    known = collection.find(key) if key else None
    if known is not None and reads.meaning.upserts:
        changed = reads.knowledge.making(resource).changed(known, sent, things.session.now)
        things.again(collection).change(things.draft, key, changed)
        return changed
    told_by_likeness = any(tool.kind == "delete" and tool.items for tool in resource.tools)
    if known is not None or (told_by_likeness and any(is_like(record, sent) for record in islice(collection, MOST_COMPARED))):
        return None
    if key and collection.is_deleted(key):
        chance = things.chance("made", things.session.fingerprint, resource.name, collection.parent, key)
        record = reads.knowledge.making(resource).fresh(own, parents, sent, things.session.now, chance)
        collection.revive(things.draft, key, record)
        return record
    return make(sent, parents)


def cut_links(reads: Reads, key: str) -> None:
    """Take away what links to a thing that is gone, so that it does not link to the next one of that name."""
    for other in reads.knowledge.resources.values():
        links = [name for name, about in other.links if about == reads.resource.name]
        for collection in list(reads.things.known(other)) if links else ():
            for record in list(islice(collection, MOST_COMPARED)):
                if any(id_text(record.get(name)) == key for name in links):
                    reads.things.again(collection).delete(reads.things.draft, id_text(record.get(other.id_key)))


def is_like(record: Record, item: JSON) -> bool:
    """Whether all that an item says is true of a record."""
    return isinstance(item, dict) and bool(item) and all(record.get(key) == value for key, value in item.items())


def _beyond(values: JSON, before: JSON) -> list[JSON]:
    known = before if isinstance(before, list) else []
    return [value for value in values if value not in known] if isinstance(values, list) else []


def _spoken(item: JSON) -> str:
    return " ".join(str(value) for value in item.values())[:200] if isinstance(item, dict) else id_text(item)
