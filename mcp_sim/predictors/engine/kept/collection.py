"""How things are kept in the state.

What a person gives, in `state.json`:

    {"collections": {"issues": [{"owner": "acme", "repo": "api", "number": 1, "title": "..."}, ...]}}

A key is the plural of a resource, a thing is what the tools would show of it, with the arguments that name its parents among its keys.
It is read where it lies and never changed. What happens is kept beside it, one entry for each parent (`""` where a resource has none):

    entities / <resource> / within / <parent> / seeded      a list of things that were imagined at the first touch
                                              / revealed    id -> [place, record]: things that a read brought to light
                                              / created     running place -> [record] (inside a list a record keeps the order of its keys)
                                              / places      id -> running place; stays when the thing is deleted
                                              / changed     id -> [the newest record] of a thing that was given, seeded or revealed
                                              / more        id -> [what a later read showed besides]
                                              / deleted     id -> true
                                              / holes       bucket of 256 places -> the places in it whose things are gone
                                              / accepted    name -> true: who was named by it was taken to be there
                                              / gone, made  how many were deleted from the order, and made
                                              / closed      true once nothing is left to be revealed
    entities / <resource> / where / <id>                    the parent, where an id alone names a thing
    counters / <group> / <parent>                           the last running number used

Reads only ever add keys, so that two of them side by side do not collide; each change costs the depth of its path.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rpds import HashTrieMap

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.state import EMPTY_STATE, State, lookup
from mcp_sim.predictors.engine.kept.draft import Draft

Record = dict[str, JSON]
_BUCKET = 256
_FEW = 100
NAMES = ("name", "slug", "key", "login", "title")
"""The keys under which a thing says what others may call it by."""


def id_text(value: JSON) -> str:
    """Return an identifier as the key it is kept under: `7` and `7.0` and `"7"` name the same thing."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else canonical(value)


@dataclass(frozen=True, slots=True)
class Given:
    """Things that were there before anything happened, with the places of their ids."""

    records: Sequence[Record]
    places: Mapping[str, int]

    @classmethod
    def of(cls, records: Sequence[Record], id_key: str) -> "Given":
        """Index records by their ids."""
        return cls(records, {id_text(record.get(id_key)): place for place, record in enumerate(records)})


def given_collections(state: State) -> dict[str, list[Record]]:
    """Return what `state.json` gives, by the names it has there; what is no list of objects is not looked at."""
    collections = lookup(state, "collections")
    if not isinstance(collections, HashTrieMap):
        return {}
    lists = {name: collections[name] for name in sorted(collections) if isinstance(collections[name], list)}
    return {name: [record for record in records if isinstance(record, dict)] for name, records in lists.items()}


