"""What an import found."""

from dataclasses import dataclass, field
from typing import Literal

from mcp_sim.core.canonical import JSON

Kind = Literal["openapi", "openai", "anthropic", "gemini", "mcp", "python", "har"]
KINDS: tuple[Kind, ...] = ("openapi", "openai", "anthropic", "gemini", "mcp", "python", "har")


@dataclass(frozen=True)
class Imported:
    """What makes a world: tools as a `tools/list` result has them, and what else the source told.

    `server_info` is `{"name", "version"}` or empty; `settings` are keys of `world.toml`; `demonstrations` are lines
    `{"name", "arguments", "result"}`; `notices` say in sentences what was passed over or changed, and where.
    """

    kind: Kind
    tools: list[JSON]
    server_info: dict[str, JSON] = field(default_factory=dict)
    settings: dict[str, JSON] = field(default_factory=dict)
    background: str = ""
    demonstrations: list[dict[str, JSON]] = field(default_factory=list)
    notices: tuple[str, ...] = ()
