"""Calls that move a number of a thing: up, down, or from one thing to another."""

from dataclasses import dataclass, replace
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.words.arguments import field_named, snake
from mcp_sim.predictors.engine.words.understanding import Counts

_STOCKED = frozenset("quantity stock on_hand qty count units".split())


@dataclass(frozen=True, slots=True)
class Moving:
    """Answers one such call. `reads` holds what is needed to look things up."""

    reads: Reads

    @property
    def _counts(self) -> Counts:
        assert self.reads.meaning.counts is not None
        return self.reads.meaning.counts

    def done(self) -> Observation | None:
        """Move the number. `None`: the thing has no such number, or only imagination could tell."""
        counts, by = self._counts, self.reads.arguments.get(self._counts.by)
        if not isinstance(by, int | float) or isinstance(by, bool):
            return None
        if counts.to is not None or counts.to_place is not None:
            return self._across(by)
        collection, record, key = self._thing(self.reads.meaning.id, {})
        if record is None:
            return self._absent(collection, key)
        before = field_named(record, snake(counts.field))
        if not _is_number(before):
            return None
        after = _sum(before, -by if counts.down else by)
        if after < 0 and (counts.down or snake(counts.field) in _STOCKED):
            return self._short(key, before)
        changed = self._put(collection, key, record, after)
        if not self.reads.can_show(changed):
            return None
        return self.reads.form.one(changed, self.reads.arguments, self._chance(key))

    def _across(self, by: int | float) -> Observation | None:
        counts, reads = self._counts, self.reads
        here, source, key = self._thing(reads.meaning.id, self._at(counts.from_place))
        if source is None:
            return self._absent(here, key)
        there, target, other = self._thing(counts.to or reads.meaning.id, self._at(counts.to_place))
        if target is None and counts.to is not None:
            return self._absent(there, other, counts.to)
        field = snake(counts.field)
        held, gets = field_named(source, field), 0 if target is None else field_named(target, field)
        if not _is_number(held) or not _is_number(gets):
            return None
        if by <= 0 or (here.parent, key) == (there.parent, other):
            return reads.refusals.refuse("senseless", reads.meaning, reads.resource, key, reads.arguments)
        if held < by:
            return self._short(key, held)
        left = self._put(here, key, source, _sum(held, -by))
        if target is None:  # none of it was there
            moved = reads.knowledge.making(reads.resource).changed(
                source, {counts.field: by, counts.place: reads.arguments[counts.to_place or ""]}, reads.things.session.now
            )
            reads.things.again(there).create(reads.things.draft, other, moved)
        else:
            moved = self._put(reads.things.again(there), other, target, _sum(gets, by))
        shown = {**reads.arguments, "status": "completed"}
        shown[f"from_{field}"], shown[f"to_{field}"] = field_named(left, field), field_named(moved, field)
        return reads.form.one(shown, reads.arguments, self._chance(key))

    def _at(self, place: str | None) -> dict[str, JSON]:
        """The arguments with which things at a place are asked for."""
        return {} if place is None else {self._counts.place: self.reads.arguments.get(place)}

    def _thing(self, named: str | None, more: dict[str, JSON]) -> tuple[Collection, Record | None, str]:
        """Return the thing that an argument names, where it is and its key."""
        meaning = self.reads.meaning.model_copy(update={"parents": (*self.reads.meaning.parents, *more)})
        reads = replace(self.reads, meaning=meaning, arguments={**self.reads.arguments, **more})
        identifier = reads.arguments.get(named or "")
        key = id_text(identifier)
        collection, record = reads.found(key)
        if record is None and identifier is not None:
            record = reads.revealed(key, identifier, collection)
            collection = reads.things.again(collection)
        reads.things.rest_on(reads.resource, collection, key)
        return collection, record, key

    def _put(self, collection: Collection, key: str, record: Record, value: int | float) -> Record:
        reads, field = self.reads, snake(self._counts.field)
        own = next((name for name in record if snake(name) == field), self._counts.field)
        changed = reads.knowledge.making(reads.resource).changed(record, {own: value}, reads.things.session.now)
        reads.things.again(collection).change(reads.things.draft, key, changed)
        return changed

    def _absent(self, collection: Collection, key: str, named: str | None = None) -> Observation | None:
        reads = self.reads
        if reads.things.certain_only and not (collection.is_closed or collection.is_deleted(key)):
            return None
        asked = reads.arguments if named is None else {**reads.arguments, reads.meaning.id or "": reads.arguments[named]}
        return reads.refusals.refuse("missing", reads.meaning, reads.resource, key, asked)

    def _short(self, key: str, held: JSON) -> Observation:
        reads, counts = self.reads, self._counts
        return reads.refusals.refuse_short(
            reads.meaning, reads.resource, counts.field, held, reads.arguments.get(counts.by), reads.arguments
        )

    def _chance(self, key: str) -> Random:
        return self.reads.things.chance("form", self.reads.resource.name, key)


def _is_number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sum(one: int | float, other: int | float) -> int | float:
    total = one + other
    return total if isinstance(total, int) else round(total, 6)
