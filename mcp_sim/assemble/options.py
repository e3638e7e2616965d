"""How a simulator is opened, as the doors are told."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_sim.sessions.name import DEFAULT_SESSION


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How sessions are kept: `keep` names the one that is kept in a file and answers calls that name none."""

    keep: str | None = None
    seed: int | None = None
    fsync: bool = False
    max_sessions: int = 10_000
    idle_seconds: float = 3600.0

    @property
    def default_session(self) -> str:
        """The session of calls that name none."""
        return self.keep or DEFAULT_SESSION


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model answers where nothing else can, and how it is asked; `None` leaves it to the world and to the published defaults."""

    url: str = field(repr=False)
    name: str | None = None
    api_key: str | None = field(default=None, repr=False)
    concurrency: int = 8
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    thinking: str | None = None
    state_in_prompt: bool | None = None
    on_slow: str = "no-thinking"


@dataclass(frozen=True, slots=True)
class RealOptions:
    """The real server behind a simulated one: a command that starts it with an environment, or a URL with headers."""

    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class SimulatorOptions:
    """How a simulator is opened. With `frozen` nothing is imagined: what is neither frozen nor computed is an error. With `shadow` a real
    server answers the tools that the world's settings list as `real_reads`; with `real` one answers what `frozen` would refuse.
    """

    sessions: SessionOptions = SessionOptions()
    model: ModelOptions | None = None
    frozen: bool = False
    answer_within_seconds: float = math.inf
    shadow: RealOptions | None = None
    real: RealOptions | None = None
