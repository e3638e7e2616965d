"""The real command serving: how it starts, what it refuses, how it ends."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from tests.raw_server import LEGACY, MODERN, RawServer, write_request
from tests.served import MCP_SIM, served

HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call"}
IMPOSSIBLE = ["..", "CON", "con", "NUL", "nul", "a" * 65, "x" * 10_000, "A", "a b", "a.b", "-a", "", "é", "a\n", "~"]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MCP_SIM, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


def read_event(reply: httpx2.Response) -> dict[str, Any]:
    text = reply.text
    if reply.headers["content-type"].startswith("text/event-stream"):
        text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {"))
    message: dict[str, Any] = json.loads(text)
    return message


async def test_two_hundred_sessions_at_once_over_http_never_see_each_other() -> None:
    with served("memory") as url:
        base = url.removesuffix("/mcp")
        limits = httpx2.Limits(max_connections=50)
        async with httpx2.AsyncClient(limits=limits, timeout=120) as client, anyio.create_task_group() as tasks:

            async def ask(session: str, number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
                request = write_request(number, "tools/call", {"name": tool, "arguments": arguments}, MODERN)
                reply = await client.post(f"{base}/s/{session}/mcp", json=request, headers={**HEADERS, "Mcp-Name": tool})
                result: dict[str, Any] = read_event(reply)["result"]
                return result

            async def live(number: int) -> None:
                session, name = f"s{number}", f"only in {number}"
                entities = [{"name": name, "entityType": "mark", "observations": []}]
                made = await ask(session, 1, "create_entities", {"entities": entities})
                assert made["_meta"]["mcp-sim/session"] == session
                found = await ask(session, 2, "search_nodes", {"query": "only in"})
                assert found["structuredContent"]["entities"] == entities
                assert found["_meta"]["mcp-sim/turn"] == 2

            for number in range(200):
                tasks.start_soon(live, number)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_session_name_that_cannot_be_is_refused_on_the_command_line(name: str) -> None:
    refused = run("call", "memory", "read_graph", "--session", name)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "not allowed" in refused.stderr
    assert len(refused.stderr) < 500


def test_a_session_name_that_cannot_be_is_not_found_over_http() -> None:
    with served("memory") as url:
        base = url.removesuffix("/mcp")
        for name in (*IMPOSSIBLE, "\0", "../../etc"):
            quoted = "".join(f"%{byte:02x}" for byte in name.encode())
            request = write_request(1, "tools/list", {}, MODERN)
            reply = httpx2.post(f"{base}/s/{quoted}/mcp", json=request, headers={**HEADERS, "Mcp-Method": "tools/list"})
            assert reply.status_code == 404, name
        assert httpx2.post(f"{base}/s/fine/mcp", json=request, headers={**HEADERS, "Mcp-Method": "tools/list"}).status_code == 200


def test_every_piped_call_is_answered_before_the_end() -> None:
    requests = [
        write_request(number, "tools/call", {"name": "search_nodes", "arguments": {"query": f"q{number}"}}, MODERN) for number in range(100)
    ]
    ended = run("serve", "memory", input="".join(json.dumps(request) + "\n" for request in requests))
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert sorted(json.loads(line)["id"] for line in ended.stdout.splitlines()) == list(range(100))


@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_asked_to_stop_over_stdio(version: str) -> None:
    with RawServer([MCP_SIM, "serve", "memory"], version=version) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=20) == 0


def test_asked_to_stop_over_http_while_a_client_is_connected() -> None:
    with served("memory") as url, httpx2.Client() as client:  # `served` checks the exit code
        request = write_request(1, "tools/list", {}, MODERN)
        assert client.post(url, json=request, headers={**HEADERS, "Mcp-Method": "tools/list"}).status_code == 200


@pytest.mark.parametrize("depth", [10, 150, 198, 199, 250, 1_000, 5_000, 100_000])
@pytest.mark.parametrize("place", ["arguments", "outside"])
def test_a_message_nested_deep_is_answered(depth: int, place: str) -> None:
    deep = "[" * depth + "]" * depth
    meta = json.dumps(write_request(1, "x", {}, MODERN)["params"]["_meta"])
    arguments, extra = (f'{{"query": {deep}}}', "0") if place == "arguments" else ('{"query": "x"}', deep)
    line = (
        f'{{"jsonrpc": "2.0", "id": 7, "extra": {extra}, "method": "tools/call", '
        f'"params": {{"name": "search_nodes", "arguments": {arguments}, "_meta": {meta}}}}}\n'
    )
    ended = run("serve", "memory", input=line)
    assert ended.returncode == 0
    (answer,) = map(json.loads, ended.stdout.splitlines())
    assert answer["id"] == 7
    assert "error" in answer or answer["result"].get("isError", False) == (place == "arguments")


PRINTING = """
import os, sys
from mcp_sim.predictors import example
from mcp_sim.cli.main import main

class Printing(example.ExamplePredictor):
    async def predict(self, session, action, context):
        print("from python")
        os.write(1, b"from below")
        os.system("echo from a child")
        return await super().predict(session, action, context)

example.ExamplePredictor = Printing
main()
"""


def test_standard_output_holds_messages_only(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('[{"name": "get_it", "inputSchema": {"type": "object"}}]')
    with RawServer([sys.executable, "-c", PRINTING, "serve", str(tmp_path / "tools.json")]) as server:
        assert server.call("get_it", {})["content"]


ODD = {
    "name": "odd",
    "title": "Odd",
    "icons": [{"src": "data:image/png;base64,AA==", "mimeType": "image/png", "sizes": ["1x1"], "x": 1}],
    "inputSchema": {"required": ["b", "a"], "type": "object", "properties": {"b": {}, "a": {"x-ui": {"order": 1}}}, "x-own": [1]},
    "annotations": {"readOnlyHint": True, "category": "odd", "conditions": ["a"]},
    "_meta": {"vendor/key": {"deep": [1, None]}},
    "x-custom": {"kept": True},
    "execution": {"taskSupport": "forbidden", "other": 1},
}
ODD_INFO = {
    "name": "odd",
    "version": "1",
    "title": "O",
    "icons": [{"src": "data:,", "x": 1}],
    "websiteUrl": "https://odd.example",
    "x-build": "7",
}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY, MODERN])
def test_what_no_sdk_knows_reaches_the_wire(tmp_path: Path, version: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"initialize": {"serverInfo": ODD_INFO, "instructions": "Be odd."}, "tools": [ODD]}))
    with RawServer([MCP_SIM, "serve", str(path)], version=version) as server:
        assert json.dumps(server.tools()) == json.dumps([ODD])
        own_info = server.greeting.get("serverInfo") or server.greeting["_meta"]["io.modelcontextprotocol/serverInfo"]
        assert own_info == ODD_INFO
        assert server.greeting["instructions"] == "Be odd."
        assert server.greeting.get("protocolVersion", version) == version


def test_output_that_cannot_be_written_is_one_line_and_a_client_that_left_is_none() -> None:
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([MCP_SIM, "serve", "memory"], input=asked, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"Standard output cannot be written: No space left on device." in done.stderr
    with subprocess.Popen([MCP_SIM, "serve", "memory"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        assert left.stdin
        assert left.stdout
        left.stdout.close()
        left.stdin.write(asked)
        left.stdin.close()
        assert left.stderr
        assert (left.stderr.read(), left.wait(timeout=60)) == (b"", 0)
