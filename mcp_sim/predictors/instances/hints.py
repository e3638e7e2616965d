"""What is known about a value besides its schema."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words

_WRAPPERS = frozenset("data result results item response output payload".split())


@dataclass(frozen=True, slots=True)
class Hints:
    """The call that a value answers: its arguments, which the answer echoes, the world's time, and words for what it is about."""

    arguments: dict[str, JSON] = field(default_factory=dict)
    now: datetime = datetime(2026, 1, 1, 9, 0, 0, tzinfo=UTC)
    subject: str = ""

    def echo(self, spot: "Spot") -> tuple[JSON, ...]:
        """Return the arguments that a value at the spot may repeat: those of its name, or of its name after the subject's (`issue_number`).

        Only what the answer is about repeats them: not the items of lists, nor things further inside.
        """
        if spot.listed or not spot.name or not self.arguments:
            return ()
        around = [words(str(key)) for key in spot.path[:-1]]
        if any(len(key) != 1 or (key[0] not in _WRAPPERS and key[0] != self.subject) for key in around):
            return ()
        name = words(spot.name)
        return tuple(value for key, value in self.arguments.items() if words(key) in (name, [self.subject, *name]) and value is not None)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the value being made: the name it is known by there, its path, and whether it is inside a list."""

    name: str = ""
    path: tuple[str | int, ...] = ()
    listed: bool = False

    @property
    def depth(self) -> int:
        """How many containers are around it."""
        return len(self.path)

    @property
    def pointer(self) -> str:
        """Its JSON pointer; the empty string is the whole value."""
        return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in self.path)

    def inside(self, key: str, listed: bool | None = None) -> "Spot":
        """Return the place of a property."""
        return Spot(key, (*self.path, key), self.listed if listed is None else listed)

    def item(self, index: int, name: str) -> "Spot":
        """Return the place of an item of this list."""
        return Spot(name, (*self.path, index), True)


class DeadEndError(Exception):
    """This way leads to no value: the search goes back to its last choice."""

    def __init__(self, spot: Spot, reason: str) -> None:
        super().__init__(reason)
        self.spot = spot
        self.reason = reason
