"""The steps of matching one part of a glob with one name: sets of positions go in, sets of positions come out.

A set is an integer, bit `n` for position `n`. No backtracking: a step costs the length of the name at most, so that no pattern can hang
the server as it would hang a matcher made of regular expressions.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.glob_class import Test


@dataclass(slots=True)
class Budget:
    """How many more steps a call may take."""

    steps: int = 8_000_000

    def spend(self, steps: int = 1) -> None:
        """Take steps.

        Raises:
            PredictionError: none are left.
        """
        self.steps -= steps
        if self.steps < 0:
            raise PredictionError("Matching this glob against so many names takes too long; use a simpler one or a folder further down.")


@dataclass(slots=True)
class Name:
    """The name at hand, as a sequence of UTF-16 units or of code points."""

    text: str
    budget: Budget
    end: int = field(init=False)
    everywhere: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = 1 << len(self.text)
        self.everywhere = self.end * 2 - 1

    def where(self, test: Test) -> int:
        """Return the positions whose characters pass the test."""
        self.budget.spend(len(self.text))
        places = 0
        for position, char in enumerate(self.text):
            if test(char):
                places |= 1 << position
        return places


Step = Callable[[Name, int], int]


def in_turn(steps: list[Step]) -> Step:
    """Return the step that takes the steps one after the other."""

    def step(name: Name, starts: int) -> int:
        name.budget.spend(len(steps) + 1)
        for following in steps:
            if not starts:
                return 0
            starts = following(name, starts)
        return starts

    return step


def any_of(steps: list[Step]) -> Step:
    """Return the step that ends wherever one of the steps ends."""

    def step(name: Name, starts: int) -> int:
        ends = 0
        for alternative in steps:
            ends |= alternative(name, starts)
        return ends

    return step


def or_nothing(once: Step) -> Step:
    """Return the step that may also stay where it is."""
    return lambda name, starts: starts | once(name, starts)


def repeated(once: Step) -> Step:
    """Return the step that is taken once or more often."""

    def step(name: Name, starts: int) -> int:
        ends = once(name, starts)
        fresh = ends
        while fresh:
            reached = once(name, fresh)
            fresh = reached & ~ends
            ends |= reached
        return ends

    return step


def unless(alternatives: list[Step]) -> Step:
    """Return the step over any text, from the first position where none of the alternatives fits."""
    fits = any_of(alternatives)

    def step(name: Name, starts: int) -> int:
        while starts:
            first = starts & -starts
            if not fits(name, first):
                return any_number(name, first)
            starts ^= first
        return 0

    return step


def exactly(char: str) -> Step:
    """Return the step over this character."""
    return one_of(lambda other: other == char)


def one_of(test: Test) -> Step:
    """Return the step over a character that passes the test."""

    def step(name: Name, starts: int) -> int:
        name.budget.spend()
        if starts & (starts - 1) == 0:  # a single position, as is usual
            position = starts.bit_length() - 1
            return starts << 1 if position < len(name.text) and test(name.text[position]) else 0
        return (starts & name.where(test)) << 1

    return step


def one(name: Name, starts: int) -> int:
    """Step over any character."""
    return starts << 1 & name.everywhere


def any_number(name: Name, starts: int) -> int:
    """Step over any text, be it empty."""
    return name.everywhere & -(starts & -starts)


def some(name: Name, starts: int) -> int:
    """Step over any text that is not empty."""
    return any_number(name, starts) & ~(starts & -starts)


def at_end(name: Name, starts: int) -> int:
    """Stay only at the end."""
    return starts & name.end