@dataclass(frozen=True, slots=True)
class Collection:
    """The things of one resource under one parent, at one moment."""

    resource: str
    parent: str
    id_key: str
    given: Given
    always_closed: bool
    node: Any = field(default=EMPTY_STATE)

    @classmethod
    def at(cls, state: State, resource: str, parent: str, id_key: str, given: Given, *, closed: bool = False) -> "Collection":
        """Read a collection from the state."""
        node = lookup(state, "entities", resource, "within", parent)
        return cls(resource, parent, id_key, given, closed, node if isinstance(node, HashTrieMap) else EMPTY_STATE)

    def keep(self, draft: Draft, path: Sequence[str], value: JSON) -> None:
        """Set what is at a path inside the collection."""
        draft.put([*self.path, *path], value)

    @property
    def path(self) -> list[str]:
        """Where it is kept."""
        return ["entities", self.resource, "within", self.parent]

    @property
    def is_closed(self) -> bool:
        """Whether there is nothing in it that is not known."""
        return self.always_closed or self.node.get("closed") is True

    @property
    def _is_touched(self) -> bool:
        """Whether something may be kept of things besides the records they began with."""
        return "changed" in self.node or "more" in self.node

    @property
    def _made(self) -> int:
        made: int = self.node.get("made", 0)
        return made

    @property
    def _revealed(self) -> Any:
        return self.node.get("revealed", EMPTY_STATE)

    def __len__(self) -> int:
        gone: int = self.node.get("gone", 0)
        return len(self.given.records) + self._made + len(self._revealed) - gone

    @property
    def has_few_revealed(self) -> bool:
        """Whether the things that reads brought to light, which have no order of their own, are few enough to sort at each call."""
        return len(self._revealed) <= _FEW

    @property
    def extent(self) -> int:
        """How many things there are and were."""
        return len(self.given.records) + self._made + len(self._revealed)

    def key_of(self, name: str, likely: Iterable[str] | None = None) -> str:
        """Return the id of the thing that others call by that name: its id itself, else the first made or given that is named so and still
        there. `likely` are the ids of all that may be named so, if that is known."""
        if self.knows(name):
            return name
        made = self.node.get("places", EMPTY_STATE)
        keys = [*made, *self.given.places] if likely is None else [key for key in likely if key in made or key in self.given.places]
        called = [key for key in keys if self._is_called(key, name)]
        return min(called, key=lambda key: (self.is_deleted(key), key not in made, self.place_of(key)), default=name)

    def _is_called(self, key: str, name: str) -> bool:
        place = self.node.get("places", EMPTY_STATE).get(key)
        record = self.given.records[self.given.places[key]] if place is None else _plain(self.node["created"][place])
        return any(record.get(field) == name for field in NAMES)

    def place_of(self, key: str) -> tuple[int, int]:
        """Return where the thing of that id stands, or stood, among the others that are known."""
        place = self.node.get("places", EMPTY_STATE).get(key)
        if place is not None:
            return (2, int(place))
        at = self.given.places.get(key)
        return (0, self._revealed[key][0]) if at is None else (1, at)

    def is_deleted(self, key: str) -> bool:
        """Whether a thing of that id was there and is no more."""
        return key in self.node.get("deleted", EMPTY_STATE)

    def knows(self, key: str) -> bool:
        """Whether a thing of that id is or was there."""
        return key in self.given.places or key in self.node.get("places", EMPTY_STATE) or key in self._revealed or self.is_deleted(key)

    def find(self, key: str) -> Record | None:
        """Return the thing of that id, or `None`."""
        return None if self.is_deleted(key) else self._with_more(key, self._find(key))

    def _find(self, key: str) -> Record | None:
        place = self.node.get("places", EMPTY_STATE).get(key)
        if place is not None:
            return _plain(self.node["created"][place])
        changed = self.node.get("changed", EMPTY_STATE).get(key)
        if changed is not None:
            return _plain(changed)
        revealed = self._revealed.get(key)
        if revealed is not None:
            record: Record = revealed[1]
            return record
        at = self.given.places.get(key)
        return None if at is None else self.given.records[at]

    def _with_more(self, key: str, record: Record | None) -> Record | None:
        more = self.node.get("more", EMPTY_STATE).get(key)
        return record if more is None or record is None else {**record, **{k: v for k, v in _plain(more).items() if k not in record}}

    def page(self, offset: int, count: int, *, newest_first: bool = False) -> list[Record]:
        """Return `count` things from `offset` on, in the order in which they came to be; things revealed by reads come first."""
        if newest_first:
            total = len(self)
            end = max(total - offset, 0)
            return self.page(max(end - count, 0), min(count, end))[::-1]
        revealed = self._ordered_revealed()
        found = revealed[offset : offset + count]
        offset = max(offset - len(revealed), 0)
        if len(found) < count:
            found.extend(self._from_order(offset, count - len(found)))
        return found

    def __iter__(self) -> Iterator[Record]:
        yield from self._ordered_revealed()
        yield from self._from_order(0, len(self))

    def _ordered_revealed(self) -> list[Record]:
        deleted = self.node.get("deleted", EMPTY_STATE)
        entries = sorted((entry[0], key) for key, entry in self._revealed.items() if key not in deleted)
        return [record for _, key in entries if (record := self.find(key)) is not None]

    def _from_order(self, offset: int, count: int) -> Iterator[Record]:
        holes = self.node.get("holes", EMPTY_STATE)
        total = len(self.given.records) + self._made
        passed = 0
        for bucket in sorted(map(int, holes)):  # only buckets with holes need looking at, and whole ones are skipped by their size
            here = len(holes[str(bucket)])
            if (bucket + 1) * _BUCKET - passed - here > offset:
                break
            passed += here
        place = (offset + passed) // _BUCKET * _BUCKET
        offset -= place - passed
        gone: list[int] = holes.get(str(place // _BUCKET), [])
        while count > 0 and place < total:
            if place % _BUCKET == 0:
                gone = holes.get(str(place // _BUCKET), [])
            if place not in gone:
                if offset > 0:
                    offset -= 1
                else:
                    count -= 1
                    yield self._at(place)
            place += 1

    def _at(self, place: int) -> Record:
        created = place - len(self.given.records)
        record: Record = _plain(self.node["created"][str(created)]) if created >= 0 else self.given.records[place]
        if not self._is_touched:
            return record
        key = id_text(record.get(self.id_key))
        changed = self.node.get("changed", EMPTY_STATE).get(key) if created < 0 else None
        return self._with_more(key, record if changed is None else _plain(changed)) or record

    def create(self, draft: Draft, key: str, record: Record) -> None:
        """Add a thing. Its id was never used before."""
        place = str(self._made)
        self.keep(draft, ["created", place], [record])
        self.keep(draft, ["places", key], place)
        self.keep(draft, ["made"], self._made + 1)

    def change(self, draft: Draft, key: str, record: Record) -> None:
        """Put a new record in the place of the thing of that id."""
        place = self.node.get("places", EMPTY_STATE).get(key)
        self.keep(draft, ["changed", key] if place is None else ["created", place], [record])

    def delete(self, draft: Draft, key: str) -> None:
        """Take the thing of that id away; its id stays known."""
        self.keep(draft, ["deleted", key], True)
        self.keep(draft, ["gone"], self.node.get("gone", 0) + 1)
        place = self.node.get("places", EMPTY_STATE).get(key)
        at = self.given.places.get(key) if place is None else len(self.given.records) + int(place)
        if at is not None:
            bucket = str(at // _BUCKET)
            gone = self.node.get("holes", EMPTY_STATE).get(bucket, [])
            self.keep(draft, ["holes", bucket], sorted([*gone, at]))

    def revive(self, draft: Draft, key: str, record: Record) -> None:
        """Put a new thing where one of the same name was deleted: only names that their makers choose come back."""
        draft.remove([*self.path, "deleted", key])
        place = self.node.get("places", EMPTY_STATE).get(key)
        if place is None and key not in self.given.places and key not in self._revealed:  # it was gone without having been known
            self.create(draft, key, record)
            return
        self.keep(draft, ["gone"], self.node.get("gone", 0) - 1)
        at = self.given.places.get(key) if place is None else len(self.given.records) + int(place)
        if at is not None:
            bucket = str(at // _BUCKET)
            self.keep(draft, ["holes", bucket], [gone for gone in self.node["holes"][bucket] if gone != at])
        self.change(draft, key, record)

    def reveal(self, draft: Draft, key: str, record: Record, at: int) -> None:
        """Bring a thing to light that nobody made: it was there all the time."""
        self.keep(draft, ["revealed", key], [at, record])

    def add_more(self, draft: Draft, key: str, record: Record) -> None:
        """Keep what a read showed of a known thing beyond what was known."""
        known = self.find(key) or {}
        more = {name: value for name, value in record.items() if name not in known}
        if more:
            self.keep(draft, ["more", key], [more])

    def bury(self, draft: Draft, key: str) -> None:
        """Say that the thing of that id is gone, without having known it."""
        self.keep(draft, ["deleted", key], True)

    def close(self, draft: Draft) -> None:
        """Say that nothing is left to be revealed."""
        if not self.is_closed:
            self.keep(draft, ["closed"], True)


def _plain(kept: list[Record]) -> Record:
    return kept[0]
