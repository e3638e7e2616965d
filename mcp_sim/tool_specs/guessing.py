"""What a tool list lets one guess about its server, as settings that a person can correct in `world.toml`."""

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import PurePath

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec, words

_VOLATILE = frozenset("clock date dice now poll random roll sleep time timestamp uuid wait".split())
_PYTHON = ("python", "uv", "uvx", "pipx", "pip", "poetry", "rye", "hatch", "conda")

_FILESYSTEM = (
    "create_directory directory_tree edit_file get_file_info list_allowed_directories list_directory list_directory_with_sizes "
    "move_file read_file read_media_file read_multiple_files read_text_file search_files write_file"
)
_MEMORY = (
    "add_observations create_entities create_relations delete_entities delete_observations delete_relations open_nodes read_graph "
    "search_nodes"
)
BEHAVIOURS: Mapping[str, tuple[frozenset[str], str, frozenset[str]]] = {
    "filesystem": (frozenset(_FILESYSTEM.split()), "read_text_file", frozenset(("path", "head", "tail"))),
    "memory": (frozenset(_MEMORY.split()), "add_observations", frozenset(("observations",))),
    "sqlite": (
        frozenset("append_insight create_table describe_table list_tables read_query write_query".split()),
        "describe_table",
        frozenset(("table_name",)),
    ),
    "time": (
        frozenset(("convert_time", "get_current_time")),
        "convert_time",
        frozenset(("source_timezone", "time", "target_timezone")),
    ),
    "sequential-thinking": (
        frozenset(("sequentialthinking",)),
        "sequentialthinking",
        frozenset(
            "branchFromThought branchId isRevision needsMoreThoughts nextThoughtNeeded revisesThought thought thoughtNumber "
            "totalThoughts".split()
        ),
    ),
    "fetch": (frozenset(("fetch",)), "fetch", frozenset(("max_length", "raw", "start_index", "url"))),
}
"""By behaviour: the tools of the server that it knows, and the arguments of one of them. Both must be the same."""

# The tools that make out a domain: at least half of a server's tools begin so.
_DOMAINS = {
    "web": ("browser", "puppeteer", "playwright", "chrome", "page"),
    "android": ("mobile", "adb", "android"),
    "terminal": ("bash", "terminal", "shell", "execute_command", "run_command"),
    "search": ("search", "web_search", "google_search", "brave_web_search", "websearch"),
}


def guess_settings(tools: Sequence[ToolSpec], title: str = "", command: Sequence[str] = (), *, recorded: bool = False) -> dict[str, JSON]:
    """Return settings for these tools; `command` is what started their server, where that is known.

    Where the server is `recorded`, what it began with is known only as far as it was asked, and its behaviour is told so.

    `errors` is guessed from the schemas' marks (zod's `$schema`, pydantic's titles) and else from what runs the server.
    """
    settings: dict[str, JSON] = {"title": title} if title else {}
    settings["domain"] = _domain(tools)
    settings["errors"] = _errors(tools, command)
    unmarked = [tool for tool in tools if not isinstance(tool.annotations.get("readOnlyHint"), bool)]
    mutating = [_literal(tool.name) for tool in unmarked if tool.mutates]
    if mutating:
        settings["mutating"] = mutating
    volatile = [_literal(tool.name) for tool in tools if _VOLATILE.intersection(words(tool.name))]
    behaviour = _behaviour(tools)
    if volatile and (recorded or behaviour != "time"):  # the world's clock stands still between changes, and the behaviour says so
        settings["volatile"] = volatile
    if behaviour and not (
        recorded and behaviour == "sequential-thinking"
    ):  # its server says that it only reads: a recording keeps no state
        settings["behaviours"] = {behaviour: {"recorded": True} if recorded else {}}
    return settings


def _behaviour(tools: Sequence[ToolSpec]) -> str | None:
    by_name = {tool.name: tool for tool in tools}
    for behaviour, (names, sample, arguments) in BEHAVIOURS.items():
        if by_name.keys() == names and _properties(by_name[sample]).keys() == arguments:
            if behaviour == "fetch" and find_spec("readabilipy") is None:  # it needs the extra `fetch`
                return None
            return behaviour
    return None


def _errors(tools: Sequence[ToolSpec], command: Sequence[str]) -> str:
    if any(str(tool.input_schema.get("title", "")).endswith("Arguments") for tool in tools):
        return "pydantic"
    if any("$schema" in tool.input_schema for tool in tools):
        return "zod"
    if any(isinstance(part, dict) and "title" in part for tool in tools for part in _properties(tool).values()):
        return "pydantic"
    return "jsonschema" if command and _runs_python(command[0]) else "zod"


def _runs_python(program: str) -> bool:
    name = PurePath(program).name.lower().removesuffix(".exe")
    return name.startswith("python") or name in _PYTHON or program == sys.executable


def _domain(tools: Sequence[ToolSpec]) -> str:
    for domain, beginnings in _DOMAINS.items():
        count = sum(tool.name.lower().startswith(beginnings) for tool in tools)
        if tools and count * 2 >= len(tools):
            return domain
    return "mcp"


def _properties(tool: ToolSpec) -> dict[str, JSON]:
    properties = tool.input_schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _literal(name: str) -> str:
    """The name as a glob that matches nothing else."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)
