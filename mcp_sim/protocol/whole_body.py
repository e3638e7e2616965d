"""Requests that arrive whole, in time, or not at all."""

import logging
from collections import deque

import anyio
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

BODY_SECONDS = 60.0
"""How long a client may take to send a request's body."""


class WholeBody:
    """Gives the app requests whose body is here, as ASGI middleware: the web server behind which it stands waits for a body for ever.

    A client that leaves in the middle of a body is a line in the log, one that stops sending gets 408. A body of more than `most_bytes` is
    given to the app with what came of it until then, to be refused there.
    """

    def __init__(self, app: ASGIApp, seconds: float = BODY_SECONDS, most_bytes: float = DEFAULT_MAX_REQUEST_BODY_SIZE) -> None:
        self._app = app
        self._seconds = seconds
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI apps do."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        held: deque[Message] = deque()
        total_bytes, is_more = 0, True
        with anyio.move_on_after(self._seconds):
            while is_more and total_bytes <= self._most_bytes:
                message = await receive()
                if message["type"] == "http.disconnect":
                    logger.debug("A client left after %d bytes of a request's body to %s.", total_bytes, scope.get("path"))
                    return
                held.append(message)
                total_bytes += len(message.get("body", b""))
                is_more = message.get("more_body", False)
        if is_more and total_bytes <= self._most_bytes:
            logger.debug("A client sent %d bytes of a request's body to %s and no more.", total_bytes, scope.get("path"))
            late = f"The request's body did not arrive within {self._seconds:g} s: {total_bytes} bytes came. Send it again, whole."
            await PlainTextResponse(late, status_code=408, headers={"connection": "close"})(scope, receive, send)
            return

        async def replay() -> Message:
            return held.popleft() if held else await receive()

        await self._app(scope, replay, send)
