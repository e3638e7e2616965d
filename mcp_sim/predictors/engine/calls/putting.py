"""Putting what a call changed back: in its place, under its new name, or where it is to go."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.things.owners import Owners
from mcp_sim.predictors.engine.things.refusals import Reason
from mcp_sim.predictors.engine.things.things import tells_id
from mcp_sim.predictors.engine.words.arguments import concept


@dataclass(frozen=True, slots=True)
class Putting:
    """Keeps one changed thing. `reads` holds what is needed to look things up."""

    reads: Reads

    def put(self, collection: Collection, key: str, record: Record, sent: Record) -> Observation | None:
        """Keep what is sent for a thing: where it is, under another name, or where it goes."""
        reads, things = self.reads, self.reads.things
        resource = reads.resource
        changed = reads.knowledge.making(resource).changed(record, sent, things.session.now)
        moved = reads.knowledge.parents_in(resource, {**record, **sent})
        goes = resource.wide or reads.meaning.sets
        if goes and len(moved) == len(resource.scope) and reads.knowledge.parent_key(resource, moved) != collection.parent:
            return self._moved(collection, key, {**changed, **moved}, moved)
        renamed = changed.get(resource.id_key) != record.get(resource.id_key)
        called = id_text(changed.get(resource.id_key))
        if renamed and resource.named and things.again(collection).find(called) is not None:
            return self._refused("exists", called)
        if renamed and things.again(collection).find(called) is None:
            collection.delete(things.draft, key)
            key, fresh = called, things.again(collection)
            (fresh.revive if fresh.is_deleted(key) else fresh.create)(things.draft, key, changed)
        else:
            changed[resource.id_key] = record.get(resource.id_key)
            things.again(collection).change(things.draft, key, changed)
        if not reads.can_show(changed):
            return None
        return reads.form.one(changed, reads.arguments, things.chance("form", resource.name, collection.parent, key))

    def _moved(self, collection: Collection, key: str, record: Record, parents: dict[str, JSON]) -> Observation | None:
        """Put a thing under other parents; its id stays its own."""
        reads, things = self.reads, self.reads.things
        if things.is_orphan(reads.resource, parents):
            return self._refused("missing", next(reversed([id_text(value) for value in parents.values()])))
        target = things.open(reads.resource, parents)
        if target.find(key) is not None:  # what it is then called hangs on the server
            return None
        things.again(collection).delete(things.draft, key)
        if target.is_deleted(key):
            target.revive(things.draft, key, record)
        else:
            target.create(things.draft, key, record)
        things.draft.put(["entities", reads.resource.name, "where", key], target.parent)
        return reads.form.one(record, reads.arguments, things.chance("form", reads.resource.name, target.parent, key))

    def lost_target(self) -> Observation | None:
        """The refusal where a thing is to go to what is not there: a card to a column."""
        reads = self.reads
        for name, field in reads.meaning.sets.items():
            target, value = reads.knowledge.owner(concept(field)), reads.arguments.get(name)
            if target is None or not isinstance(value, str | int) or isinstance(value, bool) or not tells_id(field):
                continue
            own = {field: value}
            if reads.things.is_missing(target, id_text(value), own) or Owners(reads.things).missing(reads.resource, own) == target.name:
                return reads.refusals.refuse("missing", reads.meaning, target, id_text(value), reads.arguments)
        return None

    def _refused(self, reason: Reason, key: str) -> Observation:
        return self.reads.refusals.refuse(reason, self.reads.meaning, self.reads.resource, key, self.reads.arguments)
