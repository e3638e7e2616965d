from typing import Any

import anyio
from anyio.abc import SocketStream

from mcp_sim.predictors.language.doctor import ModelReport, examine
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from tests.predictors.language.hand_server import MODELS, begin_events, chunk, hand_server, write


def answering(cached: int) -> Any:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        await begin_events(stream)
        await stream.send(chunk("one"))
        await anyio.lowlevel.checkpoint()
        usage = {"prompt_tokens": 500, "completion_tokens": 60, "prompt_tokens_details": {"cached_tokens": cached}}
        await stream.send(chunk(" two") + chunk(finish_reason="stop", usage=usage) + b"data: [DONE]\n\n")

    return answer


async def report(answer: Any, **model: Any) -> ModelReport:
    models = {"data": [{**MODELS["data"][0], **model}]}
    async with hand_server(answer, models) as url:
        connection = OpenAICompleter(url)
        found = await examine(connection)
        await connection.aclose()
    return found


async def test_a_fit_server_has_no_problems() -> None:
    found = await report(answering(448), owned_by="vllm")
    assert (found.up, found.model, found.engine, found.context_tokens, found.reuses_prompts) == (True, "toy", "vllm", 200_000, True)
    assert found.problems == ()
    assert found.expected_seconds is not None


async def test_a_server_that_computes_prompts_anew_is_told_its_own_flags() -> None:
    found = await report(answering(0), owned_by="sglang")
    assert "--mamba-radix-cache-strategy extra_buffer" in found.problems[0]
    assert any("--reasoning-parser qwen3" in problem for problem in found.problems)


async def test_a_short_context_and_slowness_are_problems() -> None:
    found = await report(answering(448), owned_by="vllm", max_model_len=8192)
    assert any("8192 tokens" in problem for problem in found.problems)
    slow = ModelReport(url="", up=True, problems=(), tokens_per_second=10.0)
    assert slow.expected_seconds == 434.8


async def test_a_server_that_fails_is_down_with_its_reason() -> None:
    async def refuse(stream: SocketStream, body: dict[str, Any]) -> None:
        await write(stream, '{"error": {"message": "no"}}', status="401 Unauthorized")

    found = await report(refuse)
    assert not found.up
    assert "MCP_SIM_API_KEY" in found.problems[0]
