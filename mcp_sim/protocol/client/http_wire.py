"""Servers at a URL: streamable HTTP, and the older pair of an event stream and an address to post to."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from urllib.parse import urljoin, urlsplit

import httpx2

from mcp_sim.core.canonical import JSON
from mcp_sim.protocol.client.wire import MAX_BYTES, NO_HEADERS, CredentialsError, NotSpokenError, WireError, read_message

_SESSION = "mcp-session-id"
_ACCEPT = {"accept": "application/json, text/event-stream"}
_SAID_CHARACTERS = 300


class HttpWire:
    """Streamable HTTP: each message is posted, and the response holds what comes back."""

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url
        self._session: dict[str, str] = {}

    async def exchange(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> AsyncIterator[dict[str, JSON]]:
        """See `Wire.exchange`."""
        all_headers = {**_ACCEPT, **self._session, **headers}
        async with self._client.stream("POST", self._url, json=message, headers=all_headers) as response:
            if _SESSION in response.headers:
                self._session = {_SESSION: response.headers[_SESSION]}
            if _kind(response) == "text/event-stream" and response.is_success:
                async for event in httpx2.EventSource(response, max_event_size=MAX_BYTES):
                    if event.event == "message" and (found := read_message(event.data)) is not None:
                        yield found
                return
            body = await _read(response)
            found = read_message(body)
            # why: a request that could not be read is refused without its id
            if found is not None and "error" in found and found.get("id") is None:
                found = {**found, "id": message.get("id")}
            if found is None or response.status_code == 405 or (not response.is_success and "error" not in found):
                _complain(response, body)
            else:
                _check_credentials(response, body)
                yield found

    async def tell(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> None:
        """See `Wire.tell`."""
        await self._client.post(self._url, json=message, headers={**_ACCEPT, **self._session, **headers})

    async def end(self, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Tell the server that the session is over, if it gave one."""
        if self._session:
            with suppress(httpx2.HTTPError):
                await self._client.delete(self._url, headers={**self._session, **headers})


class SseWire:
    """The transport of revision 2024-11-05: one event stream for all that comes back."""

    def __init__(self, client: httpx2.AsyncClient, events: AsyncIterator[httpx2.ServerSentEvent], endpoint: str) -> None:
        self._client = client
        self._events = events
        self._endpoint = endpoint

    async def exchange(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> AsyncIterator[dict[str, JSON]]:
        """See `Wire.exchange`."""
        await self.tell(message, headers)
        async for event in self._events:
            if event.event == "message" and (found := read_message(event.data)) is not None:
                yield found

    async def tell(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> None:
        """See `Wire.tell`."""
        response = await self._client.post(self._endpoint, json=message, headers=dict(headers))
        if not response.is_success:
            _complain(response, response.content)


@asynccontextmanager
async def client_with(headers: Mapping[str, str], timeout_seconds: float) -> AsyncIterator[httpx2.AsyncClient]:
    """Give an HTTP client that sends these headers. It follows no redirects: what is secret in them is for one address only.

    Raises:
        WireError: a header cannot be sent, or the server cannot be reached.
    """
    try:
        async with httpx2.AsyncClient(headers=dict(headers), timeout=timeout_seconds) as client:
            yield client
    except httpx2.SSEError as error:
        raise WireError(f"it sent an event stream that cannot be read: {error}") from error
    except httpx2.HTTPError as error:
        raise WireError(f"it cannot be reached: {error or type(error).__name__}") from error
    except (httpx2.InvalidURL, UnicodeEncodeError, ValueError) as error:
        raise WireError(f"its address or a header cannot be used: {type(error).__name__}") from error


@asynccontextmanager
async def listening(client: httpx2.AsyncClient, url: str) -> AsyncIterator[SseWire]:
    """Open the event stream of a server that speaks the older transport, for the length of the block.

    Raises:
        NotSpokenError: it does not.
    """
    async with client.stream("GET", url, headers={"accept": "text/event-stream"}) as response:
        if not response.is_success or _kind(response) != "text/event-stream":
            _complain(response, await _read(response))
        events = aiter(httpx2.EventSource(response, max_event_size=MAX_BYTES))
        async for event in events:
            if event.event == "endpoint":
                endpoint = urljoin(url, event.data)
                if urlsplit(endpoint)[:2] != urlsplit(url)[:2]:
                    raise WireError(f"it wants messages sent to another server, {urlsplit(endpoint).netloc}")
                yield SseWire(client, events, endpoint)
                return
        raise NotSpokenError("its event stream names no address to send messages to")


async def _read(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_BYTES:
            raise WireError(f"it sent more than {MAX_BYTES // 2**20} MB in one answer")
    return bytes(body)


def _kind(response: httpx2.Response) -> str:
    kind: str = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind


def _check_credentials(response: httpx2.Response, body: bytes) -> None:
    if response.status_code in (401, 403):
        wanted = response.headers.get("www-authenticate")
        said = f" It wants: {wanted[:_SAID_CHARACTERS]}." if wanted else _said(body)
        raise CredentialsError(f"it answered {response.status_code} {response.reason_phrase}: it wants credentials.{said}")


def _complain(response: httpx2.Response, body: bytes) -> None:
    _check_credentials(response, body)
    if response.is_redirect:
        target = urljoin(str(response.url), response.headers.get("location", ""))
        raise WireError(f"it redirects to {target}: give that address if it is the one you mean")
    if response.is_success and response.status_code == 202:
        raise WireError("it answered a request with 202 Accepted, and nothing else")
    what = _kind(response) or "no content"
    raise NotSpokenError(f"it answered {response.status_code} {response.reason_phrase} with {what}, not with a message.{_said(body)}")


def _said(body: bytes) -> str:
    text = body[:_SAID_CHARACTERS].decode("utf-8", "replace").strip()
    with suppress(ValueError, TypeError, KeyError):  # most errors are JSON with a message
        text = json.loads(body)["error"]["message"]
    return f" It said: {text}" if text else ""
