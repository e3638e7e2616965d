"""A mended world, written beside the old one."""

import json
from pathlib import Path
from typing import Any

from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.linting.mended import Mended
from mcp_sim.tool_specs.world_files import read_texts
from mcp_sim.tool_specs.world_folder import write_files


def write_mended(world: World, source: Path | None, mended: Mended, out: Path) -> list[str]:
    """Write the mended tools to a file (`.json`) or a world folder, and return notices about what has to be changed by hand.

    A folder holds the other files of `source` as well; where tools or arguments are now called otherwise, its recorded calls are too.

    Raises:
        SetupError: `out` exists, or cannot be written.
    """
    text = json.dumps({"tools": mended.definitions}, indent=2, ensure_ascii=False) + "\n"
    if out.suffix.lower() == ".json":
        if out.exists():
            raise SetupError(f"{out}: exists already. Choose another place.")
        try:
            out.write_text(text, encoding="utf-8", newline="\n")
        except (OSError, UnicodeEncodeError) as error:
            raise SetupError(f"{out}: cannot be written: {error}.") from error
        return []
    texts = {} if source is None else read_texts(source)
    for name in ("demonstrations.jsonl", "frozen.jsonl"):
        if name in texts:
            texts[name] = _renamed_lines(texts[name], mended)
    if "server.json" not in texts and (world.server_info or world.instructions):
        said: dict[str, Any] = {"serverInfo": world.server_info} if world.server_info else {}
        said |= {"instructions": world.instructions} if world.instructions else {}
        texts["server.json"] = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    write_files(out, {**texts, "tools.json": text})
    settings = texts.get("world.toml", "")
    return [f"world.toml speaks of {old}, which is now {new}." for old, new in mended.tool_names.items() if old in settings]


def _renamed_lines(text: str, mended: Mended) -> str:
    if not mended.tool_names and not mended.argument_names:
        return text
    lines = []
    for line in text.split("\n"):
        if line.strip():
            call = json.loads(line)
            name, arguments = call.get("name"), call.get("arguments")
            names = mended.argument_names.get(name, {})
            if isinstance(arguments, dict) and names:
                call["arguments"] = {names.get(key, key): value for key, value in arguments.items()}
            if name in mended.tool_names:  # a line about a resource or a prompt has no tool's name
                call["name"] = mended.tool_names[name]
            line = json.dumps(call, ensure_ascii=False)
        lines.append(line)
    return "\n".join(lines)
