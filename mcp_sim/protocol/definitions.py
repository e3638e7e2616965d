"""What a world tells a client about itself, as raw wire JSON."""

from functools import lru_cache

from mcp_sim import __version__
from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import World

PAGE_SIZE = 500
"""Tools in one page of `tools/list`: more than any server in the wild has, since some clients read only the first page."""


def server_info(world: World) -> dict[str, JSON]:
    """Return the `serverInfo` that the world's server sent, or one of our own."""
    return {"name": world.name, "version": __version__, **world.server_info}


def capabilities(world: World) -> dict[str, JSON]:
    """Return what the world says it can do: as its server said, without what is not simulated."""
    said = world.offers.capabilities or {}
    offered = {"tools": True, "resources": world.offers.has_resources, "prompts": world.offers.has_prompts}
    served: dict[str, JSON] = {**said, **{name: {} for name, is_offered in offered.items() if is_offered and name not in said}}
    return served


def list_offers(world: World, method: str) -> dict[str, JSON] | None:
    """Return the world's own part of the result of a list method other than that of the tools, `None` for other methods."""
    lists: dict[str, dict[str, JSON]] = {
        "resources/list": {"resources": list(world.offers.resources)},
        "resources/templates/list": {"resourceTemplates": list(world.offers.templates)},
        "prompts/list": {"prompts": list(world.offers.prompts)},
    }
    return lists.get(method)


def is_modern(protocol_version: str) -> bool:
    """Whether this revision is of the era without handshake (2026-07-28 on)."""
    return protocol_version >= "2026-07-28"


def describe_tool(tool: ToolSpec, *, modern: bool) -> dict[str, JSON]:
    """Return the tool's definition for an era: before 2026-07-28 an output schema must be of an object, so others are left out."""
    if modern or not has_plain_output(tool):
        return tool.definition
    return {key: value for key, value in tool.definition.items() if key != "outputSchema"}


def has_plain_output(tool: ToolSpec) -> bool:
    """Whether structured content of this tool need not be an object, which eras before 2026-07-28 cannot carry."""
    schema = tool.output_schema
    return schema is not None and not (isinstance(schema, dict) and schema.get("type") == "object")


def list_tools(world: World, cursor: str | None, *, modern: bool) -> dict[str, JSON] | None:
    """Return the page of tools at the cursor, with `nextCursor` where there are more; `None` if the cursor is not one of ours."""
    start = 0 if cursor is None else _read_cursor(cursor)
    if start is None or (cursor is not None and not 0 < start < len(world.tools)):
        return None
    page: dict[str, JSON] = {"tools": [describe_tool(tool, modern=modern) for tool in world.tools[start : start + PAGE_SIZE]]}
    if start + PAGE_SIZE < len(world.tools):
        page["nextCursor"] = f"tools-{start + PAGE_SIZE}"
    return page


@lru_cache(maxsize=64)
def _read_cursor(cursor: str) -> int | None:
    prefix, _, number = cursor.partition("-")
    return int(number) if prefix == "tools" and number.isascii() and number.isdecimal() and len(number) < 10 else None
