"""Gathering a streamed answer from its chunks, whatever they are made of."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2

from mcp_sim.core.counted import count_of
from mcp_sim.errors import ModelReplyError
from mcp_sim.predictors.language.completer import Completion, Usage
from mcp_sim.predictors.language.wire_errors import excerpt

_EXCERPT_BYTES = 4_096
_REASONING_FIELDS = ("reasoning_content", "reasoning")  # SGLang, llama.cpp and older vLLM; newer vLLM and Ollama


@dataclass(slots=True)
class _Gathered:
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    pieces: int = 0
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)


async def expect_event_stream(response: httpx2.Response, url: str) -> None:
    """Go on only if a response is a stream of events.

    Raises:
        ModelReplyError: it is something else. The message shows its beginning.
    """
    kind = response.headers.get("content-type", "text/event-stream")
    if kind.split(";")[0].strip().lower() == "text/event-stream":
        return
    start = b""
    async for part in response.aiter_bytes():
        start += part
        if len(start) >= _EXCERPT_BYTES:
            break
    told = excerpt(start[:_EXCERPT_BYTES].decode("utf-8", "replace"))
    raise ModelReplyError(
        f"The model server at {url} answers with {excerpt(kind)} instead of a stream of events: {told} Is the URL right? It usually "
        f"ends in /v1."
    )


async def gather(stream: AsyncIterator[Any], started: float, url: str, progress: Callable[[int], None]) -> Completion:
    """Return the completion that a stream of chunks makes; `started` is when it was asked for.

    Raises:
        ModelReplyError: the stream ends before the answer does, or holds chunks that are none.
    """
    gathered = _Gathered()
    first_token_at: float | None = None
    try:
        async for chunk in stream:
            if _add(gathered, chunk):
                first_token_at = first_token_at or anyio.current_time()
                progress(gathered.pieces)
    except (AttributeError, TypeError, LookupError, ValueError, RecursionError) as error:
        raise ModelReplyError(f"The model server at {url} sent a chunk that is none: {excerpt(str(error))}") from error
    if gathered.finish_reason is None:
        raise ModelReplyError(
            f"The model server at {url} ended its answer in the middle, after {count_of(gathered.pieces, 'token')}. Look at its log."
        )
    if gathered.finish_reason == "abort":
        raise ModelReplyError(f"The model server at {url} aborted the answer after {count_of(gathered.pieces, 'token')}. Look at its log.")
    now = anyio.current_time()
    return Completion(
        text="".join(gathered.text),
        reasoning="".join(gathered.reasoning),
        finish_reason=gathered.finish_reason,
        usage=gathered.usage,
        seconds=now - started,
        time_to_first_token=(first_token_at or now) - started,
    )


def _add(gathered: _Gathered, chunk: Any) -> bool:
    """Add a chunk to what is gathered; return whether it brought tokens."""
    if getattr(chunk, "usage", None) is not None:
        gathered.usage = _usage(chunk.usage)
    choices = getattr(chunk, "choices", None)
    if not isinstance(choices, list) or not choices:
        return False
    reason = getattr(choices[0], "finish_reason", None)
    if reason is not None:
        gathered.finish_reason = str(reason)
    delta = getattr(choices[0], "delta", None)
    text = getattr(delta, "content", None)
    reasoning = next((value for name in _REASONING_FIELDS if isinstance(value := getattr(delta, name, None), str) and value), None)
    if isinstance(text, str) and text:
        gathered.text.append(text)
    if reasoning is not None:
        gathered.reasoning.append(reasoning)
    if not text and reasoning is None:
        return False
    gathered.pieces += 1
    return True


def _usage(usage: Any) -> Usage:
    prompt_details = getattr(usage, "prompt_tokens_details", None)
    completion_details = getattr(usage, "completion_tokens_details", None)
    return Usage(
        prompt=_count(usage, "prompt_tokens"),
        cached=_count(prompt_details, "cached_tokens"),
        completion=_count(usage, "completion_tokens"),
        reasoning=_count(completion_details, "reasoning_tokens") or _count(usage, "reasoning_tokens"),
    )


def _count(counts: Any, name: str) -> int:
    value = getattr(counts, name, None)
    return value if isinstance(value, int) and value > 0 else 0
