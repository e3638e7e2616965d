"""A captured server as a world of the user's own."""

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.capture import Captured
from mcp_sim.tool_specs.guessing import guess_settings
from mcp_sim.tool_specs.listing import read_server
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.offered_lists import LISTS
from mcp_sim.tool_specs.secrets import redact
from mcp_sim.tool_specs.world_folder import load_world, write_world


def keep_captured(
    captured: Captured, folder: Path, *, command: Sequence[str] = (), secrets: Collection[str] = (), replace: bool = False
) -> tuple[World, bool]:
    """Write the lists as sent, with settings that were guessed from them; return the world, and whether a secret had to be left out.

    Raises:
        SetupError: the folder exists (without `replace`), or the world cannot be written or read again.
    """
    tools, server = redact(captured.tools, secrets), redact(captured.server, secrets)
    lists: dict[str, JSON] = {method: redact(result, secrets) for method, result in captured.lists.items()}
    for method, file in LISTS.items():
        if method not in lists and (folder / file).exists():  # of a capture before
            lists[method] = {}
    listed: Any = tools.get("tools")
    served, _ = mend_all(listed if isinstance(listed, list) else [])
    info, _, _ = read_server(server)
    settings = guess_settings(served, str(info.get("title") or info.get("name") or ""), command)
    state: dict[str, JSON] | None = None
    if "filesystem" in settings.get("behaviours", {}):
        allowed = [text for text in command[1:] if Path(text).is_absolute() and Path(text).is_dir()]
        state = {"filesystem": {"allowed": allowed}} if allowed else None
    keeps_settings = replace and (folder / "world.toml").exists()  # they may have been corrected
    write_world(
        folder,
        listing=tools,
        server=server,
        lists=lists,
        settings=None if keeps_settings else settings,
        state=None if (folder / "state.json").exists() else state,
        replace=replace,
    )
    is_redacted = (tools, server, lists) != (captured.tools, captured.server, {**lists, **captured.lists})
    try:
        return load_world(folder), is_redacted
    except SetupError:
        if not replace:  # nobody could serve it, and it would stand in the way of another try
            shutil.rmtree(folder, ignore_errors=True)
        raise
