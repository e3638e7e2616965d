"""Numbers within bounds."""

import math
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from mcp_sim.predictors.instances.part import Parts, number

_FAR = 10**15
_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def _exact(value: int | float) -> Fraction | None:
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(str(value)) if math.isfinite(value) else None


class Range:
    """What the parts say about a number: bounds, whether they may be reached, and what it must be a multiple of (0: of nothing)."""

    def __init__(self, parts: Parts, *, whole: bool) -> None:
        self.low: Fraction | None = None
        self.high: Fraction | None = None
        self.low_open = self.high_open = False
        self.step = Fraction(int(whole))
        for part in parts:
            for keyword, is_low in (("minimum", True), ("exclusiveMinimum", True), ("maximum", False), ("exclusiveMaximum", False)):
                value = number(part, keyword)
                is_open = keyword.startswith("exclusive") or part.schema.get(_EXCLUSIVE.get(keyword, "")) is True  # the second is draft-04
                if value is not None and (bound := _exact(value)) is not None:
                    self._narrow(bound, is_low=is_low, is_open=is_open)
            multiple = number(part, "multipleOf")
            if multiple is not None and multiple > 0 and (exact := _exact(multiple)) is not None:
                self.step = _common_multiple(self.step, exact)

    def _narrow(self, bound: Fraction, *, is_low: bool, is_open: bool) -> None:
        if is_low:
            if self.low is None or bound > self.low or (bound == self.low and is_open):
                self.low, self.low_open = bound, is_open
        elif self.high is None or bound < self.high or (bound == self.high and is_open):
            self.high, self.high_open = bound, is_open

    @property
    def empty(self) -> bool:
        """Whether no number can be in it."""
        if self.low is not None and self.high is not None:
            if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
                return True
            if self.step:
                first, last = self._indices()
                return first is not None and last is not None and first > last
        return False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | float):
            return False
        exact = Fraction(value)
        above = self.low is None or exact > self.low or (exact == self.low and not self.low_open)
        below = self.high is None or exact < self.high or (exact == self.high and not self.high_open)
        return above and below

    def _indices(self) -> tuple[int | None, int | None]:
        first = last = None
        if self.low is not None:
            first = math.floor(self.low / self.step) + 1 if self.low_open else math.ceil(self.low / self.step)
        if self.high is not None:
            last = math.ceil(self.high / self.step) - 1 if self.high_open else math.floor(self.high / self.step)
        return first, last

    def candidates(self, random: Random, wish: int | float | None) -> Iterator[int | float]:
        """Yield numbers in the range, the one nearest to the wish first. Floats are inexact: the caller judges multiples."""
        if self.step:
            yield from self._multiples(random, wish)
            return
        if wish is not None and wish in self:
            yield wish
        low = self.low
        if low is None:
            low = Fraction(0) if self.high is None or self.high >= 0 else self.high - 100
        high = low + max(Fraction(100), abs(low)) if self.high is None else self.high
        for digits in (2, 4, 8):
            for _ in range(2):
                value = round(float(low) + random.random() * float(high - low), digits)
                if value in self:
                    yield value
        for exact in ((low + high) / 2, low, high, low + (high - low) / 3):
            for near in (float(exact), math.nextafter(float(exact), math.inf), math.nextafter(float(exact), -math.inf)):
                if near in self:
                    yield int(near) if near.is_integer() and abs(near) < _FAR else near
            if exact.denominator == 1 and int(exact) in self:
                yield int(exact)

    def _multiples(self, random: Random, wish: int | float | None) -> Iterator[int | float]:
        first, last = self._indices()
        if wish is not None:
            index = round(wish / self.step)
            index = index if first is None else max(index, first)
            nearest = (index if last is None else min(index, last)) * self.step
            if nearest.denominator == 1:
                yield int(nearest)
        if first is None:
            first = 0 if last is None or last >= 0 else last - 100
        if last is None:
            last = first + max(100, abs(first))
        if first > last:
            return
        indices = [random.randint(first, last) for _ in range(8)]
        indices += [index for index in (0, 1, 2, 4, 8, 16, 32, -1, -2, -4, first, last, first + 1, last - 1) if first <= index <= last]
        denominator = self.step.denominator  # whole numbers are exact: prefer them where the step is a fraction
        indices += [index - index % denominator for index in indices if first <= index - index % denominator]
        values = [int(exact) if exact.denominator == 1 else float(exact) for exact in (index * self.step for index in indices)]
        yield from sorted(values, key=self._divides_inexactly)

    def _divides_inexactly(self, value: int | float) -> bool:
        # clients divide in binary floating point, where 0.3 is no multiple of 0.1
        return isinstance(value, float) and not (value / float(self.step)).is_integer()


def _common_multiple(one: Fraction, other: Fraction) -> Fraction:
    if not one:
        return other
    return Fraction(math.lcm(one.numerator * other.denominator, other.numerator * one.denominator), one.denominator * other.denominator)
