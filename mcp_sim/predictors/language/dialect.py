"""What the engines behind an OpenAI-compatible API want in a request, each in its own words."""

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.language.completer import Request
from mcp_sim.predictors.language.server_facts import Engine

FORGONE = ("top_k", "chat_template_kwargs", "reasoning_effort", "temperature", "top_p", "stream_options", "max_tokens", "response_format")
"""Fields that a server may refuse: they are then left out, for the rest of the connection."""


def fields_of(request: Request, engine: Engine, rid: str) -> dict[str, JSON]:
    """Return all fields of the request body but model and messages.

    Sources: SGLang `ChatCompletionRequest` (`separate_reasoning`, `rid`), vLLM and llama.cpp server documentation
    (`chat_template_kwargs`, `top_k`), OpenAI and Ollama API references (`reasoning_effort`).
    """
    fields: dict[str, JSON] = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "stream_options": {"include_usage": True},
    }
    if request.schema is not None:
        fields["response_format"] = {"type": "json_schema", "json_schema": {"name": "observation", "schema": request.schema}}
    if engine == "other":
        return fields if request.thinking else {**fields, "reasoning_effort": "none"}
    fields |= {"top_k": request.top_k, "chat_template_kwargs": {"enable_thinking": request.thinking}}
    if engine == "sglang":
        fields |= {"separate_reasoning": True, "rid": rid}
    return fields


def without(fields: dict[str, JSON], forgone: set[str]) -> dict[str, JSON]:
    """Return the fields without those that the server has refused; the limit of the answer then goes by its newer name."""
    kept = {name: value for name, value in fields.items() if name not in forgone}
    if "max_tokens" in forgone:
        kept["max_completion_tokens"] = fields["max_tokens"]
    return kept


def refused_field(message: str, sent: dict[str, JSON]) -> str | None:
    """Return which of the fields that were sent a server complains of in a message, if any."""
    if "response_format" in sent and any(word in message.lower() for word in ("json_schema", "response_format", "grammar", "schema")):
        return "response_format"
    return next((name for name in FORGONE if name in sent and name in message), None)
