"""Lists of functions as model APIs take them: OpenAI's two forms and Anthropic's."""

from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.gemini import declarations_of, read_declaration
from mcp_sim.tool_specs.importing.imported import Imported, Kind
from mcp_sim.tool_specs.importing.naming import Names
from mcp_sim.tool_specs.json_text import kind, shown
from mcp_sim.tool_specs.listing import MOST_TOOLS, read_listing, read_server


def detect_list(value: JSON) -> Kind | None:
    """Tell whose function list it is by the shape of its entries; `None` where it is none."""
    entries = entries_of(value)
    if entries is None:
        return "mcp" if _is_listing(value) else None
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        if declarations_of(entry) is not None or "parametersJsonSchema" in entry:
            return "gemini"
        if "inputSchema" in entry:
            return "mcp"
        if "input_schema" in entry:
            return "anthropic"
        if isinstance(entry.get("function"), dict) or entry.get("type") == "function":
            return "openai"
        if isinstance(entry.get("parameters"), dict):
            return "gemini" if str(entry["parameters"].get("type", "")).isupper() else "openai"
    return "mcp" if _is_listing(value) else None


def entries_of(value: JSON) -> list[JSON] | None:
    """Return the entries of a list, or of a request's `tools` or `functions`; `None` where there are none."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for key in ("tools", "functions"):
            if isinstance(value.get(key), list):
                listed: list[JSON] = value[key]
                return listed
            if isinstance(value.get(key), dict):
                return [value[key]]
        if declarations_of(value) is not None or isinstance(value.get("name"), str) or isinstance(value.get("function"), dict):
            return [value]
    return None


def read_function_list(value: JSON, where: str, form: Kind) -> Imported:
    """Return the tools of a list in the form of OpenAI (both APIs), Anthropic, Gemini or MCP.

    Tools that the model's provider runs itself (web search, code execution, ...) have no schema and are passed over.

    Raises:
        SetupError: it is no list, or nothing in it is a function.
    """
    if form == "mcp":
        listing = read_listing(value, where)
        info, _, remarks = read_server(value["initialize"]) if isinstance(value, dict) and "initialize" in value else ({}, None, ())
        return Imported(kind="mcp", tools=listing.tools, server_info=info or listing.server_info, notices=(*listing.notices, *remarks))
    entries = entries_of(value)
    if entries is None:
        raise SetupError(f'{where}: holds {kind(value)} without "tools" or "functions", no list of functions.')
    notices: list[str] = []
    tools: list[JSON] = []
    names = Names()
    for number, entry in enumerate(_flat(entries) if form == "gemini" else entries, start=1):
        read = read_declaration(entry) if form == "gemini" else _read_function(entry, form)
        if read is None:
            notices.append(f"Entry {number} {_told(entry)} is no function with a schema; it was passed over.")
            continue
        name = names.tool(read["name"])
        if name != read["name"]:
            notices.append(f"Entry {number} {shown(read['name'])} is now called {name}: the name was taken, or holds what clients refuse.")
        tools.append({**read, "name": name})
    if len(tools) > MOST_TOOLS:
        raise SetupError(f"{where}: holds {len(tools)} functions; at most {MOST_TOOLS} are read. Split the list.")
    if not tools:
        first = notices[0] if notices else "The list is empty."
        raise SetupError(f"{where}: none of its {len(entries)} entries is a function in the form of {form}. {first}")
    return Imported(kind=form, tools=tools, settings={"errors": "jsonschema"}, notices=tuple(notices))


def _read_function(entry: JSON, form: Kind) -> dict[str, Any] | None:
    if not isinstance(entry, dict):
        return None
    said: dict[str, Any] = entry["function"] if form == "openai" and isinstance(entry.get("function"), dict) else entry
    schema = said.get("input_schema" if form == "anthropic" else "parameters")
    is_function = said is not entry or entry.get("type", "function") in ("function", "custom")
    if not isinstance(said.get("name"), str) or not said["name"].strip() or not is_function:
        return None
    if schema is None and (form == "anthropic" or entry.get("type") == "custom"):
        return None
    tool: dict[str, Any] = {"name": said["name"]}
    if isinstance(said.get("description"), str):
        tool["description"] = said["description"]
    tool["inputSchema"] = schema if isinstance(schema, dict) and schema else {"type": "object", "properties": {}}
    if isinstance(said.get("output_schema"), dict):
        tool["outputSchema"] = said["output_schema"]
    return tool


def _flat(entries: list[JSON]) -> list[JSON]:
    flat: list[JSON] = []
    for entry in entries:
        declared = declarations_of(entry)
        flat += [entry] if declared is None else declared
    return flat


def _is_listing(value: JSON) -> bool:
    parts = value if isinstance(value, list) else [value]
    return any(isinstance(part, dict) and (isinstance(part.get("result"), dict) or isinstance(part.get("tools"), list)) for part in parts)


def _told(entry: JSON) -> str:
    name = entry.get("name", entry.get("type")) if isinstance(entry, dict) else entry
    return f"({shown(name)})"
