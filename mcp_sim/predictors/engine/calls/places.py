"""Things that are known by their place in a list, which moves when another one comes or goes: tabs, git's stashes."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.resources.effects import Effects

_MOST = 1000


@dataclass(frozen=True, slots=True)
class Places:
    """Answers one changing call about such things. New ones come last and are then the current one, or first where they pile up."""

    reads: Reads

    def create(self) -> Observation | None:
        """Make one."""
        reads = self.reads
        parents = reads.knowledge.parents_of(reads.meaning, reads.resource, reads.arguments)
        collection = self._collection
        before = list(collection)[:_MOST]
        if len(before) >= _MOST:
            return None
        place = 0 if self._piles_up else len(before)
        chance = reads.things.chance("made", reads.things.session.fingerprint, reads.resource.name, collection.parent, str(len(before)))
        sent = Effects(reads.meaning, reads.resource, reads.arguments).sent
        record = reads.knowledge.making(reads.resource).fresh(
            reads.resource.style.numbered(place), parents, sent, reads.things.session.now, chance
        )
        self._rewrite([*before[:place], record, *before[place:]])
        self._choose(place)
        return reads.form.one(record, reads.arguments, chance)

    def delete(self) -> Observation | None:
        """Take one away; those behind it move up. Clearing takes all of them."""
        reads, before = self.reads, list(self._collection)[:_MOST]
        if reads.meaning.verb == "clear":
            self._rewrite([])
            return reads.form.done({}, reads.arguments, reads.things.chance("form", reads.resource.name, "all"))
        place = self._asked(before)
        if place is None:
            return self._missing()
        self._rewrite([*before[:place], *before[place + 1 :]])
        self._choose(max(min(place, len(before) - 2), 0))
        return reads.form.done(before[place], reads.arguments, reads.things.chance("form", reads.resource.name, str(place)))

    def select(self) -> Observation | None:
        """Make one the current one."""
        reads, before = self.reads, list(self._collection)[:_MOST]
        place = self._asked(before)
        if place is None:
            return self._missing()
        self._choose(place)
        return reads.form.one(before[place], reads.arguments, reads.things.chance("form", reads.resource.name, str(place)))

    @property
    def _piles_up(self) -> bool:
        return bool(self.reads.resource.style.sample)

    @property
    def _collection(self) -> Collection:
        reads = self.reads
        return reads.things.open(reads.resource, reads.knowledge.parents_of(reads.meaning, reads.resource, reads.arguments))

    def _asked(self, before: Sequence[Record]) -> int | None:
        """The place that the call names, or the one that it means by naming none."""
        asked: JSON = self.reads.arguments.get(self.reads.meaning.id or "")
        if asked is None:
            place = 0 if self._piles_up else self._collection.node.get("current", len(before) - 1)
            return place if 0 <= place < len(before) else None
        keys = [id_text(record.get(self.reads.resource.id_key)) for record in before]
        return keys.index(id_text(asked)) if id_text(asked) in keys else None

    def _missing(self) -> Observation | None:
        reads = self.reads
        if reads.things.certain_only:
            return None
        asked = id_text(reads.arguments.get(reads.meaning.id or "", ""))
        return reads.refusals.refuse("missing", reads.meaning, reads.resource, asked, reads.arguments)

    def _choose(self, place: int) -> None:
        self._collection.keep(self.reads.things.draft, ["current"], place)

    def _rewrite(self, records: Sequence[Record]) -> None:
        """Put these things in these places."""
        things, resource = self.reads.things, self.reads.resource
        old = len(self._collection)
        for place, record in enumerate(records):
            identifier = resource.style.numbered(place)
            key, placed = id_text(identifier), {**record, resource.id_key: identifier}
            collection = things.again(self._collection)
            if place < old:
                collection.change(things.draft, key, placed)
            elif collection.is_deleted(key):
                collection.revive(things.draft, key, placed)
            else:
                collection.create(things.draft, key, placed)
        for place in range(len(records), old):
            things.again(self._collection).delete(things.draft, id_text(resource.style.numbered(place)))
