"""The thinnest clients there are, so that what is measured is the server: raw JSON-RPC over a pipe and over one HTTP connection."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

VERSION = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}


def write_request(method: str, params: dict[str, Any]) -> bytes:
    """Return a request as a line."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": {**_META, **params.get("_meta", {})}}}
    return json.dumps(message).encode() + b"\n"


class StdioClient:
    """A server's process and the pipe to it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)
        self._log.close()

    def ask(self, line: bytes) -> bytes:
        """Send a request and return the line that answers it."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.startswith(b'{"jsonrpc":"2.0","id":1,"result"'):
            self._log.seek(0)
            raise SystemExit(f"{self._command}: {answer[:500]!r}\n{self._log.read()[-2000:].decode()}")
        return answer


class HttpClient:
    """A server's process and one kept connection to it; `name` is the tool that is called."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._command = command
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": name,
        }

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(self._command, stderr=subprocess.PIPE)
        assert self.process.stderr
        said: list[bytes] = []
        while not (found := re.search(rb"http://\S+/mcp", b"".join(said[-1:]))):
            said.append(self.process.stderr.readline())
            if not said[-1]:
                raise SystemExit(f"{self._command}: {b''.join(said).decode()}")
        url = urlsplit(found[0].decode())
        self._path = url.path
        self._connection = http.client.HTTPConnection(url.netloc, timeout=60)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._connection.close()
        self.process.terminate()
        self.process.wait(timeout=30)
        assert self.process.stderr
        self.process.stderr.close()

    def ask(self, line: bytes) -> bytes:
        """Send a request and return the body that answers it."""
        self._connection.request("POST", self._path, line, self._headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200 or b'"result"' not in body:
            raise SystemExit(f"{self._command}: {response.status} {body[:500]!r}")
        return body


def seconds_of(client: StdioClient | HttpClient, line: bytes) -> float:
    """Return how long one request took."""
    start = time.perf_counter()
    client.ask(line)
    return time.perf_counter() - start


def resident_bytes(process_id: int) -> int:
    """Return how much memory a process holds."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process_id)], capture_output=True, text=True, check=True).stdout) * 1024


def fresh_environment(folder: str) -> None:
    """Keep sessions of the benchmark out of the user's own."""
    os.environ["XDG_DATA_HOME"] = folder
