"""What a world holds, in few words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import State
from mcp_sim.core.world import World
from mcp_sim.tool_specs.world_files import FILES

_MOST_NAMES = 200


def describe_world(world: World, folder: Path | None) -> dict[str, JSON]:
    """Return the facts about a world under headings that people read: texts, lists of lines, or tables of two columns."""
    settings = world.settings
    changing = [tool.name for tool in world.tools if tool.mutates]
    facts: dict[str, JSON] = {
        "world": world.name,
        "title": settings.title,
        "from": str(folder or world.source),
        "files": {name: _size(folder / name) for name in FILES if (folder / name).is_file()} if folder else {},
        "server": " ".join(str(world.server_info[key]) for key in ("name", "version") if key in world.server_info),
        "domain": settings.domain,
        "behaviours": list(settings.behaviours),
        "tools": {
            "served": len(world.tools),
            "changing state": f"{len(changing)} ({_names(changing)})" if changing else 0,
            "with an output schema": sum(tool.output_schema is not None for tool in world.tools),
            "mended": sum(bool(tool.mended) for tool in world.tools),
            "left out": len(world.left_out),
        },
        "background": f"{len(world.background):,} characters" if world.background else "",
        "answers": {"demonstrations": len(world.demonstrations), "frozen": len(world.frozen)},
        "first state": describe_state(world.first_state),
        "notices": list(world.notices),
    }
    return facts


def describe_state(state: State) -> dict[str, JSON]:
    """Return, for each part of a state, how much it holds."""
    return {key: _told(state[key]) for key in sorted(state)}


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = {key: value[key] for key in sorted(value)}
        if "tree" in parts:
            return f"{_count_files(parts['tree']):,} files under {', '.join(map(str, parts.get('allowed', ())))}"
        if parts and len(parts) <= 8 and all(isinstance(part, Mapping | list) for part in parts.values()):
            return ", ".join(f"{key} ({len(part):,})" for key, part in parts.items())
        return f"{len(parts):,} entries"
    return f"{len(value):,} entries" if isinstance(value, list) else str(value)[:80]


def _count_files(node: Any) -> int:
    count, stack = 0, [node]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            count += "/text" in node or "/base64" in node
            stack.extend(node[key] for key in node if not key.startswith("/"))
    return count


def _names(names: list[str]) -> str:
    text = ", ".join(names)
    return text if len(text) <= _MOST_NAMES else f"{text[:_MOST_NAMES].rpartition(', ')[0]}, ..."


def _size(path: Path) -> str:
    return f"{path.stat().st_size:,} B"
