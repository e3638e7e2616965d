"""The seam: anything that can say what an action leads to."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


async def _silent(message: str) -> None:
    pass


async def _still(progress: float, total: float | None, message: str | None) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Context:
    """What a predictor may use of the world outside while it answers one action.

    `report` tells a waiting client in words how far the answer is, `repeat` tells it again what a server told (progress, total, message);
    `log` is for the operator; `deadline` is a time of anyio's clock (`anyio.current_time`) after which nobody waits any more.
    `correction` says in a sentence what was wrong with the answer just given, where this is the second try.
    """

    report: Callable[[str], Awaitable[None]] = _silent
    repeat: Callable[[float, float | None, str | None], Awaitable[None]] = _still
    log: Callable[[str], Awaitable[None]] = _silent
    deadline: float = math.inf
    correction: str | None = None


class Predictor(Protocol):
    """A world model: foretells the transition that an action leads to in a session."""

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """Return the transition; `turn` is not set yet.

        Raises:
            PredictionError: this predictor cannot answer. Nothing is kept.
        """
        ...
