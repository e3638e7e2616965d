"""What a server tells, over HTTP and over pipes, kept as it was sent; and what is said of servers that tell nothing."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.protocol.capture import Captured, capture_command, capture_url
from mcp_sim.protocol.client import http_wire
from tests.answering import Answer, Request, answering

ODD_TOOL = {"x-own": {"b": 1, "a": [None, 1.5]}, "name": "t", "inputSchema": {"type": "object", "required": [], "properties": {}}}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}


def talk(results: dict[str, Any]) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        if "id" not in request.message or "method" not in request.message:
            return Answer(202)
        if request.message["method"] not in results:
            return Answer.error(request, -32601, "Method not found", 404)
        result = results[request.message["method"]]
        return result(request) if callable(result) else Answer.result(request, result)

    return answer


async def ask(answer: Callable[[Request], Answer], **options: Any) -> Captured:
    with answering(answer) as url:
        return await capture_url(url, **{"headers": {}, "timeout_seconds": 10.0, **options})


async def test_each_list_is_kept_as_it_was_sent() -> None:
    lists = {
        "resources/list": {"resources": [{"uri": "a://b", "name": "b", "x-own": 1}], "_meta": {"of": "the page"}},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "a://{b}", "name": "b"}]},
        "prompts/list": {"prompts": [{"name": "p", "arguments": [{"name": "q"}]}]},
    }
    hello = {**HELLO, "capabilities": {"tools": {}, "resources": {}, "prompts": {}}, "x-own": True}
    captured = await ask(talk({"initialize": hello, "tools/list": {"tools": [ODD_TOOL]}, **lists}))
    assert json.dumps(captured.server) == json.dumps(hello)
    assert json.dumps(captured.tools) == json.dumps({"tools": [ODD_TOOL]})
    assert json.dumps(captured.lists) == json.dumps(lists)
    assert captured.notices == ()


async def test_all_pages_in_an_event_stream() -> None:
    def page(request: Request) -> Answer:
        start = int(request.message["params"].get("cursor", 0))
        more = {"nextCursor": str(start + 2)} if start < 4 else {}
        result = {"tools": [{"name": f"t{number}"} for number in range(start, start + 2)], **more}
        response = json.dumps({"jsonrpc": "2.0", "id": request.message["id"], "result": result})
        ping = json.dumps({"jsonrpc": "2.0", "id": "theirs", "method": "roots/list"})
        return Answer(body=f": hello\n\nevent: message\ndata: {ping}\n\ndata: {response}\n\n", kind="text/event-stream")

    captured = await ask(talk({"initialize": HELLO, "tools/list": page}))
    assert [tool["name"] for tool in captured.tools["tools"]] == [f"t{number}" for number in range(6)]
    assert "nextCursor" not in captured.tools


async def test_headers_go_with_every_request_and_the_session_too() -> None:
    seen: list[tuple[str, str | None, str | None]] = []

    def answer(request: Request) -> Answer:
        method = request.message.get("method", request.method)
        seen.append((method, request.headers.get("x-key"), request.headers.get("mcp-session-id")))
        if method == "initialize":
            return Answer.result(request, HELLO, headers={"Mcp-Session-Id": "s1"})
        return talk({"tools/list": {"tools": []}})(request)

    await ask(answer, headers={"X-Key": "k"})
    assert seen == [
        ("initialize", "k", None),
        ("notifications/initialized", "k", "s1"),
        ("tools/list", "k", "s1"),
        ("DELETE", "k", "s1"),
    ]


async def test_a_server_without_handshake() -> None:
    discovered = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete"}
    metas: list[dict[str, Any]] = []

    def answer(request: Request) -> Answer:
        if request.message["method"] == "initialize":
            return Answer.error(request, -32022, "Unsupported protocol version", 400, {"supported": ["2026-07-28"]})
        metas.append(request.message["params"]["_meta"])
        assert request.headers["mcp-protocol-version"] == "2026-07-28"
        assert request.headers["mcp-method"] == request.message["method"]
        return talk({"server/discover": discovered, "tools/list": {"tools": [ODD_TOOL], "ttlMs": 5}})(request)

    captured = await ask(answer)
    assert captured.server == discovered
    assert captured.tools == {"tools": [ODD_TOOL], "ttlMs": 5}
    assert {meta["io.modelcontextprotocol/protocolVersion"] for meta in metas} == {"2026-07-28"}


async def test_a_list_that_is_refused_costs_only_itself() -> None:
    hello = {**HELLO, "capabilities": {"tools": {}, "resources": {}, "prompts": {}}}
    fails = {"resources/list": lambda request: Answer.error(request, -32603, "no database")}
    captured = await ask(talk({"initialize": hello, "tools/list": {"tools": []}, "prompts/list": {"prompts": []}, **fails}))
    assert list(captured.lists) == ["prompts/list"]
    assert captured.notices == ("resources/list is left out: it refused resources/list: no database.",)


WRONG: dict[str, tuple[Callable[[Request], Answer], str]] = {
    "wants a token": (
        lambda request: Answer(401, "{}", headers={"WWW-Authenticate": 'Bearer realm="x"'}),
        """it answered 401 Unauthorized: it wants credentials. It wants: Bearer realm="x". Give them with --header""",
    ),
    "wants a token to list": (
        talk({"initialize": HELLO, "tools/list": lambda request: Answer.error(request, -32000, "Invalid API key")}),
        "it refused tools/list: Invalid API key. It seems to need credentials even to list what it offers",
    ),
    "is a page": (lambda request: Answer(200, "<html>hi</html>", "text/html"), "it answered 200 OK with text/html, not with a message"),
    "is not there": (lambda request: Answer(404, "nothing", "text/plain"), "it answered 404 Not Found with text/plain"),
    "moved": (lambda request: Answer(308, headers={"Location": "/elsewhere"}), "/elsewhere: give that address"),
    "accepts and is silent": (lambda request: Answer(202), "202 Accepted"),
    "has no tools": (talk({"initialize": HELLO}), "it refused tools/list: Method not found"),
    "lists something else": (talk({"initialize": HELLO, "tools/list": {"tools": {}}}), "its tools/list result holds no list of tools"),
    "talks in escapes": (
        talk({"initialize": HELLO, "tools/list": lambda request: Answer.error(request, -1, "\x1b[31mno\x07" + "x" * 9_000)}),
        "it refused tools/list: [31mno" + "x" * 400,
    ),
    "never ends its pages": (
        talk({"initialize": HELLO, "tools/list": {"tools": [], "nextCursor": "again"}}),
        "it sent more than 1000 pages for tools/list",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
async def test_a_url_that_is_no_server(kind: str) -> None:
    answer, reason = WRONG[kind]
    with pytest.raises(SetupError) as raised:
        await ask(answer, timeout_seconds=60.0)
    assert reason in str(raised.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/mcp", "http://[::1", "http://no-such-host.invalid/"])
async def test_a_url_that_cannot_be_reached(url: str) -> None:
    with pytest.raises(SetupError, match="cannot be (reached|used)"):
        await capture_url(url, headers={}, timeout_seconds=10)


async def test_what_a_server_started_is_ended_with_it(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = f"""
import json, os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": {HELLO!r}}}), flush=True)
    elif message.get("method") == "tools/list":
        print("noise", flush=True)
        print(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": {{"tools": []}}}}), flush=True)
"""
    captured = await capture_command([sys.executable, "-c", program], environment=os.environ, timeout_seconds=30)
    assert captured.tools == {"tools": []}
    for pid in map(int, pids.read_text().split()):
        assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # one that ended and that nobody has taken note of is not running
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_without_end_is_not_read_to_its_end(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_wire, "MAX_BYTES", 10_000)
    with pytest.raises(SetupError, match=r"sent more than|too (long|large)|exceed"):
        await ask(lambda request: Answer(body="data: " + "x" * 100_000, kind=kind))
