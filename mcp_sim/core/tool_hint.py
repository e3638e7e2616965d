"""What a world says about a tool, where its name and schema tell too little or the wrong thing."""

from typing import Literal

from mcp_sim.core.model import Frozen

ToolKind = Literal["create", "get", "list", "search", "update", "delete", "count", "add-member", "remove-member", "other"]
"""What a tool does with its resource. `other`: nothing that code could follow."""


class ToolHint(Frozen):
    """A `[tools.<name>]` table of `world.toml`. What is not said there is worked out.

    `resource` is a singular noun (`pull_request`); `id` is the argument that names one of them; `parents` are the arguments that name what
    it belongs to, outermost first (`["owner", "repo"]`); `fields` and `filters` are the arguments that are kept or that select.
    """

    kind: ToolKind | None = None
    resource: str | None = None
    id: str | None = None
    parents: tuple[str, ...] | None = None
    fields: tuple[str, ...] | None = None
    filters: tuple[str, ...] | None = None
