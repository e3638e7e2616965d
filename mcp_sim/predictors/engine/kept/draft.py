"""What a call is about to change, while it is answered."""

from collections.abc import Sequence

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import Change, State, apply


class Draft:
    """A state under change and the patch that leads to it; whether chance was drawn for the answer, whether it rests on
    what was made up, and what is to be said of it."""

    __slots__ = ("_applied", "_state", "drawn", "imagined", "notes", "patch")

    def __init__(self, state: State) -> None:
        self._state = state
        self._applied = 0
        self.patch: list[Change] = []
        self.imagined = False
        self.drawn = False
        self.notes: list[str] = []

    @property
    def state(self) -> State:
        """The state as it is after the patch: worked out when it is asked for, as the last changes of a call are never read again."""
        if self._applied < len(self.patch):
            self._state = apply(self._state, self.patch[self._applied :])
            self._applied = len(self.patch)
        return self._state

    def put(self, path: Sequence[str], value: JSON) -> None:
        """Set what is at a path."""
        self.patch.append(Change(path=list(path), value=value))

    def remove(self, path: Sequence[str]) -> None:
        """Take away what is at a path."""
        self.patch.append(Change(path=list(path)))
