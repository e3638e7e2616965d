"""The servers in a client's configuration: Claude Desktop and Code, VS Code, Cursor, Windsurf, Zed."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import kind, read_text
from mcp_sim.tool_specs.jsonc import blank, find, members, read_jsonc
from mcp_sim.tool_specs.secrets import redact

MASK = "***"
_PLACES = (("mcpServers",), ("servers",), ("mcp", "servers"), ("context_servers",))
"""Where servers are: Claude, Cursor and Windsurf; VS Code's mcp.json and settings.json; Zed."""

_KEPT = ("disabled", "enabled", "autoApprove", "alwaysAllow", "disabledTools", "timeout")
"""What an entry says of its use, not of its server."""

_VARIABLE = re.compile(r"\$\{(?:(env|input):)?([A-Za-z_][\w.-]*)(?::-([^}]*))?\}")


@dataclass(frozen=True)
class Entry:
    """One server of a configuration, as it is written there; `path` is where, as keys from the top."""

    path: tuple[str, ...]
    raw: dict[str, JSON]

    @property
    def name(self) -> str:
        """What the client calls the server."""
        return self.path[-1]

    @property
    def command(self) -> list[str]:
        """What starts the server, and its arguments; empty where it is not started by the client."""
        command: Any = self.raw.get("command")
        args: Any = self.raw.get("args")
        if isinstance(command, dict):  # an older form of Zed's
            command, args = command.get("path"), command.get("args")
        if not isinstance(command, str) or not command:
            return []
        return [command, *(str(arg) for arg in (args if isinstance(args, list) else []))]

    @property
    def is_simulated(self) -> bool:
        """Whether it starts a simulated server already: mcp-sim's, wherever that is installed."""
        program = self.command[0].replace("\\", "/").rpartition("/")[2].lower() if self.command else ""
        return program in ("mcp-sim", "mcp-sim.exe") and self.command[1:2] == ["serve"]

    @property
    def url(self) -> str | None:
        """Where the server is, if the client does not start it."""
        return next((url for key in ("url", "serverUrl", "httpUrl") if isinstance(url := self.raw.get(key), str)), None)

    @property
    def env(self) -> dict[str, str]:
        """What is added to the server's environment."""
        command = self.raw.get("command")
        return _texts(command.get("env") if isinstance(command, dict) else self.raw.get("env"))

    @property
    def headers(self) -> dict[str, str]:
        """What is sent with every request to the URL."""
        return _texts(self.raw.get("headers")) | _texts(self.raw.get("http_headers"))

    @property
    def env_file(self) -> str | None:
        """A file of more environment variables."""
        file = self.raw.get("envFile")
        return file if isinstance(file, str) else None

    def simulated(self, command: str, args: list[str]) -> dict[str, JSON]:
        """Return the entry that starts this command instead: nothing of the server's own is in it."""
        kept = {key: self.raw[key] for key in _KEPT if isinstance(self.raw.get(key), bool | int | list)}
        if isinstance(self.raw.get("command"), dict):
            return {"command": {"path": command, "args": args}, **kept}
        marks: dict[str, JSON] = {"type": "stdio"} if "type" in self.raw else {}
        if self.path[0] == "context_servers":
            marks["source"] = "custom"
        return {**marks, "command": command, "args": args, **kept}


@dataclass(frozen=True)
class ClientConfig:
    """A configuration: its text with all comments, and the servers in it. `inputs` are VS Code's questions by id."""

    path: Path
    text: str
    entries: tuple[Entry, ...]
    inputs: Mapping[str, dict[str, JSON]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder that the configuration is about."""
        parent = self.path.absolute().parent
        return parent.parent if parent.name in (".vscode", ".cursor", ".zed") else parent

    def replaced(self, entries: Mapping[tuple[str, ...], dict[str, JSON]], secrets: Iterable[str]) -> str:
        """Return the text with other entries at these paths; `secrets` are left nowhere but in the entries that stay."""
        plain = blank(self.text)
        places = {entry.path: find(plain, entry.path) for entry in self.entries}
        written = ""
        done = 0
        for path, place in sorted(places.items(), key=lambda item: item[1] or (0, 0)):
            if place is None:
                continue
            begin, end = place
            written += str(redact(self.text[done:begin], secrets))
            written += _laid_out(entries[path], self.text, begin) if path in entries else self.text[begin:end]
            done = end
        return written + str(redact(self.text[done:], secrets))


def read_config(path: Path) -> ClientConfig:
    """Return the configuration in a file, with or without comments.

    Raises:
        SetupError: it cannot be read, or has no servers.
    """
    return parse_config(read_text(path), path)


def parse_config(text: str, path: Path) -> ClientConfig:
    """Return the configuration of a text.

    Raises:
        SetupError: it is no JSON, or has no servers.
    """
    value = read_jsonc(text, path)
    if not isinstance(value, dict):
        raise SetupError(f"{path}: is {kind(value)}, not a client's configuration.")
    projects = value.get("projects")
    places = [*_PLACES, *(("projects", name, "mcpServers") for name in (projects if isinstance(projects, dict) else {}))]
    entries = [Entry((*place, name), raw) for place in places for name, raw in _object_at(value, place).items() if isinstance(raw, dict)]
    if not entries:
        known = ", ".join(".".join(place) for place in _PLACES)
        raise SetupError(f"{path}: holds no servers. They are looked for in {known}, and in each project of ~/.claude.json.")
    inputs = value.get("inputs")
    by_id = {item["id"]: item for item in (inputs if isinstance(inputs, list) else []) if isinstance(item, dict) and "id" in item}
    return ClientConfig(path, text, tuple(entries), by_id)


def expand(text: str, folder: Path, ask: Callable[[str], str]) -> str:
    """Return a text of an entry with its variables filled in: `${env:X}`, `${X}`, `${X:-otherwise}`, `${workspaceFolder}`, `${userHome}`;
    `ask` answers `${input:id}`. What is not known stays.
    """

    def fill(match: re.Match[str]) -> str:
        space, name, otherwise = match.groups()
        if space == "input":
            return ask(name)
        if space is None and name in ("workspaceFolder", "userHome"):
            return str(folder if name == "workspaceFolder" else Path.home())
        value = os.environ.get(name, otherwise)
        return match.group() if value is None else value

    return _VARIABLE.sub(fill, text)


def mask(text: str, path: Path, secrets: Iterable[str]) -> str:
    """Return a configuration's text for showing: no value of an environment or header is in it, and none of the secrets."""
    plain = blank(text)
    spans: list[tuple[int, int]] = []
    for entry in parse_config(text, path).entries:
        for keys in (("env",), ("headers",), ("http_headers",), ("command", "env")):
            place = find(plain, (*entry.path, *keys))
            if place is not None and plain[place[0]] == "{":
                spans += [(begin, end) for _, begin, end in members(plain, place[0])]
    for begin, end in sorted(spans, reverse=True):
        text = text[:begin] + json.dumps(MASK) + text[end:]
    return str(redact(text, secrets)).replace("REDACTED", MASK)


def _laid_out(entry: dict[str, JSON], text: str, begin: int) -> str:
    """Write the entry as the lines around it are indented."""
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    indent = line[: len(line) - len(line.lstrip())]
    step = "\t" if "\t" in indent else "  "
    return json.dumps(entry, indent=step, ensure_ascii=False).replace("\n", "\n" + indent)


def _object_at(value: Any, place: tuple[str, ...]) -> dict[str, JSON]:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> dict[str, str]:
    return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else {}
