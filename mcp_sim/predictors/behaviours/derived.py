"""What was derived from a few immutable values, kept for as long as they are asked about."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Derived(Generic[Value]):
    """A cache keyed by the identity of values that are never mutated. It may be emptied at any time: nothing but time is lost.

    The key values are held, so that an identity is not given to another object meanwhile. `capacity` bounds how many are kept.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Value]] = OrderedDict()
        self._lock = Lock()

    def of(self, *sources: object, derive: Callable[[], Value]) -> Value:
        """Return what `derive` makes of these sources, made once while it is kept."""
        key = tuple(id(source) for source in sources)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][1]
        value = derive()
        with self._lock:
            self._kept[key] = (sources, value)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
