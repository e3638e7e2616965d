"""One step of a trajectory."""

from typing import Literal

from pydantic import Field

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.observation import Observation
from mcp_sim.core.state import Change

Source = Literal["computed", "frozen", "imagined", "injected", "real"]
"""Where an answer came from: code and state, a recording, a model or generator, a fault that was asked for, a live server."""


class Transition(Frozen):
    """An action, the observation it led to, the change of state, and where the observation came from.

    `changes` tells whether state changed: only then does the fingerprint move and the world's clock tick. A transition that
    does not change state may still carry a patch: it reveals what was not known before, and `Session.append` adds only what is absent.
    `turn` is the 1-based place in the trajectory, set by `Session.append`; 0 before that.
    `recalled` is the turn whose answer was given again from memory.
    `notes` are sentences about how the answer came about, for whoever looks at the trajectory; `usage` holds a model's counts.
    """

    turn: int = 0
    action: Action
    observation: Observation
    source: Source
    changes: bool = False
    patch: list[Change] = Field(default_factory=list)  # pydantic would copy a default deeply, at each call
    occurrence: int = 0
    recalled: int | None = None
    notes: list[str] = Field(default_factory=list)
    usage: dict[str, JSON] = Field(default_factory=dict)


class Demonstration(Frozen):
    """An action and a true observation of it: an example to imitate."""

    action: Action
    observation: Observation


class FrozenAnswer(Demonstration):
    """A pinned answer. Without a fingerprint it holds in every state; `occurrence` counts from 1 for volatile tools, `None` fits any.

    `changes` is `False` where the call changed nothing although its tool may; `None` leaves that to what is usual. `progress` is what the
    server told a waiting client before the answer, each with `progress` and perhaps `total` and `message`.
    """

    fingerprint: str | None = None
    occurrence: int | None = None
    changes: bool | None = None
    progress: tuple[dict[str, JSON], ...] = ()
