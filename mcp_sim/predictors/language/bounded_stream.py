"""A response that cannot fill the memory, whatever the server sends."""

from collections.abc import AsyncIterator

import httpx2

from mcp_sim.errors import ModelReplyError

_LONGEST_EVENT_BYTES = 4 * 2**20
_LONGEST_RESPONSE_BYTES = 64 * 2**20  # 32,768 tokens, each in an event of its own, come to about 13 MiB


class BoundedStream(httpx2.AsyncByteStream):
    """Passes bytes on until there are too many, in one event or in all."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes.

        Raises:
            ModelReplyError: they are too many.
        """
        total = event = 0
        async for part in self._stream:
            total += len(part)
            last_end = max(part.rfind(b"\n\n"), part.rfind(b"\r\n\r\n"))
            event = event + len(part) if last_end < 0 else len(part) - last_end
            if event > _LONGEST_EVENT_BYTES or total > _LONGEST_RESPONSE_BYTES:
                raise ModelReplyError(
                    f"The model server sent {total} bytes that are no answer of a language model. Is its URL right? It usually ends in /v1."
                )
            yield part

    async def aclose(self) -> None:
        """Close the connection's stream."""
        await self._stream.aclose()


async def bound_response(response: httpx2.Response) -> None:
    """Bound a response that has not been read yet: a response hook of the HTTP client.

    Raises:
        ModelReplyError: it is compressed, which was not asked for and could hide any size.
    """
    encoding = response.headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise ModelReplyError(
            f"The model server compressed its answer ({encoding[:40]}) although asked not to. Turn that off, in a proxy perhaps."
        )
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = BoundedStream(response.stream)
