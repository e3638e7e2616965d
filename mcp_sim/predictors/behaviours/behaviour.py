"""The seam of behaviours."""

from collections.abc import Mapping
from typing import Protocol

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


class Behaviour(Protocol):
    """Knows how one kind of tool really behaves. Pure: the same session and action give the same transition, and nothing else is touched.

    It is built with its options, a JSON object from the world's `world.toml`, and raises `SetupError` where they are wrong.
    """

    mutates: Mapping[str, bool]
    """The tools it knows, each with whether a call of it may change state."""

    volatile: frozenset[str]
    """Those of its tools that answer differently each time in the same state (clocks, counters)."""

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to, built with `session.transition(action, observation, "computed", patch, changes=...)`.

        `changes` is true exactly if the call changed state: a refused, failed or dry-run call did not. `None` means "not mine".
        """
        ...
