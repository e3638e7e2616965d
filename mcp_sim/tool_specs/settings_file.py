"""`world.toml`: the settings of a world."""

import json
import re
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model_settings import ModelSettings
from mcp_sim.core.tool_hint import ToolHint
from mcp_sim.core.world import Settings
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, read_text
from mcp_sim.tool_specs.suggestion import suggest

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_settings(path: Path) -> Settings:
    """Return the settings in a `world.toml`; its keys are the fields of `Settings`.

    Raises:
        SetupError: the file is not TOML, a key is unknown, or a value has the wrong type.
    """
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = (place and place[1]) or text.count("\n") + 1
        raise SetupError(f"{path}:{line}: is not TOML: {_PLACE.sub('', str(error))}.") from error
    except (RecursionError, ValueError) as error:  # a number of more digits than Python converts
        raise SetupError(f"{path}: holds a value that is nested too deeply or too long.") from error
    return settings_of(table, str(path), text)


def settings_of(table: dict[str, JSON], where: str, text: str = "") -> Settings:
    """Return the settings in a table; `text` is what it was read from, to find lines in.

    Raises:
        SetupError: a key is unknown, or a value has the wrong type.
    """
    _check_keys(table, Settings, where, text)
    clock = table.get("clock")
    if isinstance(clock, date) and not isinstance(clock, datetime):
        clock = datetime(clock.year, clock.month, clock.day)
    if isinstance(clock, datetime):
        table = {**table, "clock": clock if clock.tzinfo else clock.replace(tzinfo=UTC)}
    elif clock is not None:
        raise SetupError(f"{where}{_line_of('clock', text)}: clock is a date and time without quotes, like 2026-01-01T09:00:00Z.")
    if reason := flaw(table.get("behaviours")):
        raise SetupError(f"{where}{_line_of('behaviours', text)}: behaviours: {reason}.")
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SetupError(f"{where}{_line_of(str(first['loc'][0]), text)}: {key}: {first['msg']}.") from error


def _check_keys(table: JSON, model: type[BaseModel], where: str, text: str, prefix: str = "") -> None:
    for key, value in table.items() if isinstance(table, dict) else ():
        if key not in model.model_fields:
            raise SetupError(f"{where}{_line_of(key, text)}: there is no setting {prefix + key!r}. {suggest(key, model.model_fields)}")
        if prefix:
            continue
        if key == "model":
            _check_keys(value, ModelSettings, where, text, "model.")
        elif key == "tools" and isinstance(value, dict):
            for tool, hint in value.items():
                _check_keys(hint, ToolHint, where, text, f"tools.{tool}.")


def settings_text(table: dict[str, JSON]) -> str:
    """Return the table as TOML, one line a key, and a section for each behaviour or tool; datetimes are allowed beside JSON, null is not.

    Raises:
        SetupError: the table holds what TOML or `Settings` cannot.
    """
    settings_of(table, "settings")
    plain = "".join(_line(key, value) for key, value in table.items() if not _is_sections(value))
    sections = [
        f"[{_key(key)}.{_key(name)}]\n" + "".join(_line(setting, part) for setting, part in settings.items())
        for key, named in table.items()
        if _is_sections(named)
        for name, settings in named.items()
    ]
    return "\n".join([*([plain] if plain else []), *sections])


def _is_sections(value: JSON) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(part, dict) for part in value.values())


def _line(key: str, value: JSON) -> str:
    return f"{_key(key)} = {_value(value)}\n"


def _value(value: JSON) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None:
        raise SetupError("settings: TOML has no null.")
    # why: TOML's basic strings, numbers and truth values are JSON's, but for the delete character
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _line_of(key: str, text: str) -> str:
    match = re.search(rf"^\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[.=\]]", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, match.end()) + 1}" if match else ""
