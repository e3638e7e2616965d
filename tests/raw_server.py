"""A running MCP server over stdio, spoken to in raw JSON, so that what an SDK would drop or add stays visible."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
_CLIENT = {"name": "test", "version": "0"}


def write_request(number: int, method: str, params: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Return a request; on the revisions without handshake it says itself who asks."""
    if version >= MODERN:
        meta = {"protocolVersion": version, "clientCapabilities": {}, "clientInfo": _CLIENT}
        own = {f"io.modelcontextprotocol/{key}": value for key, value in meta.items()}
        params = {**params, "_meta": {**own, **params.get("_meta", {})}}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


class RawServer:
    """One running server. What it tells of itself first is in `greeting`; `process` is there to be killed."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None, version: str = "2025-06-18") -> None:
        self._command = command
        self._env = {**os.environ, **(env or {})}
        self._version = version
        self._id = 0

    def __enter__(self) -> "RawServer":
        self.process = subprocess.Popen(
            self._command,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        try:
            self.greeting = self._greet()
        except BaseException:
            self._end()
            raise
        return self

    def _greet(self) -> dict[str, Any]:
        if self._version >= MODERN:
            return self.result("server/discover")
        greeting = self.result("initialize", {"protocolVersion": self._version, "capabilities": {}, "clientInfo": _CLIENT})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return greeting

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        with suppress(BrokenPipeError):  # it has ended already
            self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool and return its result as it stood on the wire."""
        return self.result("tools/call", {"name": name, "arguments": arguments})

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools of all pages."""
        tools: list[dict[str, Any]] = []
        page = self.result("tools/list")
        tools += page["tools"]
        while "nextCursor" in page:
            page = self.result("tools/list", {"cursor": page["nextCursor"]})
            tools += page["tools"]
        return tools

    def result(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Ask, and return the result; an error fails the test."""
        reply = self.ask(method, params or {})
        assert "result" in reply, reply
        result: dict[str, Any] = reply["result"]
        return result

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Ask, and return the whole response."""
        self._id += 1
        self.send(write_request(self._id, method, params, self._version))
        for message in self.messages():
            if message.get("id") == self._id and ("result" in message or "error" in message):
                return message
        raise AssertionError(f"{self._command} ended without answering {method}")

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Read messages until the server ends; every line must be JSON."""
        assert self.process.stdout
        for line in self.process.stdout:
            yield json.loads(line)
