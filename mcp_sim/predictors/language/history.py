"""A trajectory as messages, kept so that each turn is told once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import overload

from mcp_sim.core.canonical import JSON
from mcp_sim.core.session import Trajectory
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import Domain
from mcp_sim.predictors.language.completer import Message
from mcp_sim.predictors.language.neutral import neutralise
from mcp_sim.predictors.language.state_text import summarise_changes
from mcp_sim.predictors.language.turns import tell_action, tell_observation


@dataclass(frozen=True, slots=True)
class Counted:
    """The extent of a prompt that a server has counted.

    `first_turn` is the turn that it told first, `size` its bytes but for the system message.
    """

    first_turn: int
    size: int
    tokens: int


class Told(Sequence[Message]):
    """The messages of one prompt, without a copy: one before the turns, turns out of a list that only ever grows, one after them."""

    __slots__ = ("_after", "_before", "_first", "_stop", "_turns")

    def __init__(self, before: Message, turns: list[Message], first: int, after: Message) -> None:
        self._before, self._turns, self._after = before, turns, after
        self._first, self._stop = first, len(turns)

    def __len__(self) -> int:
        return self._stop - self._first + 2

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> list[Message]: ...
    def __getitem__(self, index: int | slice) -> Message | list[Message]:
        return list(self)[index]

    def __iter__(self) -> Iterator[Message]:
        yield self._before
        yield from islice(self._turns, self._first, self._stop)
        yield self._after


class History:
    """The turns of one trajectory as messages: two for each, an action and its observation.

    Injected faults are left out: they are no part of the world, and a model that saw them would imitate them.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._last: Transition | None = None
        self._length = 0
        self._sizes = [0]
        self.messages: list[Message] = []
        self.first_turn = 0
        self.counted: Counted | None = None
        self.summary = ""
        self._summarised_until = 0
        self._told: list[Transition] = []

    def summary_until(self, first: int) -> str:
        """Return what the turns before the given one left in the state; worked out when the window moves, the same until it does again."""
        if first != self._summarised_until:
            self.summary = neutralise(summarise_changes(self._told[:first]))
            self._summarised_until = first
        return self.summary

    @property
    def turns(self) -> int:
        """How many turns are told."""
        return len(self._sizes) - 1

    def size_from(self, first: int) -> int:
        """Return the size in bytes of the turns from the given one on."""
        return self._sizes[-1] - self._sizes[first]

    def leads_to(self, trajectory: Trajectory) -> bool:
        """Whether the trajectory begins with what is told here. A transition is one object in one place, so the last one tells."""
        return self._length <= len(trajectory) and (self._length == 0 or trajectory[self._length - 1] is self._last)

    def extend(self, trajectory: Trajectory) -> None:
        """Tell the turns that are not told yet."""
        for position in range(self._length, len(trajectory)):
            self._tell(trajectory[position])
        self._length = len(trajectory)
        self._last = trajectory[-1] if self._length else None

    def _tell(self, transition: Transition) -> None:
        if transition.source == "injected":
            return
        self._note_window(transition.usage.get("window"))
        pair = (tell_action(self.turns + 1, transition.action, self._domain), tell_observation(transition.observation))
        self.messages.extend(pair)
        self._told.append(transition)
        self._sizes.append(self._sizes[-1] + sum(map(size_of, pair)))

    def _note_window(self, window: JSON) -> None:
        if not isinstance(window, dict):
            return
        first, size, tokens = (window.get(key) for key in ("first_turn", "size", "prompt_tokens"))
        if isinstance(first, int) and isinstance(size, int) and isinstance(tokens, int) and self.first_turn <= first <= self.turns:
            self.first_turn = first
            self.counted = Counted(first, size, tokens) if tokens > 0 else None


def size_of(message: Message) -> int:
    """Return the size of a message in bytes, with what a chat template puts around it."""
    return len(message["content"].encode("utf-8", "surrogatepass")) + 8
