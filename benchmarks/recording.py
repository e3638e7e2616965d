"""What `mcp-sim record` adds to a call over stdio: the same calls to the same server, without it and with it.

    python benchmarks/recording.py [CALLS] [-- SERVER COMMAND...]

Without a command, the server is this file with --serve: a loop that answers at once, so that everything else is measured. Calls differ
from one another, so that each is written to the recording. The two take turns, a hundred calls each, so that both see the same machine.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TURN = 100
TEXT = "Nothing is as plain as the text of a benchmark. " * 20


def serve() -> None:
    """Answer `initialize`, `tools/list` and `tools/call` until standard input ends."""
    tool = {"name": "read", "description": "Reads.", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "loop", "version": "1"}}
    answers: dict[str, Any] = {"initialize": info, "tools/list": {"tools": [tool]}}
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if "id" in asked:
            result = answers.get(asked["method"], {"content": [{"type": "text", "text": TEXT}]})
            sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode() + b"\n")
            sys.stdout.buffer.flush()


class Client:
    """A server's process and the pipe to it."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self._id = 0
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
        self.ask("initialize", client)
        self.tools = self.ask("tools/list", {})["result"]["tools"]

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the response."""
        assert self.process.stdin
        assert self.process.stdout
        self._id += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            message: dict[str, Any] = json.loads(self.process.stdout.readline())
            if message.get("id") == self._id:
                return message

    def time_calls(self, tool: str, first: int) -> list[float]:
        """Return the seconds that each of a hundred calls took."""
        taken = []
        for number in range(first, first + TURN):
            begun = time.perf_counter()
            self.ask("tools/call", {"name": tool, "arguments": {"n": number}})
            taken.append(time.perf_counter() - begun)
        return taken

    def end(self) -> None:
        """Close the pipe and wait."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=60)


def main() -> None:
    """Measure and print."""
    arguments = sys.argv[1:]
    command = arguments[arguments.index("--") + 1 :] if "--" in arguments else [sys.executable, __file__, "--serve"]
    calls = int(arguments[0]) if arguments and arguments[0].isdecimal() else 2000
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        mcp_sim = str(Path(sys.executable).with_name("mcp-sim"))
        direct = Client(command, environment)
        recorded = Client([mcp_sim, "record", f"{folder}/world", "--", *command], environment)
        times: dict[str, list[float]] = {"direct": [], "recorded": []}
        for number in range(0, calls, TURN):
            times["direct"] += direct.time_calls(direct.tools[0]["name"], number)
            times["recorded"] += recorded.time_calls(direct.tools[0]["name"], number)
        direct.end()
        recorded.end()
        kept = len(Path(folder, "world", "frozen.jsonl").read_bytes().splitlines())
    print(f"{calls} calls each, {kept} answers kept; milliseconds")
    for name, seconds in times.items():
        p50, p99 = (statistics.quantiles(seconds, n=100)[place] * 1000 for place in (49, 98))
        print(f"  {name:9} p50 {p50:.3f}  p99 {p99:.3f}")
    added = (statistics.median(times["recorded"]) - statistics.median(times["direct"])) * 1000
    print(f"  added     p50 {added:.3f}")


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
