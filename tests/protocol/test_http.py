"""The HTTP server against clients that are slow, gone, or on a page of somebody else's."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from mcp_sim.protocol.whole_body import WholeBody
from tests.served import served

HEAD = "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


async def told(app: ASGIApp, *messages: Message, path: str = "/") -> list[Message]:
    """Return what the app sends for a request of these messages; after them nothing comes."""
    sent: list[Message] = []
    left = list(messages)

    async def receive() -> Message:
        if not left:
            await anyio.sleep_forever()
        return left.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b"", "http_version": "1.1"}
    with anyio.fail_after(20):
        await app(scope, receive, send)
    return sent


def part(body: bytes, *, is_last: bool = False) -> Message:
    return {"type": "http.request", "body": body, "more_body": not is_last}


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(await request.body())


def echoing(**options: float) -> WholeBody:
    return WholeBody(Starlette(routes=[Route("/", echo, methods=["POST"])]), **options)


async def test_a_whole_body_is_passed_on_as_it_came() -> None:
    sent = await told(echoing(), part(b"one "), part(b""), part(b"two", is_last=True))
    assert (sent[0]["status"], sent[1]["body"]) == (200, b"one two")


async def test_a_body_that_stops_coming_is_given_up() -> None:
    sent = await told(echoing(seconds=0.05), part(b"{"))
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert b"1 bytes came" in sent[1]["body"]


async def test_whoever_leaves_is_a_line_for_debugging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    assert await told(echoing(), part(b"{"), {"type": "http.disconnect"}) == []
    lines = [(record.levelname, record.message) for record in caplog.records if record.name.startswith("mcp_sim")]
    assert lines == [("DEBUG", "A client left after 1 bytes of a request's body to /.")]


async def test_too_much_is_the_apps_to_refuse_at_once() -> None:
    async def refuse(request: Request) -> PlainTextResponse:
        return PlainTextResponse("too much", status_code=413)

    app = WholeBody(Starlette(routes=[Route("/", refuse, methods=["POST"])]), most_bytes=5)
    sent = await told(app, part(b"x" * 6))
    assert sent[0]["status"] == 413


async def test_the_app_hears_that_the_client_left_after_the_body() -> None:
    heard: list[str] = []

    async def waiting(request: Request) -> PlainTextResponse:
        await request.body()
        heard.append((await request.receive())["type"])
        return PlainTextResponse("")

    app = Starlette(routes=[Route("/", waiting, methods=["POST"])], middleware=[Middleware(WholeBody)])
    await told(app, part(b"x", is_last=True), {"type": "http.disconnect"})
    assert heard == ["http.disconnect"]


def test_clients_that_drop_leave_no_traceback() -> None:
    with served("memory") as url:  # which looks at what was said
        place = urlsplit(url)
        for sent in ("", "{", '{"jsonrpc": "2.0"'):
            with socket.create_connection((place.hostname, place.port)) as client:
                client.sendall(f"{HEAD.format(host=place.netloc)}Content-Length: 1000\r\n\r\n{sent}".encode())
        assert httpx2.post(url, json=INITIALIZE, headers={"accept": "application/json, text/event-stream"}).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200),
        ("http://127.0.0.1:6274", 200),
        ("http://[::1]:9", 200),
        ("https://localhost", 200),
        ("null", 403),
        ("http://evil.com", 403),
        ("http://localhost.evil.com", 403),
        ("http://127.0.0.1.evil.com:80", 403),
        ("file://", 403),
    ],
)
def test_pages_of_this_machine_may_ask_and_others_may_not(origin: str, status: int, memory_url: str) -> None:
    headers = {"accept": "application/json, text/event-stream", "origin": origin}
    assert httpx2.post(memory_url, json=INITIALIZE, headers=headers).status_code == status


@pytest.fixture(scope="module")
def memory_url() -> Iterator[str]:
    with served("memory") as url:
        yield url
