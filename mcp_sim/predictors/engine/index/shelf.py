"""An inverted index of things: by a word, a value or a name, which of them may have it. It may name too many, never too few.

It holds every version of a thing that any session of the engine has seen, and forgets none: so one serves all sessions, those that
were forked or wound back as well, and whoever asks looks at what each thing is in its own state.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mcp_sim.core.session import Trajectory
from mcp_sim.core.state import Change
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.index.touches import Touch, Unit, touches
from mcp_sim.predictors.engine.kept.collection import NAMES, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.kept.needs import Need, leaves, said
from mcp_sim.predictors.engine.resources.ranges import ANYWHERE, scale_of
from mcp_sim.predictors.engine.words.arguments import field_named

_MOST_FACETS = 40
_MOST_PLACES = 20_000_000
_MOST_WORDS = 1_000
_LAST_ENDS = 100
_LEAST_KEPT = 50_000
_FEW = 20
_TO_SEARCH = re.compile(r"\w+")


class Facet:
    """By what things say in one respect, their places in the log. Those that say too much to be kept are `unsifted`: found always."""

    def __init__(self, tokens: Callable[[Touch], Iterable[str]]) -> None:
        self.unsifted = array("I")
        self._tokens = tokens
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._read = 0
        self._kept = 0

    def follow(self, log: list[Touch]) -> None:
        """Take in what is new in the log."""
        for place in range(self._read, len(log)):
            tokens = set(self._tokens(log[place]))
            if len(tokens) > _MOST_WORDS or self._kept > _MOST_PLACES:
                self.unsifted.append(place)
                continue
            self._kept += len(tokens)
            for token in tokens:
                if token not in self._places:
                    self._meet(token)
                self._places[token].append(place)
        self._read = len(log)

    def find(self, token: str) -> "list[array[int]]":
        """Return the places of the things that have a token."""
        return [self._places[token]] if token in self._places else []

    def _meet(self, token: str) -> None:
        """Take in a token that was never seen before."""


class Words(Facet):
    """The words of things, found by any part of them."""

    def __init__(self) -> None:
        super().__init__(lambda touch: _TO_SEARCH.findall("\n".join(leaves(touch.record)).lower()))
        self._words: list[str] = []
        self._with: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))

    def _meet(self, token: str) -> None:
        for gram in {token[at : at + length] for length in (2, 3) for at in range(len(token) - length + 1)}:
            self._with[gram].append(len(self._words))
        self._words.append(token)

    def find(self, token: str) -> "list[array[int]]":
        """Return the places of the things with a word that has the token in it."""
        if len(token) == 1:
            words: Iterable[str] = self._words
        else:
            grams = [token[at : at + 3] for at in range(max(len(token) - 2, 1))]
            least = min((self._with.get(gram, array("I")) for gram in grams), key=len)
            words = (self._words[number] for number in least)
        return [self._places[word] for word in words if token in word]


class Scale:
    """The places in the log of things in the order of a number or a time that they tell."""

    def __init__(self, value_of: Callable[[Record], Any]) -> None:
        self.unsifted = array("I")
        self._value_of = value_of
        self._values: list[Any] = []
        self._places = array("I")
        self._read = 0

    def follow(self, log: list[Touch]) -> None:
        """Take in what is new in the log."""
        new = []
        for place in range(self._read, len(log)):
            if log[place].kind != "deleted":
                value = self._value_of(log[place].record)
                if value is ANYWHERE:
                    self.unsifted.append(place)
                elif value is not None:
                    new.append((value, place))
        self._read = len(log)
        if len(new) > _FEW:
            new = sorted([*zip(self._values, self._places, strict=True), *new])
            self._values, self._places = [value for value, _ in new], array("I", [place for _, place in new])
            return
        for value, place in new:
            at = bisect_left(self._values, value)
            self._values.insert(at, value)
            self._places.insert(at, place)

    def find(self, token: tuple[Any, Any]) -> "list[array[int]]":
        """Return the places of the things from one limit to another."""
        low, high = token
        first = 0 if low is None else bisect_left(self._values, low)
        return [self._places[first : None if high is None else bisect_right(self._values, high)]]


class Shelf:
    """The things of one collection, or of all collections of a resource. `base` is what was there before anything happened."""

    def __init__(self, resource: str, parent: str | None, id_key: str, base: Iterable[tuple[str, Record]]) -> None:
        self._resource, self._parent, self._id_keys = resource, parent, {resource: id_key}
        self.log = [Touch((resource, of, id_text(record.get(id_key))), "given", record) for of, record in base]
        self.units = {touch.unit for touch in self.log}
        self.is_distinct = len(self.units) == len(self.log)
        self._began_with = 0
        self._facets: dict[str, Facet | Scale] = {}
        self._ends: dict[int, Transition] = {}
        self._drafted: tuple[Draft, int] | None = None

    @property
    def is_overfull(self) -> bool:
        """Whether it holds much that no session may need any more."""
        return len(self.log) > 2 * self._began_with + _LEAST_KEPT

    def follow(self, trajectory: Trajectory, draft: Draft) -> None:
        """Take in what has happened in a session, and what is about to happen."""
        at = len(trajectory)
        while at > 0 and self._ends.get(id(trajectory[at - 1])) is not trajectory[at - 1]:
            at -= 1
        if at < len(trajectory):
            for transition in trajectory[at:]:
                self._take(transition.patch)
            last = trajectory[-1]
            self._ends[id(last)] = last
            if len(self._ends) > _LAST_ENDS:
                del self._ends[next(iter(self._ends))]
        done = self._drafted[1] if self._drafted is not None and self._drafted[0] is draft else 0
        if len(draft.patch) > done:
            self._take(draft.patch[done:])
            self._drafted = draft, len(draft.patch)
        self._began_with = self._began_with or len(self.log)

    def _take(self, patch: Iterable[Change]) -> None:
        for touch in touches(patch, self._id_keys):
            if touch.kind != "whole" and self._parent in (None, touch.unit[1]):
                self.log.append(touch)
                self.units.add(touch.unit)

    def having(self, facet: str, token: Any) -> set[Unit]:
        """Return all things that may have a token in a facet."""
        return self._units_at(self._find(facet, token))

    def narrowed(self, needs: Iterable[Need]) -> set[Unit]:
        """Return all things that may have what is needed."""
        found = [[places for facet, token in need for places in self._find(facet, token)] for need in _between(needs)]
        least = min(found, key=lambda places: sum(map(len, places)), default=None)
        if least is None or sum(map(len, least)) > len(self.log):
            return self.units
        return self._units_at(least)

    def _units_at(self, found: "list[array[int]]") -> set[Unit]:
        return {self.log[place].unit for places in found for place in places}

    def _find(self, name: str, token: Any) -> "list[array[int]]":
        if name not in self._facets and len(self._facets) >= _MOST_FACETS:
            self._facets.clear()
        if name not in self._facets:
            self._facets[name] = _facet_of(name)
        facet = self._facets[name]
        facet.follow(self.log)
        return [*facet.find(token), facet.unsifted]


def _between(needs: Iterable[Need]) -> Iterator[Need]:
    """Make limits on one scale into one need."""
    limits: dict[str, tuple[Any, Any]] = {}
    for need in needs:
        facet, token = need[0]
        if not facet.startswith("#"):
            yield need
            continue
        lows, highs = zip(limits.get(facet, (None, None)), token, strict=True)
        limits[facet] = (
            max((low for low in lows if low is not None), default=None),
            min((high for high in highs if high is not None), default=None),
        )
    yield from (((facet, limit),) for facet, limit in limits.items())


def _facet_of(name: str) -> Facet | Scale:
    if name.startswith("#"):
        return Scale(scale_of(name))
    if name == "words":
        return Words()
    if name == "names":
        return Facet(lambda touch: (value for key in NAMES if isinstance(value := touch.record.get(key), str)))
    if name == "ids":
        return Facet(lambda touch: (touch.unit[2],))
    if name == "kinds":
        return Facet(lambda touch: (touch.kind,))
    if name == "folders":
        return Facet(lambda touch: _folders(touch.unit[2]))
    return Facet(lambda touch: said(field_named(touch.record, name.removeprefix("="))))


def _folders(path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    return ("/".join(parts[: depth + 1]) for depth in range(min(len(parts), 200)))
