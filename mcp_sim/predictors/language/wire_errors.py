"""What went wrong between us and a model server, said so that somebody can mend it."""

import re

import httpx2
import openai

from mcp_sim.errors import (
    ContextExceededError,
    ModelRefusedError,
    ModelReplyError,
    ModelUnreachableError,
    PredictionError,
)
from mcp_sim.predictors.language.retrying import causes

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|size|window)|exceed_context|longer than the model|maximum context|too many tokens|prompt is too long",
    re.IGNORECASE,
)
_TLS = re.compile(r"CERTIFICATE|\bSSL\b|\bTLS\b|WRONG_VERSION_NUMBER|HANDSHAKE", re.IGNORECASE)
_NOT_PRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SHOWN_CHARACTERS = 400


def translate(error: Exception, url: str, model_name: str | None) -> PredictionError:
    """Return the error to raise for what a client library raised."""
    for cause in causes(error):
        if isinstance(cause, PredictionError):
            return cause
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, url, model_name)
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError):
        return _of_connection(error, url)
    told = excerpt(str(error))
    if _TOO_LONG.search(told):
        return _too_long(told)
    return ModelReplyError(f"The model server at {url} broke off its answer with an error: {told}")


def refused_key(url: str) -> ModelRefusedError:
    """Return the error for a key that is missing or wrong."""
    return ModelRefusedError(
        f"The model server at {url} refuses the key. Set MCP_SIM_API_KEY to a valid one in the environment of mcp-sim."
    )


def is_complaint(error: Exception) -> bool:
    """Whether a server found fault with the request itself; SGLang says so of a schema within the stream."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code in (400, 422)
    return isinstance(error, openai.APIError) and error.code == "400"


def excerpt(text: str) -> str:
    """Return the beginning of a foreign text on one line."""
    line = _NOT_PRINTED.sub(" ", text[: 2 * _SHOWN_CHARACTERS]).strip()
    return line if len(line) <= _SHOWN_CHARACTERS else line[:_SHOWN_CHARACTERS] + "..."


def _of_status(error: openai.APIStatusError, url: str, model_name: str | None) -> PredictionError:
    status, told = error.status_code, excerpt(error.message)
    if status in (401, 403):
        return refused_key(url)
    if status == 404:
        return ModelRefusedError(
            f"The model server at {url} has no such model ({model_name}) or no /chat/completions: {told} Check --model-name, and the URL: "
            "it usually ends in /v1."
        )
    if status in (400, 413, 422) and _TOO_LONG.search(told):
        return _too_long(told)
    if status == 429:
        return ModelRefusedError(f"The model server at {url} is asked too much (429): {told} Lower --concurrency.")
    if status >= 500:
        return ModelRefusedError(f"The model server at {url} fails ({status}): {told} Look at its log.")
    hint = " Lower --max-tokens." if "too large" in told else ""
    return ModelRefusedError(f"The model server at {url} refuses the request ({status}): {told}{hint}")


def _of_connection(error: Exception, url: str) -> PredictionError:
    told = " ".join(f"{type(cause).__name__}: {cause}" for cause in causes(error))
    if _TLS.search(told):
        return ModelUnreachableError(
            f"The TLS connection to {url} fails: {excerpt(_innermost(error))}. Use http:// for a server without TLS; for a certificate of "
            "your own, point SSL_CERT_FILE to it."
        )
    if any(isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) for cause in causes(error)):
        return ModelUnreachableError(
            f"No model server answers at {url} ({excerpt(_innermost(error))}). Start it (mcp-sim model serve MODEL), or point --model "
            "or MCP_SIM_MODEL to where it is. The next call will find it."
        )
    return ModelUnreachableError(
        f"The connection to the model server at {url} broke in the middle of an answer ({excerpt(_innermost(error))}). Nothing was kept; "
        "call again, and look at the server's log if that does not help."
    )


def _too_long(told: str) -> ContextExceededError:
    return ContextExceededError(
        f"The prompt does not fit the model's context: {told} Serve the model with a longer context, or shorten tools, background or "
        f"arguments."
    )


def _innermost(error: BaseException) -> str:
    *_, last = causes(error)
    return str(last) or type(last).__name__
