"""Between a client and a real server at a URL: each request goes on to the same path there, each response comes back as it is."""

import itertools
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx2
from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from mcp_sim.protocol.http import security_of
from mcp_sim.protocol.recording.byte_lines import ByteLines
from mcp_sim.protocol.recording.reading_along import ReadingAlong
from mcp_sim.protocol.whole_body import WholeBody

_HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host content-length".split()
)
_METHODS = ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"]
_SESSION = "mcp-session-id"


def build_proxy(url: str, headers: Mapping[str, str], reading: ReadingAlong, *, host: str) -> Starlette:
    """Return the ASGI app that stands before the server at the URL; `headers` are sent with every request, and kept nowhere.

    Requests with another `Host` than the one listened on, or from a page of another host, are refused: they would borrow the headers.
    """
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    client = httpx2.AsyncClient(timeout=httpx2.Timeout(30, read=None), follow_redirects=False)
    numbers = itertools.count(1)
    client.headers.clear()  # none of our own
    security = TransportSecurityMiddleware(security_of(host, ()))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with client:
            yield

    async def pass_on(request: Request) -> Response:
        refusal = await security.validate_request(request, is_post=False)
        if refusal is not None:
            return refusal
        body = await request.body()
        sent = [pair for pair in request.headers.raw if pair[0] not in _HOP_BY_HOP and pair[0].decode("latin-1") not in _lowered(headers)]
        # why identity: what is read along must be readable; nothing else of the request is other than the client's
        sent = [pair for pair in sent if pair[0] != b"accept-encoding"] + [(b"accept-encoding", b"identity")]
        sent += [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        target = origin + request.url.path + (f"?{request.url.query}" if request.url.query else "")
        # why a name of its own: clients without a protocol session may use the same ids at the same time
        connection = request.headers.get(_SESSION) or (f"request {next(numbers)}" if body else "")
        reading.client_said(body, connection)
        onward = client.build_request(request.method, target, headers=sent, content=body if body else None)
        try:
            response = await client.send(onward, stream=True)
        except httpx2.HTTPError as error:
            reading.give_up(body, connection)
            return PlainTextResponse(f"mcp-sim record: {origin} cannot be reached: {error or type(error).__name__}", status_code=502)
        if response.status_code == 202 and _SESSION not in request.headers:
            reading.join(connection, "")  # the older transport: what is answered comes on a stream that was opened before
        is_final = response.status_code != 202 and (_SESSION not in request.headers or not response.is_success)
        ear = _Ear(response, reading, connection, asked=body if is_final else b"")
        back = StreamingResponse(_relay(response, ear), status_code=response.status_code)
        back.raw_headers = [
            pair for pair in response.headers.raw if pair[0].lower() not in _HOP_BY_HOP or pair[0].lower() == b"content-length"
        ]
        return back

    return Starlette(
        routes=[Route("/{path:path}", endpoint=pass_on, methods=_METHODS)],
        lifespan=lifespan,
        middleware=[Middleware(WholeBody, most_bytes=math.inf)],  # how much a body may hold is the real server's to say
    )


class _Ear:
    """Hears a response as it passes: one message, or those of an event stream. What was `asked` is answered there or nowhere."""

    def __init__(self, response: httpx2.Response, reading: ReadingAlong, connection: str, asked: bytes) -> None:
        self._asked = asked
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self._is_stream = kind == "text/event-stream"
        self._is_message = kind == "application/json"
        self._reading, self._connection = reading, connection
        self._lines = ByteLines()
        self._data: list[bytes] = []
        self._body: list[bytes] = []

    def hear(self, chunk: bytes) -> None:
        if self._is_message:
            self._body.append(chunk)
        for line in self._lines.feed(chunk) if self._is_stream else ():
            line = line.rstrip(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                self._reading.server_said(b"\n".join(self._data), self._connection)
                self._data = []

    def end(self) -> None:
        if self._is_message:
            self._reading.server_said(b"".join(self._body), self._connection)
        self._reading.give_up(self._asked, self._connection)


async def _relay(response: httpx2.Response, ear: _Ear) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
            ear.hear(chunk)
    finally:
        ear.end()
        await response.aclose()


def _lowered(headers: Mapping[str, str]) -> frozenset[str]:
    return frozenset(name.lower() for name in headers)
