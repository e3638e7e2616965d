"""The things that one question selects, in the order asked for, kept from call to call and brought up to date by what was touched since."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import total_ordering
from itertools import chain
from typing import Any, NamedTuple

from mcp_sim.core.session import Trajectory
from mcp_sim.core.state import Change
from mcp_sim.predictors.engine.index.touches import Touch, Unit, shared_length, touches
from mcp_sim.predictors.engine.kept.collection import NAMES

Place = tuple[Any, ...]


@total_ordering
class Backwards:
    """A place that comes the earlier the later it is: where an order runs downwards, equals keep theirs."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Backwards) and self.place == other.place

    def __lt__(self, other: "Backwards") -> bool:
        return self.place > other.place

    def __hash__(self) -> int:
        return hash(self.place)


class Found(NamedTuple):
    """Where a thing stands (`None`: it is not selected), and the things of other kinds that this hangs on, by resource and id or name."""

    place: Place | None
    hangs_on: frozenset[tuple[str, str]]


class Roster:
    """Ordered things of one session. `look` tells where a thing stands in the session as it is now."""

    def __init__(self, scope: Mapping[str, str | None]) -> None:
        self._scope = scope
        self._order: list[tuple[Place, Unit]] = []
        self._places: dict[Unit, Place] = {}
        self._hanging: defaultdict[tuple[str, str], set[Unit]] = defaultdict(set)
        self._trajectory = Trajectory()
        self._drafted: set[Unit] = set()

    def __len__(self) -> int:
        return len(self._order)

    def copy(self) -> "Roster":
        """Return another like it, for another session."""
        other = Roster(self._scope)
        other._order, other._places = self._order.copy(), self._places.copy()
        other._hanging.update({name: units.copy() for name, units in self._hanging.items()})
        other._trajectory, other._drafted = self._trajectory, self._drafted
        return other

    def is_near(self, trajectory: Trajectory) -> bool:
        """Whether less happened between this and a session than there are things."""
        return len(self._trajectory) + len(trajectory) - 2 * shared_length(self._trajectory, trajectory) <= len(self)

    def page(self, offset: int, size: int, *, down: bool) -> list[Unit]:
        """Return the things at some places, from the last one on where the order runs downwards."""
        if down:
            end = max(len(self._order) - offset, 0)
            return [unit for _, unit in reversed(self._order[max(end - size, 0) : end])]
        return [unit for _, unit in self._order[offset : offset + size]]

    def fill(self, candidates: Iterable[Unit], look: Callable[[Unit], Found], trajectory: Trajectory) -> None:
        """Select among things as they are now."""
        for unit in candidates:
            place = self._heed(unit, look)
            if place is not None:
                self._places[unit] = place
                self._order.append((place, unit))
        self._order.sort()
        self._trajectory = trajectory

    def follow(self, trajectory: Trajectory, patch: list[Change], id_keys: Mapping[str, str], look: Callable[[Unit], Found]) -> None:
        """Bring the selection to where a session is now, wherever it was before. `patch` is what is about to happen, and may not."""
        shared = shared_length(self._trajectory, trajectory)
        before, since = self._trajectory[shared:], trajectory[shared:]
        touched = set(self._drafted)
        for transition in chain(before, since):
            if transition.patch:
                touched |= self._touched(transition.patch, id_keys)
        drafted = self._touched(patch, id_keys)
        for unit in touched | drafted:
            self._put(unit, self._heed(unit, look))
        self._trajectory, self._drafted = trajectory, drafted

    def _touched(self, patch: Iterable[Change], id_keys: Mapping[str, str]) -> set[Unit]:
        units: set[Unit] = set()
        for touch in touches(patch, id_keys):
            resource, parent, _ = touch.unit
            if touch.kind != "whole" and resource in self._scope and self._scope[resource] in (None, parent):
                units.add(touch.unit)
            for name in _names(touch) if self._hanging else ():
                units |= self._hanging.get((resource, name), set())
        return units

    def _heed(self, unit: Unit, look: Callable[[Unit], Found]) -> Place | None:
        found = look(unit)
        for other in found.hangs_on:
            self._hanging[other].add(unit)
        return found.place

    def _put(self, unit: Unit, place: Place | None) -> None:
        before = self._places.pop(unit, None)
        if before is not None:
            del self._order[bisect_left(self._order, (before, unit))]
        if place is not None:
            self._places[unit] = place
            insort(self._order, (place, unit))


def _names(touch: Touch) -> set[str]:
    """What others that hang on a thing, or on a collection as a whole, may call it."""
    key = f"/{touch.unit[1]}" if touch.kind == "whole" else touch.unit[2]
    return {key, *(value for name in NAMES if isinstance(value := touch.record.get(name), str))}
