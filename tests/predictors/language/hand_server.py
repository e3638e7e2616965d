"""A model server made by hand, which misbehaves as it is told to. Real sockets."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream

Answer = Callable[[SocketStream, dict[str, Any]], Awaitable[None]]

MODELS = {"object": "list", "data": [{"id": "toy", "object": "model", "owned_by": "hand", "max_model_len": 200_000}]}


@asynccontextmanager
async def hand_server(answer: Answer, models: dict[str, Any] | None = None) -> AsyncIterator[str]:
    """Serve `/v1/models`, and whatever `answer` writes for a completion; yield the base URL."""

    async def serve(stream: SocketStream) -> None:
        async with stream:
            try:
                while request := await _request(stream):
                    path, body = request
                    if path.endswith("/chat/completions"):
                        await answer(stream, body)
                        return  # every answer has a connection of its own
                    found = path == "/v1/models"
                    await write(stream, json.dumps(models or MODELS if found else {}), status="200 OK" if found else "404 Not Found")
            except (anyio.BrokenResourceError, anyio.EndOfStream, anyio.ClosedResourceError):
                pass

    failure: Exception | None = None
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        try:
            yield f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}/v1"
        except Exception as error:  # raised below: a task group would wrap it
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def write(stream: SocketStream, body: str | bytes, status: str = "200 OK", kind: str = "application/json", extra: str = "") -> None:
    """Write one whole response."""
    data = body.encode() if isinstance(body, str) else body
    await stream.send(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(data)}\r\n\r\n".encode() + data)


async def begin_events(stream: SocketStream) -> None:
    """Write the head of a response that ends when the connection does."""
    await stream.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")


def chunk(text: str = "", finish_reason: str | None = None, usage: dict[str, Any] | None = None) -> bytes:
    """Return one event of a streamed completion."""
    choices = [{"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish_reason}]
    event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "toy", "choices": choices, "usage": usage}
    return f"data: {json.dumps(event)}\n\n".encode()


async def say(stream: SocketStream, text: str) -> None:
    """Answer as a well-behaved server does."""
    await begin_events(stream)
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15, "prompt_tokens_details": {"cached_tokens": 8}}
    await stream.send(chunk(text) + chunk(finish_reason="stop", usage=usage) + b"data: [DONE]\n\n")


async def _request(stream: SocketStream) -> tuple[str, dict[str, Any]] | None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += await stream.receive()
        if data[0] == 0x16:  # a TLS handshake
            await write(stream, "", status="400 Bad Request")
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += await stream.receive()
    return head.split(b" ")[1].decode(), json.loads(body) if body else {}
