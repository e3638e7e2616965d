"""What a model server says about itself."""

from dataclasses import dataclass
from typing import Any, Literal

import httpx2

from mcp_sim.errors import ModelRefusedError, ModelReplyError, PredictionError
from mcp_sim.predictors.language.wire_errors import refused_key, translate

Engine = Literal["sglang", "vllm", "llama.cpp", "other"]

_ENGINES: dict[object, Engine] = {"sglang": "sglang", "vllm": "vllm", "llamacpp": "llama.cpp"}
_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """Which engine serves which model with how much context.

    `context_tokens` is `None` where the server does not tell. `details` is what SGLang tells at `/server_info` or llama.cpp at `/props`.
    """

    engine: Engine
    model: str
    context_tokens: int | None
    details: dict[str, Any]


async def read_facts(http: httpx2.AsyncClient, url: str, model_name: str | None) -> ServerFacts:
    """Ask a server at an OpenAI-compatible base URL what it is. Without a name, its only model is meant.

    Raises:
        PredictionError: it does not answer, refuses the key, has no such model, or has several and none is named.
    """
    try:
        response = await http.get(f"{url}/models")
        listing = response.json() if response.status_code == 200 else None
    except (httpx2.HTTPError, PredictionError) as error:
        raise translate(error, url, model_name) from error
    except (ValueError, RecursionError) as error:
        raise ModelReplyError(f"{url}/models answers, but not with JSON. Is the URL right? It usually ends in /v1.") from error
    if response.status_code in (401, 403):
        raise refused_key(url)
    models = [item for item in listing.get("data") or () if isinstance(item, dict)] if isinstance(listing, dict) else []
    if not models:
        if model_name is None:
            raise ModelReplyError(
                f"{url}/models lists no models (status {response.status_code}). Is the URL right? It usually ends in /v1. "
                "Where a server cannot list them, name one with --model-name."
            )
        return ServerFacts("other", model_name, None, {})
    chosen = _choose(models, url, model_name)
    engine = _ENGINES.get(chosen.get("owned_by"), "other")
    details = await _details(http, url, engine)
    return ServerFacts(engine, str(chosen.get("id")), _context_tokens(chosen, details), details)


def _choose(models: list[dict[str, Any]], url: str, model_name: str | None) -> dict[str, Any]:
    names = [str(model.get("id"))[:200] for model in models]
    if model_name is None and len(set(names)) == 1:
        return models[0]
    for model, name in zip(models, names, strict=True):
        if name == model_name:
            return model
    listed = ", ".join(names[:_NAMES_SHOWN]) + (", ..." if len(names) > _NAMES_SHOWN else "")
    problem = "serves several models" if model_name is None else f"does not serve {model_name!r}"
    raise ModelRefusedError(f"The model server at {url} {problem}. Choose with --model-name: {listed}.")


async def _details(http: httpx2.AsyncClient, url: str, engine: Engine) -> dict[str, Any]:
    path = {"sglang": "/server_info", "llama.cpp": "/props"}.get(engine)
    if path is None:
        return {}
    try:
        response = await http.get(root_of(url) + path)
        details = response.json() if response.status_code == 200 else {}
    except (httpx2.HTTPError, PredictionError, ValueError, RecursionError):
        return {}  # only worth knowing: answers are asked for elsewhere
    return details if isinstance(details, dict) else {}


def root_of(url: str) -> str:
    """Return the address of the server's own endpoints, beside those of `/v1`."""
    return url.removesuffix("/v1")


def _context_tokens(model: dict[str, Any], details: dict[str, Any]) -> int | None:
    generation = details.get("default_generation_settings")
    slot = generation.get("n_ctx") if isinstance(generation, dict) else None
    for tokens in (slot, model.get("max_model_len"), details.get("context_length"), model.get("context_length")):
        if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens > 0:
            return tokens
    return None
