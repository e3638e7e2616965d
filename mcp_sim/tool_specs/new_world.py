"""A new world: a commented skeleton, or a copy of another one."""

from pathlib import Path

from mcp_sim.tool_specs.settings_edit import change_settings
from mcp_sim.tool_specs.settings_file import read_settings
from mcp_sim.tool_specs.world_files import read_texts
from mcp_sim.tool_specs.world_folder import write_files

_CONTENT = ("background.md", "state.json", "demonstrations.jsonl", "frozen.jsonl")
_TOOLS = """{
  "tools": [
    {
      "name": "get_order",
      "description": "Look up one order by its number.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "order_number": {"type": "string", "description": "For example A-1042."}
        },
        "required": ["order_number"]
      },
      "outputSchema": {
        "type": "object",
        "properties": {
          "order_number": {"type": "string"},
          "customer": {"type": "string"},
          "status": {"type": "string", "enum": ["open", "shipped", "cancelled"]},
          "total": {"type": "number"}
        },
        "required": ["order_number", "status"]
      },
      "annotations": {"readOnlyHint": true}
    }
  ]
}
"""
_SETTINGS = """# The settings of this world. Every line may go: what is not said here is worked out from the tools.
title = "%s"

# How refusals are worded: "zod" (TypeScript servers), "pydantic" (Python servers) or "jsonschema".
# errors = "zod"

# Which tools change state, or only read, where their annotations and names tell the wrong thing; globs.
# mutating = ["submit_*"]
# reading = ["query_*"]

# Tools that answer differently each time: clocks, random numbers, polling.
# volatile = ["get_time"]

# The world's time before anything has happened in it.
# clock = 2026-01-01T09:00:00Z

# Code that answers instead of imagination, where these are the tools of a server that it knows:
# filesystem, memory, sqlite, search, fetch, time, sequential-thinking.
# [behaviours.filesystem]

# What a tool does with what, where it is worked out wrongly.
# [tools.get_order]
# kind = "get"
# resource = "order"
# id = "order_number"
"""
_BACKGROUND = """# What is true in this world

Write here what every answer must agree with: who and what there is, names, dates, numbers, how things are related.

- The shop is called Larkfield Supplies. Its customers are schools.
- Orders are numbered A-1001, A-1002, ...; order A-1042 was placed by Ida Norling and shipped on 2025-12-19.
"""


def scaffold_world(folder: Path, name: str) -> None:
    """Write a world with one example tool, commented settings and a background to fill in.

    Raises:
        SetupError: the folder exists or cannot be written.
    """
    write_files(folder, {"tools.json": _TOOLS, "world.toml": _SETTINGS % name, "background.md": _BACKGROUND})


def copy_world(source: Path, folder: Path, *, bare: bool = False) -> None:
    """Write a copy of a world folder: the files that make a world, and no others.

    A `bare` copy has the tools and settings only: nothing that says what is true in the world or shows it.

    Raises:
        SetupError: the folder exists, or a file cannot be read or written.
    """
    texts = read_texts(source)
    if not bare:
        write_files(folder, texts)
        return
    shared = read_settings(source / "world.toml").shared if "world.toml" in texts else ()
    write_files(folder, {name: text for name, text in texts.items() if name not in (*_CONTENT, *shared)})
    change_settings(folder, {"title": folder.name, **({"shared": []} if shared else {})})
