"""Slips of the pen in a world's files that would otherwise be accepted in silence."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import Settings
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import kind, shown
from mcp_sim.tool_specs.suggestion import suggest

_STATE_KEYS = ("collections", "entities", "documents", "filesystem", "memory", "sqlite", "notes", "screen", "counters", "forms")
"""What is read of a first state here. Behaviours of others may read more, so that only what is nearly one of these is spoken of."""
_NEAR = 0.75
_MOST_NODES = 5_000


def check_hints(settings: Settings, tools: Mapping[str, ToolSpec], path: Path) -> None:
    """See that what `[tools.NAME]` says of arguments speaks of arguments (or fields of the answer) that the tool has.

    Raises:
        SetupError: it does not.
    """
    for name, hint in settings.tools.items():
        tool = tools.get(name)
        known = [] if tool is None else list(dict.fromkeys([*_fields(tool.input_schema), *_fields(tool.output_schema)]))
        if tool is None or (not known and tool.input_schema.get("additionalProperties") is not False):
            continue
        said = (("id", (hint.id,)), ("parents", hint.parents), ("fields", hint.fields), ("filters", hint.filters))
        for key, names in said:
            for argument in names or ():
                if argument and argument not in known:
                    place = f"{path}: tools.{name}.{key}"
                    raise SetupError(f"{place}: {shown(argument)} is no argument of {name}. {suggest(argument, known)}")


def check_state(state: Mapping[str, JSON], path: Path) -> list[str]:
    """Return notices about what nothing reads, most likely.

    Raises:
        SetupError: the collections are no lists of objects.
    """
    collections: Any = state.get("collections", {})
    example = '{"orders": [{"id": 1}]}'
    if not isinstance(collections, dict):
        raise SetupError(f"{path}: collections is {kind(collections)}; it is an object of lists, like {example}.")
    for name, records in collections.items():
        if not isinstance(records, list):
            raise SetupError(f"{path}: collections.{name} is {kind(records)}; it is a list of objects, like {example}.")
        for position, record in enumerate(records):
            if not isinstance(record, dict):
                raise SetupError(f"{path}: collections.{name}[{position}] is {kind(record)}, not an object.")
    near = {key: get_close_matches(key, _STATE_KEYS, 1, _NEAR) for key in state if key not in _STATE_KEYS}
    return [f"{path.name}: nothing here reads {shown(key)}. Did you mean {found[0]}?" for key, found in near.items() if found]


def _fields(schema: JSON) -> Iterator[str]:
    """Return the names of all properties in a schema, however deep."""
    stack, seen = [schema], 0
    while stack and seen < _MOST_NODES:
        node, seen = stack.pop(), seen + 1
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict):
                yield from node["properties"]
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
