"""`mcp-sim record --url`: what goes through is what was sent, headers, paths and streams included."""

import asyncio
import http.client
import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client

from mcp_sim.tool_specs.world_folder import load_world
from tests.served import MCP_SIM, served

ANSWER = b'{ "jsonrpc":"2.0","id":1, "result" : {"content":[ {"type":"text","text":"hi"}]}}'
LISTED = b'data: {"id":7,\r\ndata: "result":{"tools":[{"name":"read","inputSchema":{"type":"object"}}]}}\r\n\r\n'
STREAM = b": a comment\r\n\r\nevent: message\r\n" + LISTED


class Upstream(BaseHTTPRequestHandler):
    """A server of odd HTTP, which notes what it got, and of a stream that waits in its middle."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, str, dict[str, str], bytes]] = []
    go_on = threading.Event()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append((self.command, self.path, {key.lower(): value for key, value in self.headers.items()}, body))
        if self.path.startswith("/stream"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(STREAM)
            self.wfile.flush()
            self.go_on.wait(30)
            self.wfile.write(b"id: 2\ndata: {}\n\n")
            return
        self.send_response(418 if "teapot" in self.path else 200)
        for name, value in (("X-Twice", "a"), ("X-Twice", "b"), ("Mcp-Session-Id", "s1"), ("WWW-Authenticate", "Bearer x")):
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815


@pytest.fixture
def upstream() -> Iterator[str]:
    Upstream.seen.clear()
    Upstream.go_on.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Upstream.go_on.set()
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def recorded(world: Path, url: str, *options: str) -> Iterator[str]:
    command = [MCP_SIM, "record", str(world), "--url", url, *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert process.stderr
        line = process.stderr.readline()
        found = re.search(r"recording on (http://\S+?),", line)
        assert found, line
        try:
            yield found[1]
        finally:
            process.terminate()
            rest = process.stderr.read()
            assert process.wait(timeout=30) == 0, rest
            assert "Traceback" not in rest, rest


def connected(url: str) -> closing[http.client.HTTPConnection]:
    return closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=30))


@dataclass
class Reply:
    status: int
    headers: set[tuple[str, str]]
    body: bytes


def ask(url: str, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
    with connected(url) as connection:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        named = {(name.lower(), value) for name, value in response.getheaders() if name.lower() not in ("date", "server")}
        return Reply(response.status, named, response.read())


def test_requests_and_responses_go_on_as_they_are(tmp_path: Path, upstream: str) -> None:
    with recorded(tmp_path / "world", f"{upstream}/deep/mcp", "--header", "Authorization: Bearer t0k3n-of-mine") as url:
        assert urlsplit(url).path == "/deep/mcp"
        sent = {"Mcp-Session-Id": "s1", "Mcp-Protocol-Version": "2026-07-28", "X-Own": "\u00e9", "Content-Type": "application/json"}
        for method, path in (("POST", "/deep/mcp?a=%2F&b"), ("DELETE", "/deep/mcp"), ("GET", "/.well-known/oauth-protected-resource/x")):
            plain = ask(upstream, method, path, b"{}", sent)
            passed = ask(url, method, path, b"{}", sent)
            assert passed == plain
            (_, plain_path, plain_headers, plain_body), (_, path_seen, headers, body) = Upstream.seen[-2:]
            assert (path_seen, body) == (plain_path, plain_body)
            assert headers.pop("authorization") == "Bearer t0k3n-of-mine"
            for name in ("host", "accept-encoding"):
                plain_headers.pop(name, None)
                headers.pop(name, None)
            assert headers == plain_headers
        assert ask(url, "POST", "/teapot", b"{}").status == 418
    assert "t0k3n-of-mine" not in "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())


def test_a_stream_flows_while_it_is_open_and_is_read_along(tmp_path: Path, upstream: str) -> None:
    with recorded(tmp_path / "world", f"{upstream}/stream") as url, connected(url) as connection:
        connection.request("POST", "/stream", b'{"id":7,"method":"tools/list"}')
        response = connection.getresponse()
        assert response.read(len(STREAM)) == STREAM
        Upstream.go_on.set()
        assert response.read() == b"id: 2\ndata: {}\n\n"
    assert [tool.name for tool in load_world(tmp_path / "world").tools] == ["read"]


def test_pages_of_other_origins_do_not_borrow_the_headers(tmp_path: Path, upstream: str) -> None:
    with recorded(tmp_path / "world", f"{upstream}/mcp") as url:
        assert ask(url, "POST", "/mcp", b"{}", {"Origin": "https://evil.example"}).status == 403
        assert ask(url, "POST", "/mcp", b"{}", {"Host": "evil.example"}).status == 421
        assert Upstream.seen == []


def test_a_server_that_is_gone_is_a_bad_gateway(tmp_path: Path) -> None:
    with recorded(tmp_path / "world", "http://127.0.0.1:9/mcp") as url:
        reply = ask(url, "POST", "/mcp", b"{}")
        assert reply.status == 502
        assert b"cannot be reached" in reply.body


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_real_client_of_a_real_server_in_both_eras(tmp_path: Path, mode: Any) -> None:
    async def talk(url: str) -> list[Any]:
        async with Client(url, mode=mode) as client:
            tools = (await client.list_tools()).tools
            results = [await client.call_tool("read_graph", {}), await client.call_tool("search_nodes", {"query": "gauge"})]
            return [tool.name for tool in tools] + [json.loads(result.model_dump_json(exclude={"meta"})) for result in results]

    with served("memory") as real:
        expected = asyncio.run(talk(real))
        with recorded(tmp_path / "world", real) as url:
            assert asyncio.run(talk(url)) == expected
    with served(str(tmp_path / "world"), "--frozen") as replay:
        assert asyncio.run(talk(replay)) == expected
