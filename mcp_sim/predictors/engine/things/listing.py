"""The things that a question selects: looked for one by one where they are few, else by the catalogue. Both find the same."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.predictors.engine.index.roster import Backwards, Found, Place, Roster
from mcp_sim.predictors.engine.index.shelf import Shelf
from mcp_sim.predictors.engine.index.touches import Unit
from mcp_sim.predictors.engine.kept.collection import Collection, Record
from mcp_sim.predictors.engine.kept.needs import Test, needs_of
from mcp_sim.predictors.engine.resources.resource import Path, Resource
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.things.ways import leads_to

_MOST_LOOKED_AT = 200_000


@dataclass(frozen=True)
class Listing:
    """The things of some collections (`None`: all of the resource, where they are many) that pass tests.

    They are sorted by `key`, as they came to be where it is the same or `None`. `question` is a text that is the same for the same tests
    and order. `part_hidden` says that what belongs to something that is gone is not shown. With `ties_down` equals run downwards as well.
    `above` are ways up from the things, each with what it must lead to: from a card by its column to the board.
    """

    things: Things
    resource: Resource
    collections: list[Collection] | None
    tests: tuple[Test, ...]
    key: Callable[[Record], Any] | None
    down: bool
    part_hidden: bool
    question: str
    ties_down: bool = False
    above: tuple[tuple[Path, JSON], ...] = ()

    def cut(self, offset: int, size: int) -> tuple[int, list[Record]]:
        """Return how many things there are in all, and those at some places."""
        shelves = self._shelves
        if all(shelf.is_distinct for shelf in shelves) and shelves:
            return self._looked_up(shelves, offset, size)
        return self._looked_for(offset, size)

    def _looked_for(self, offset: int, size: int) -> tuple[int, list[Record]]:
        collections = self.things.known(self.resource) if self.collections is None else self.collections
        every = islice((record for collection in collections for record in collection), _MOST_LOOKED_AT)
        found = [record for record in every if all(test(record) for test in self.tests) and not self._is_hidden(self.things, record)]
        total = len(found)
        if self.down and self.ties_down:
            found.reverse()
        if self.key is not None and offset == 0 and size < 100 < total:
            return total, (heapq.nlargest if self.down else heapq.nsmallest)(size, found, key=self.key)
        if self.key is not None:
            found.sort(key=self.key, reverse=self.down)
        elif self.down and not self.ties_down:
            found.reverse()
        return total, found[offset : offset + size]

    def _is_hidden(self, things: Things, record: Record) -> bool:
        if not self.part_hidden:
            return False
        away = any(not leads_to(things, record, path, wanted) for path, wanted in self.above)
        return away or things.is_orphan(self.resource, record) != ""

    @cached_property
    def _scope(self) -> dict[str, str | None]:
        """By resource the parents under which its things are looked for, `None` for all."""
        scope: dict[str, str | None] = {collection.resource: collection.parent for collection in self.collections or ()}
        return scope if self.collections is not None and len(scope) == len(self.collections) else {self.resource.name: None}

    @property
    def _shelves(self) -> list[Shelf]:
        """The indexes to look things up in; none where to look at each thing costs no more."""
        few = self.collections is not None and sum(c.extent for c in self.collections) <= self.things.knowledge.catalogue.least
        return [] if few else [self.things.shelf(self._resources[resource], parent) for resource, parent in self._scope.items()]

    @cached_property
    def _resources(self) -> dict[str, Resource]:
        return {**self.things.knowledge.resources, self.resource.name: self.resource}

    def _looked_up(self, shelves: list[Shelf], offset: int, size: int) -> tuple[int, list[Record]]:
        catalogue, session = self.things.knowledge.catalogue, self.things.session
        opened = {(collection.resource, collection.parent): collection for collection in self.collections or ()}
        ranks = {resource: rank for rank, resource in enumerate(self._scope)}
        consulted: set[tuple[str, str]] = set()
        things = replace(self.things, consulted=consulted)

        def at(unit: Unit) -> Collection:
            place = unit[:2]
            if place not in opened:
                opened[place] = self.things.under(self._resources[unit[0]], unit[1])
            return opened[place]

        def look(unit: Unit) -> Found:
            resource, parent, key = unit
            collection = at(unit)
            record = collection.find(key)
            if record is None or not all(test(record) for test in self.tests):
                return _NOT_FOUND
            hangs_on = _NOTHING
            if self.part_hidden:
                consulted.clear()
                hidden = self._is_hidden(things, record)
                hangs_on = frozenset(consulted)
                if hidden:
                    return Found(None, hangs_on)
            stands: Place = (ranks[resource], parent, *collection.place_of(key), key)
            if self.key is not None:
                stands = (self.key(record), Backwards(stands) if self.down and not self.ties_down else stands)
            return Found(stands, hangs_on)

        question = canonical([self.resource.name, self.question, self.part_hidden, self._scope])
        roster = catalogue.roster(question, session)
        id_keys = {resource.name: resource.id_key for resource in self._resources.values()}
        if roster is None:
            roster = Roster(self._scope)
            needs = needs_of(self.tests)
            roster.fill([unit for shelf in shelves for unit in shelf.narrowed(needs)], look, session.trajectory)
            catalogue.keep(question, session, roster)
        roster.follow(session.trajectory, self.things.draft.patch, id_keys, look)
        found = [at(unit).find(unit[2]) for unit in roster.page(offset, size, down=self.down)]
        return len(roster), [record for record in found if record is not None]


def passing(things: Things, resource: Resource, collection: Collection, test: Test) -> Iterator[Record]:
    """Return the things of a collection that pass a test, in any order."""
    if collection.extent <= things.knowledge.catalogue.least:
        yield from filter(test, collection)
        return
    for _, _, key in things.shelf(resource, collection.parent).narrowed(needs_of((test,))):
        record = collection.find(key)
        if record is not None and test(record):
            yield record


_NOTHING: frozenset[tuple[str, str]] = frozenset()
_NOT_FOUND = Found(None, _NOTHING)
