"""A few settings of a `world.toml` changed, everything else in it left as its author wrote it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import read_text
from mcp_sim.tool_specs.settings_file import settings_of
from mcp_sim.tool_specs.world_folder import write_files


def change_settings(folder: Path, changes: Mapping[str, JSON]) -> None:
    """Set these settings in a world folder's `world.toml`: tables are merged, all else is replaced. Written whole or not at all.

    Raises:
        SetupError: the file is not TOML, a setting is unknown, or it cannot be written.
    """
    path = folder / "world.toml"
    try:
        document = tomlkit.parse(read_text(path)) if path.exists() else tomlkit.document()
        _merge(document, changes)
    except (TOMLKitError, TypeError) as error:
        raise SetupError(f"{path}: cannot be changed: {error}. Mend it first.") from error
    text = tomlkit.dumps(document)
    settings_of(tomlkit.parse(text).unwrap(), str(path), text)
    write_files(folder, {"world.toml": text}, replace=True)


def _merge(table: Any, changes: Mapping[str, JSON]) -> None:
    for key, value in changes.items():
        if isinstance(value, Mapping):
            if key not in table:
                table[key] = tomlkit.inline_table() if isinstance(table, InlineTable) else tomlkit.table()
            _merge(table[key], value)
        else:
            table[key] = value
