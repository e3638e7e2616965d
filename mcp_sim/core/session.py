"""The trajectory so far: the only place where state lives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import overload

from rpds import HashTrieMap

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import digest
from mcp_sim.core.observation import Observation
from mcp_sim.core.redaction import identify
from mcp_sim.core.state import Change, State, apply
from mcp_sim.core.transition import FrozenAnswer, Source, Transition
from mcp_sim.core.world import World

_TICK = timedelta(seconds=1)
_NOT_COMPUTED = ("imagined", "real", "frozen")


class Trajectory(Sequence[Transition]):
    """An immutable sequence of transitions. Appending to the newest one shares its storage, so a turn costs the same at any length."""

    __slots__ = ("_length", "_shared")

    def __init__(self, shared: list[Transition] | None = None, length: int = 0) -> None:
        self._shared = [] if shared is None else shared
        self._length = length

    def append(self, transition: Transition) -> "Trajectory":
        """Return the sequence with one more transition at its end."""
        shared = self._shared
        if len(shared) != self._length:  # another branch has grown from here: leave its storage alone
            shared = shared[: self._length]
        shared.append(transition)
        return Trajectory(shared, self._length + 1)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Transition: ...
    @overload
    def __getitem__(self, index: slice) -> list[Transition]: ...
    def __getitem__(self, index: int | slice) -> Transition | list[Transition]:
        if isinstance(index, slice):
            return [self._shared[position] for position in range(*index.indices(self._length))]
        return self._shared[range(self._length)[index]]

    def __iter__(self) -> Iterator[Transition]:
        return (self._shared[position] for position in range(self._length))


@dataclass(frozen=True, slots=True)
class Session:
    """A world and the trajectory through it so far. Frozen: `append` returns a new session.

    `fingerprint` is a hash chain over the first state and the actions that changed state, without the seed: frozen answers are
    keyed by it. `ticks` counts the changes of state and drives the world's clock. `holds_imagined` tells whether anything in the state
    came from elsewhere than code.
    """

    world: World
    name: str
    seed: int = 0
    trajectory: Trajectory = field(default_factory=Trajectory)
    state: State = field(default_factory=HashTrieMap)
    fingerprint: str = ""
    ticks: int = 0
    holds_imagined: bool = False
    _memory: "HashTrieMap[str, int]" = field(default_factory=HashTrieMap)
    _counts: "HashTrieMap[str, int]" = field(default_factory=HashTrieMap)

    @classmethod
    def begin(cls, world: World, name: str, seed: int = 0) -> "Session":
        """Return the session in which nothing has happened yet."""
        return cls(world=world, name=name, seed=seed, state=world.first_state, fingerprint=world.first_state_hash)

    @property
    def now(self) -> datetime:
        """The world's time: it ticks a second with each change of state and never otherwise."""
        return self.world.settings.clock + self.ticks * _TICK

    def occurrence(self, action: Action) -> int:
        """How often a volatile action will have been asked at this fingerprint, this time included; 0 for all others."""
        if not self.world.is_volatile(action):
            return 0
        return self._counts.get(digest(self.fingerprint, action.key), 0) + 1

    def chance(self, action: Action) -> Random:
        """Return the random numbers for this action here: they depend on seed, fingerprint, action and occurrence alone."""
        return Random(digest(str(self.seed), self.fingerprint, action.key, str(self.occurrence(action))))

    def recall(self, action: Action) -> Transition | None:
        """Return the transition in which this action was answered before in this state, if it was."""
        turn = self._memory.get(self._memory_key(action))
        return None if turn is None else self.trajectory[turn - 1]

    def transition(
        self, action: Action, observation: Observation, source: Source, patch: Sequence[Change] = (), *, changes: bool | None = None
    ) -> Transition:
        """Build the transition of an action answered here. Unless said otherwise, a mutating action changes state if it did not fail."""
        if changes is None:
            changes = self.world.mutates(action) and not observation.is_error
        return Transition(
            action=action,
            observation=observation,
            source=source,
            changes=changes,
            patch=list(patch),
            occurrence=self.occurrence(action),
        )

    def needs_freezing(self, transition: Transition) -> bool:
        """Whether a transition that is about to be appended could not be computed again from the first state and the actions alone.

        That is what was imagined or really happened, what was worked out from a state that holds such things, and the answer to a change,
        whose form no state tells, unless a behaviour did it. What was injected was no fact, and what was recalled is there already.
        """
        if transition.recalled is not None or transition.source not in ("imagined", "real", "computed"):
            return False
        if transition.source != "computed":
            return True
        action = transition.action
        tool = self.world.tools_by_name.get(action.name)
        if tool is None or action.name in self.world.part_of(action).effects:
            return False
        if not self.holds_imagined and not self.world.mutates(action):
            return False
        return not tool.input_check.problems(action.arguments)  # a refusal comes before anything else

    def freeze(self, transition: Transition) -> FrozenAnswer:
        """Return the answer of a transition that is about to be appended, pinned to this state."""
        usual = self.world.mutates(transition.action) and not transition.observation.is_error
        return FrozenAnswer(
            action=transition.action,
            observation=transition.observation,
            fingerprint=self.fingerprint,
            occurrence=transition.occurrence or None,
            changes=False if usual and not transition.changes else None,
        )

    def append(self, transition: Transition) -> "Session":
        """Return the session after one more transition, whose `turn` is set. A reading one may add to state, never change it."""
        transition = transition.model_copy(update={"turn": len(self.trajectory) + 1})
        key = self._memory_key(transition.action)
        memory, counts = self._memory, self._counts
        if transition.source != "injected" and key not in memory:
            memory = memory.insert(key, transition.turn)
        if transition.occurrence:
            counts = counts.insert(digest(self.fingerprint, transition.action.key), transition.occurrence)
        state = self.state
        if transition.patch and transition.source != "injected":
            state = apply(state, transition.patch, reveal=not transition.changes)
        moved = transition.changes
        fingerprint = self.fingerprint
        if moved:  # a recording holds no secrets, and its chain must be met by calls that do
            fingerprint = digest(fingerprint, identify(transition.action, self.world.settings.frozen.redaction))
        return replace(
            self,
            trajectory=self.trajectory.append(transition),
            state=state,
            fingerprint=fingerprint,
            ticks=self.ticks + 1 if moved else self.ticks,
            holds_imagined=self.holds_imagined or (transition.source in _NOT_COMPUTED and (moved or bool(transition.patch))),
            _memory=memory,
            _counts=counts,
        )

    def _memory_key(self, action: Action) -> str:
        return digest(self.fingerprint, action.key, str(self.occurrence(action)))
