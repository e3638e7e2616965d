"""A tool list in any of the shapes that people have."""

from dataclasses import dataclass, field

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, kind

MOST_TOOLS = 50_000
_SERVER_INFO_META = "io.modelcontextprotocol/serverInfo"  # where revision 2026-07-28 puts it, there being no initialize
_SHAPES = (
    'a list of tools, {"tools": [...]}, a JSON-RPC response of tools/list, a list of such responses, or {"initialize": ..., "tools": [...]}'
)


@dataclass(frozen=True)
class Listing:
    """The raw tools of one server, and what it said of itself."""

    tools: list[JSON]
    server_info: dict[str, JSON] = field(default_factory=dict)
    instructions: str | None = None
    notices: tuple[str, ...] = ()


def read_listing(value: JSON, where: str) -> Listing:
    """Find the tools in a JSON value: a bare list, `{"tools": [...]}`, JSON-RPC responses, or a capture with `server` or `initialize`.

    Raises:
        SetupError: the value has none of these shapes, or more than `MOST_TOOLS` tools.
    """
    listing = _find(value, where)
    if len(listing.tools) > MOST_TOOLS:
        raise SetupError(f"{where}: holds {len(listing.tools)} tools; at most {MOST_TOOLS} are read. Split the list.")
    return listing


def _find(value: JSON, where: str) -> Listing:
    if isinstance(value, list):
        if value and all(isinstance(item, dict) and _is_page(item) for item in value):
            return _joined(value, where)
        return Listing(tools=value)
    if not isinstance(value, dict):
        raise SetupError(f"{where}: holds {kind(value)}, no tool list. Expected {_SHAPES}.")
    if isinstance(value.get("result"), dict):
        value = value["result"]
    tools = value.get("tools")
    if isinstance(tools, list):
        return _of_page(value, tools)
    if "tools" in value:
        raise SetupError(f'{where}: "tools" is {kind(tools)}, not a list. Expected {_SHAPES}.')
    if isinstance(value.get("error"), dict):
        raise SetupError(f"{where}: holds an error response, no tool list. Ask the server again.")
    if "mcpServers" in value or "servers" in value:
        raise SetupError(f"{where}: is a client's configuration, no tool list. Capture a server first: mcp-sim capture NAME -- COMMAND.")
    raise SetupError(f'{where}: an object without "tools" is no tool list. Expected {_SHAPES}.')


def read_server(value: JSON) -> tuple[dict[str, JSON], str | None, tuple[str, ...]]:
    """Read an `initialize` (or `server/discover`) result: server info, instructions, and notices about what was unusable."""
    notices = []
    if not isinstance(value, dict):
        return {}, None, (f"The initialize result is {kind(value)}, not an object: ignored.",)
    meta = value.get("_meta")
    info = value.get("serverInfo") or (meta.get(_SERVER_INFO_META) if isinstance(meta, dict) else None) or {}
    if info and not _is_server_info(info):
        notices.append("The server info needs a name and a version that are text: ignored.")
        info = {}
    instructions = value.get("instructions")
    if instructions is not None and (not isinstance(instructions, str) or flaw(instructions)):
        notices.append("The instructions are not text: ignored.")
        instructions = None
    return info or {}, instructions, tuple(notices)


def _of_page(page: dict[str, JSON], tools: list[JSON]) -> Listing:
    info: dict[str, JSON] = {}
    instructions: str | None = None
    notices: tuple[str, ...] = ()
    if page.get("initialize") is not None:
        info, instructions, notices = read_server(page["initialize"])
    meta = page.get("_meta")
    for candidate in (page.get("serverInfo"), page.get("server"), meta.get(_SERVER_INFO_META) if isinstance(meta, dict) else None):
        if not info and isinstance(candidate, dict) and _is_server_info(candidate):
            info = candidate
    if page.get("nextCursor"):
        notices += ("The list says that the server has more pages (nextCursor); they are not in this file.",)
    return Listing(tools, info, instructions, notices)


def _is_page(item: dict[str, JSON]) -> bool:
    return isinstance(item.get("result"), dict) or isinstance(item.get("tools"), list)


def _joined(items: list[dict[str, JSON]], where: str) -> Listing:
    tools: list[JSON] = []
    info: dict[str, JSON] = {}
    instructions: str | None = None
    notices: tuple[str, ...] = ()
    for item in items:
        result = item["result"] if isinstance(item.get("result"), dict) else item
        if "tools" not in result:
            found, said, remarks = read_server(result)
        else:
            page = _find({key: part for key, part in result.items() if key not in ("nextCursor", "result")}, where)
            tools += page.tools
            found, said, remarks = page.server_info, page.instructions, page.notices
        info, instructions, notices = info or found, instructions or said, notices + remarks
    if not any("tools" in (item["result"] if isinstance(item.get("result"), dict) else item) for item in items):
        raise SetupError(f"{where}: none of the responses holds tools. Expected {_SHAPES}.")
    return Listing(tools, info, instructions, notices)


def _is_server_info(value: JSON) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("version"), str) and flaw(value) is None
