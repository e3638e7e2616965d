"""What a server said to one request."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON


@dataclass(frozen=True, slots=True)
class Heard:
    """A result, or an error in place of one, and the progress that was told before (`progress`, perhaps `total` and `message`)."""

    body: dict[str, JSON]
    is_error: bool = False
    progress: tuple[dict[str, JSON], ...] = ()
