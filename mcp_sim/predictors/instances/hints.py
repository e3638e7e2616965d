"""What is known about a value besides its schema."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words

_WRAPPERS = frozenset(
    "data result results item response output payload location place city query request parameters params search meta metadata "
    "current".split()
)
_SAME = (
    frozenset({"location", "city", "place"}),
    frozenset({"symbol", "ticker"}),
    frozenset({"q", "query", "search", "search query", "search term", "keyword", "term"}),
    frozenset({"base", "from", "base currency", "from currency", "source currency"}),
    frozenset({"target", "to", "target currency", "to currency", "quote currency"}),
    frozenset({"unit", "temperature unit"}),
)
_THROUGHOUT = frozenset({"unit", "currency", "language", "timezone", "time zone"})
"""What holds for every item of an answer as well."""


@dataclass(frozen=True, slots=True)
class Hints:
    """The call that a value answers: its arguments, which the answer echoes, the world's time, and words for what it is about.

    `topic` are the words of the tool's name, `most_items` bounds the lists whose length a call asks for.
    """

    arguments: dict[str, JSON] = field(default_factory=dict)
    now: datetime = datetime(2026, 1, 1, 9, 0, 0, tzinfo=UTC)
    subject: str = ""
    topic: tuple[str, ...] = ()
    most_items: int = 50

    def echo(self, spot: "Spot") -> tuple[JSON, ...]:
        """Return the arguments that a value at the spot may repeat: those of its name, or of its name after the subject's (`issue_number`).

        Only what the answer is about repeats them: not the items of lists, nor things further inside.
        """
        if not spot.name or not self.arguments:
            return ()
        name = words(spot.name)
        bare = _bare(tuple(name))
        if spot.listed:
            return tuple(v for k, v in self.arguments.items() if bare in _THROUGHOUT and _bare(tuple(words(k))) == bare and v is not None)
        around = [words(str(key)) for key in spot.path[:-1]]
        if any(len(key) != 1 or (key[0] not in _WRAPPERS and key[0] != self.subject) for key in around):
            return ()
        own = [value for key, value in self.arguments.items() if words(key) in (name, [self.subject, *name]) and value is not None]
        if not own:
            same = next((names for names in _SAME if bare in names), frozenset({bare}))
            own = [value for key, value in self.arguments.items() if _bare(tuple(words(key))) in same and isinstance(value, str)]
        return tuple(own)


@lru_cache(maxsize=20_000)
def _bare(name: tuple[str, ...]) -> str:
    """A name with its last word in the singular: `units` is the unit."""
    return " ".join((*name[:-1], name[-1].removesuffix("s") if len(name[-1]) > 2 else name[-1])) if name else ""


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
