"""What a server said to one request."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON


@dataclass(frozen=True, slots=True)
class Heard:
    """A result or an error, and the progress that was told before: each with `progress` and perhaps `total` and `message`."""

    result: dict[str, JSON] | None = None
    error: dict[str, JSON] | None = None
    progress: tuple[dict[str, JSON], ...] = ()
