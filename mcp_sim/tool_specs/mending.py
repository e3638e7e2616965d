"""Each tool of a list made fit to be served, by itself: what one author did wrong never costs the tools of the others."""

import unicodedata
from collections.abc import Iterable
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import LeftOut
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, kind, shown
from mcp_sim.tool_specs.root_schemas import mend_input, mend_output

MAX_NAME_CHARACTERS = 128
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def mend_all(raw_tools: Iterable[JSON]) -> tuple[tuple[ToolSpec, ...], tuple[LeftOut, ...]]:
    """Mend every tool of a list by itself; of two tools with one name the first is kept."""
    tools: dict[str, ToolSpec] = {}
    left_out: list[LeftOut] = []
    for position, raw in enumerate(raw_tools, start=1):
        tool = mend(raw, f"(tool {position} of the list)")
        if isinstance(tool, LeftOut):
            left_out.append(tool)
        elif tool.name in tools:
            left_out.append(LeftOut(name=tool.name, reason=f"Tool {position} of the list has the same name as one before it."))
        else:
            tools[tool.name] = tool
    return tuple(tools.values()), tuple(left_out)


def mend(raw: JSON, nameless: str = "(no name)") -> ToolSpec | LeftOut:
    """Return the tool with what clients would choke on repaired, or why it cannot be served.

    The Python SDK refuses a whole list, and the TypeScript SDK loses it, for one tool whose known keys have the wrong type
    (mcp 2.3.0; @modelcontextprotocol/sdk 1.32.2 `ToolSchema`). Unknown keys stay as they are.
    """
    if not isinstance(raw, dict):
        return LeftOut(name=nameless, reason=f"It is {kind(raw)}, not an object.")
    name: Any = raw.get("name")
    if reason := _name_flaw(name):
        return LeftOut(name=shown(name) if isinstance(name, str) and name else nameless, reason=reason)
    if reason := flaw(raw):
        return LeftOut(name=name, reason=f"It cannot be sent as JSON: {reason}.")
    definition, mended = dict(raw), list[str]()
    try:
        mend_input(definition, mended)
    except SetupError as error:
        return LeftOut(name=name, reason=f"The input schema cannot be used: {error}")
    mend_output(definition, mended)
    _mend_texts(definition, mended)
    _mend_execution(definition, mended)
    return ToolSpec(
        name=name,
        description=definition.get("description", ""),
        input_schema=definition["inputSchema"],
        output_schema=definition.get("outputSchema"),
        annotations=definition.get("annotations", {}),
        definition=definition,
        mended=tuple(mended),
    )


def _name_flaw(name: JSON) -> str | None:
    if name is None:
        return "It has no name."
    if not isinstance(name, str):
        return f"Its name is {kind(name)}, not a text."
    if not name.strip():
        return "Its name is empty."
    if len(name) > MAX_NAME_CHARACTERS:
        return f"Its name has {len(name)} characters; at most {MAX_NAME_CHARACTERS} are allowed."
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return "Its name holds a control character."
    return None


def _mend_texts(definition: dict[str, JSON], mended: list[str]) -> None:
    for key, expected in (("title", str), ("description", str), ("annotations", dict), ("_meta", dict), ("icons", list)):
        if key in definition and not isinstance(definition[key], expected):
            mended.append(f"{key} was removed: it is {kind(definition[key])}.")
            del definition[key]
    if not all(_is_icon(icon) for icon in definition.get("icons", ())):
        mended.append("icons were removed: each needs a src, and mimeType, sizes and theme of the right type.")
        del definition["icons"]
    annotations = definition.get("annotations", {})
    wrong = [key for key in _HINTS if key in annotations and not isinstance(annotations[key], bool)]
    wrong += ["title"] if not isinstance(annotations.get("title", ""), str) else []
    if wrong:
        mended.append(f"annotations lost {', '.join(wrong)}: the wrong type.")
        definition["annotations"] = {key: value for key, value in annotations.items() if key not in wrong}


def _is_icon(icon: JSON) -> bool:
    if not isinstance(icon, dict) or not isinstance(icon.get("src"), str) or not isinstance(icon.get("mimeType", ""), str):
        return False
    sizes = icon.get("sizes", [])
    return isinstance(sizes, list) and all(isinstance(size, str) for size in sizes) and icon.get("theme", "light") in ("light", "dark")


def _mend_execution(definition: dict[str, JSON], mended: list[str]) -> None:
    if "execution" not in definition:
        return
    execution = definition["execution"]
    if not isinstance(execution, dict):
        mended.append(f"execution was removed: it is {kind(execution)}.")
        del definition["execution"]
    elif execution.get("taskSupport", "forbidden") != "forbidden":
        # why: the TypeScript SDK refuses to call such a tool plainly, and tasks are not served
        mended.append(f"execution.taskSupport {shown(execution['taskSupport'])} was removed: there are no tasks here.")
        rest = {key: value for key, value in execution.items() if key != "taskSupport"}
        if rest:
            definition["execution"] = rest
        else:
            del definition["execution"]
