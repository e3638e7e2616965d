"""A real MCP server over stdio, spoken to in raw JSON, so that what it left out stays visible."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

NODE_MODULES = Path(os.environ.get("MCP_SIM_NODE_MODULES", "node_modules"))
"""Where `npm install @modelcontextprotocol/server-memory ...` has put the reference servers."""


def npm_server(package: str) -> list[str]:
    """Return the command of a reference server, or skip the test where it is not installed."""
    entry = NODE_MODULES / "@modelcontextprotocol" / package / "dist" / "index.js"
    if not entry.is_file():
        pytest.skip(f"{entry} is missing; set MCP_SIM_NODE_MODULES to a node_modules folder that has @modelcontextprotocol/{package}")
    return ["node", str(entry)]


class RawServer:
    """One running server. `call` returns the `CallToolResult` as it stood on the wire."""

    def __init__(self, command: list[str], env: Mapping[str, str] | None = None) -> None:
        self._command = command
        self._env = {**os.environ, **(env or {})}
        self._id = 0

    def __enter__(self) -> "RawServer":
        self._process = subprocess.Popen(
            self._command,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
        self._request("initialize", client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool."""
        reply = self._request("tools/call", {"name": name, "arguments": arguments})
        result = reply["result"]
        assert isinstance(result, dict)
        return result

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdout
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        for line in self._process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == self._id and ("result" in message or "error" in message):
                return message
        raise AssertionError(f"{self._command} ended without answering {method}")

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
