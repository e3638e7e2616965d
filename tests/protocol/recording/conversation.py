"""A conversation told to a recorder, message by message, as it would pass by."""

import itertools
import json
from pathlib import Path
from typing import Any

from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.protocol.recording.reading_along import ReadingAlong
from mcp_sim.protocol.recording.recorder import Recorder
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.tool_specs.world_folder import load_world

TOOLS: dict[str, Any] = {
    "tools": [
        {"name": "read_note", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
        {"name": "write_note", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}, "text": {"type": "string"}}}},
        {"name": "get_temperature", "inputSchema": {"type": "object"}},
    ]
}


def said(text: str, **more: Any) -> dict[str, Any]:
    """Return a result of one text."""
    return {"content": [{"type": "text", "text": text}], **more}


class Conversation:
    """A recording in a folder, and both sides of what is said."""

    def __init__(
        self, folder: Path, session: str = "one", *, patterns: tuple[str, ...] = (), secrets: tuple[str, ...] = (), keeps_all: bool = False
    ) -> None:
        self.folder = folder / "world"
        self._sessions = folder / "sessions"
        self._name = session
        self._ids = itertools.count(1)
        self.faults: list[str] = []
        self.waits = 0
        self.recorder = Recorder(
            self.folder,
            lambda: load_world(self.folder),
            lambda world: self._sessions / f"{session}.jsonl",
            redaction=None if keeps_all else RedactionSettings(key="key", patterns=patterns),
            secrets=secrets,
        )
        self.reading = ReadingAlong(self.recorder, self.faults.append, self._count_wait)

    def _count_wait(self) -> None:
        self.waits += 1

    def ask(self, method: str, params: dict[str, Any]) -> int:
        """Let the client ask, and return the id."""
        number = next(self._ids)
        self.reading.client_said(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        return number

    def answer(self, number: int, result: dict[str, Any] | None = None, error: dict[str, Any] | None = None) -> None:
        """Let the server answer."""
        body = {"result": result} if error is None else {"error": error}
        self.reading.server_said(json.dumps({"jsonrpc": "2.0", "id": number, **body}).encode())

    def list_tools(self, listing: dict[str, Any] = TOOLS) -> None:
        """Let the client ask for the tools."""
        self.answer(self.ask("tools/list", {}), listing)

    def call(self, name: str, arguments: dict[str, Any], result: dict[str, Any]) -> None:
        """Let the client call a tool, and the server answer."""
        self.answer(self.ask("tools/call", {"name": name, "arguments": arguments}), result)

    @property
    def world(self) -> World:
        """The world as it is in its folder."""
        return load_world(self.folder)

    @property
    def session(self) -> Session:
        """The session as it is in its file."""
        kept = KeptSession(self.world, self._name, self._sessions / f"{self._name}.jsonl")
        kept.catch_up()
        return kept.session

    def kept_text(self) -> str:
        """Return all that is in any file."""
        return "\n".join(path.read_text() for path in self.folder.parent.rglob("*") if path.is_file())
