"""A list of tools as the named clients take it."""

import re
from dataclasses import dataclass, field
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.tool_specs.linting.finding import Client
from mcp_sim.tool_specs.linting.mended_schema import mend_schema
from mcp_sim.tool_specs.linting.names import ARGUMENT_NAME, CURSOR_FULL_NAME, GEMINI_NAME, PLAIN_NAME
from mcp_sim.tool_specs.linting.texts import CLAUDE_TEXT, OPENAI_TEXT

_CLAUDE_FULL = 64  # what older versions take; the prefix counts


@dataclass(frozen=True)
class Mended:
    """Definitions after mending, what was changed in sentences, and the new names: of tools, and of arguments by a tool's old name."""

    definitions: list[dict[str, JSON]]
    changes: list[str]
    tool_names: dict[str, str] = field(default_factory=dict)
    argument_names: dict[str, dict[str, str]] = field(default_factory=dict)


def mend_for(world: World, clients: tuple[Client, ...], server: str | None = None) -> Mended:
    """Return a world's tools with everything changed that these clients would refuse, hide or cut and that can be changed.

    What cannot be: the number of tools, and a missing description.
    """
    taken = {tool.name for tool in world.tools}
    changes: list[str] = []
    definitions: list[dict[str, JSON]] = []
    tool_names: dict[str, str] = {}
    argument_names: dict[str, dict[str, str]] = {}
    for tool in world.tools:
        definition: dict[str, Any] = dict(tool.definition)
        name = _tool_name(tool.name, clients, server or world.name, taken)
        if name != tool.name:
            tool_names[tool.name] = definition["name"] = name
            changes.append(f"{tool.name}: is now called {name}.")
        schema, remarks, choices = mend_schema(tool.input_schema, clients)
        schema, renamed = _rename_arguments(schema) if "claude" in clients else (schema, {})
        if renamed:
            argument_names[tool.name] = renamed
            changes += [f"{tool.name}: the argument {old} is now called {new}." for old, new in renamed.items()]
        definition["inputSchema"] = schema
        said = [
            f"Give {one} of these: {'; or '.join(', '.join(renamed.get(name, name) for name in group) for group in groups)}."
            for one, groups in choices
        ]
        description = "\n\n".join(part for part in (tool.description, *said) if part)
        most = min([CLAUDE_TEXT] * ("claude" in clients) + [OPENAI_TEXT] * ("openai" in clients), default=len(description))
        if len(description) > most:
            remarks.append(f"the description was cut from {len(description)} to {most} characters.")
            description = _cut(description, most)
        if description != tool.description:
            definition["description"] = description
        changes += [f"{tool.name}: {remark}" for remark in remarks]
        definitions.append(definition)
    return Mended(definitions, changes, tool_names, argument_names)


def _tool_name(name: str, clients: tuple[Client, ...], server: str, taken: set[str]) -> str:
    wanted = name
    if not PLAIN_NAME.fullmatch(name) and any(client != "gemini" for client in clients):
        wanted = re.sub(r"[^a-zA-Z0-9_-]+", "_", name).strip("_") or "tool"
    if "gemini" in clients and not GEMINI_NAME.fullmatch(wanted):
        wanted = re.sub(r"[^a-zA-Z0-9_.:-]+", "_", wanted)
        wanted = wanted if GEMINI_NAME.match(wanted) else f"_{wanted}"
    most = 64
    if "claude" in clients:
        most = min(most, _CLAUDE_FULL - len(f"mcp__{server}__"))
    if "cursor" in clients:
        most = min(most, CURSOR_FULL_NAME - len(f"{server}:"))
    most = max(most, 8)  # a server's name may be too long by itself; the tool's cannot make up for it
    if wanted == name and len(name) <= most:
        return name
    base, number = wanted[:most].rstrip("_-") or "tool", 1
    free = base
    while free in taken:
        number += 1
        free = f"{base[: most - len(str(number)) - 1]}_{number}"
    taken.add(free)
    return free


def _rename_arguments(schema: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return schema, {}
    renamed: dict[str, str] = {}
    taken = set(properties)
    for name in properties:
        if not ARGUMENT_NAME.fullmatch(name):
            base = re.sub(r"[^a-zA-Z0-9_.-]+", "_", name).strip("_")[:60] or "argument"
            new, number = base, 1
            while new in taken:
                number += 1
                new = f"{base}_{number}"
            taken.add(new)
            renamed[name] = new
    if not renamed:
        return schema, {}
    changed = {**schema, "properties": {renamed.get(name, name): part for name, part in properties.items()}}
    if isinstance(schema.get("required"), list):
        changed["required"] = [renamed.get(name, name) for name in schema["required"]]
    return changed, renamed


def _cut(text: str, most: int) -> str:
    kept = text[: most - 4]
    end = max(kept.rfind(". "), kept.rfind("\n"))
    return (kept[: end + 1] if end > most // 2 else kept).rstrip() + " ..."
