"""The language world model on a real SGLang: hybrid architecture, reasoning parser, prefix cache. Random weights: only form is asserted.

Install it with tests/peers/sglang/install.sh and run `pytest -m sglang tests/peers/sglang`.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client

from mcp_sim.core.action import Action
from mcp_sim.core.model_settings import Thinking
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.errors import ContextExceededError, ModelUnreachableError, PredictionError
from mcp_sim.predictors.language.completer import Completer, Completion, Message, Request, unheard, unheard_failure
from mcp_sim.predictors.language.doctor import examine
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from mcp_sim.predictors.language.settings import LanguageSettings
from mcp_sim.predictors.language.world_model import LanguageWorldModel
from tests.peers.sglang.server import HERE, HOME, SGLang
from tests.predictors.language.worlds import TEMPLATE, session_of, tool, world
from tests.served import served

pytestmark = [
    pytest.mark.sglang,
    pytest.mark.skipif(not (HOME / "models" / "hybrid").is_dir(), reason=f"no SGLang in {HOME}: run {HERE / 'install.sh'}"),
]

STATUS = {
    "type": "object",
    "properties": {"id": {"type": "integer", "minimum": 0, "maximum": 999}, "status": {"enum": ["open", "closed", "waiting"]}},
    "required": ["id", "status"],
    "additionalProperties": False,
}
ENDLESS = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 4000}
WORLD = world(tool("get_issue", STATUS), tool("close_issue", STATUS))
SETTINGS = LanguageSettings(max_tokens=600, thinking="off", answer_within_seconds=120)


@pytest.fixture(scope="module")
def sglang(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SGLang]:
    server = SGLang(tmp_path_factory.mktemp("sglang") / "log")
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def completer(sglang: SGLang) -> Any:
    connection = OpenAICompleter(sglang.url)
    yield connection
    await connection.aclose()


def request(text: str = "Count.", **fields: Any) -> Request:
    wanted = {"max_tokens": 60, "temperature": 0.6, "top_p": 0.95, "top_k": 20, "thinking": True, **fields}
    return Request(messages=[{"role": "user", "content": text}], **wanted)


async def test_an_answer_is_streamed_and_its_reasoning_split_off(completer: OpenAICompleter) -> None:
    counted: list[int] = []
    completion = await completer.complete(request(temperature=0), counted.append)
    assert len(counted) > 1
    assert completion.reasoning
    assert completion.usage.reasoning > 0
    assert completion.usage.completion <= 60
    assert 0 < completion.time_to_first_token < completion.seconds


async def test_thinking_can_be_switched_off(completer: OpenAICompleter) -> None:
    completion = await completer.complete(request(thinking=False, temperature=0))
    assert completion.text
    assert completion.usage.reasoning == 0


async def test_the_server_decodes_by_schema(completer: OpenAICompleter) -> None:
    of = LanguageWorldModel(WORLD, completer, TEMPLATE, SETTINGS)
    transition = await of.predict(session_of(WORLD), Action.call("get_issue", {"id": 7}), Context())
    assert transition.observation.structured_content["status"] in ("open", "closed", "waiting")
    assert transition.usage["attempts"] == 1


async def test_a_schema_that_the_server_cannot_use_is_left_out(completer: OpenAICompleter) -> None:
    completion = await completer.complete(request(schema={"type": "string", "pattern": "(?<=a)b"}, thinking=False))
    assert completion.text


async def test_a_cancelled_call_stops_the_generation_on_the_server(sglang: SGLang, completer: OpenAICompleter) -> None:
    tokens = "sglang:generation_tokens_total"
    before = sglang.metric(tokens)
    with anyio.CancelScope() as scope:

        def cancel_soon(count: int) -> None:
            if count >= 20:
                scope.cancel()

        await completer.complete(request(schema=ENDLESS, thinking=False, max_tokens=16_000), cancel_soon)
    assert scope.cancelled_caught
    await sglang.idle()
    for _ in range(3):  # the aborted request is counted when the next ones are; what it would have generated is 8,000 tokens
        await completer.complete(request(max_tokens=5))
    assert sglang.metric(tokens) - before < 200


async def test_an_mcp_client_hears_progress_and_stops_the_generation_when_it_cancels(sglang: SGLang, tmp_path: Path) -> None:
    tokens = "sglang:generation_tokens_total"
    before = sglang.metric(tokens)
    output = {"type": "object", "properties": {"numbers": ENDLESS}, "required": ["numbers"]}
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"tools": [{"name": "count", "inputSchema": {"type": "object"}, "outputSchema": output}]}))
    heard: list[str | None] = []
    with served(str(tools), "--model", sglang.url, "--thinking", "off") as url:
        async with Client(url) as client:
            with anyio.CancelScope() as scope:

                async def on_progress(progress: float, total: float | None, message: str | None) -> None:
                    heard.append(message)
                    scope.cancel()

                await client.call_tool("count", {}, progress_callback=on_progress)
            assert scope.cancelled_caught
            await sglang.idle()
            answer = await client.call_tool("no_such_tool", {}, meta={"mcp-sim/session": "other"})
            assert answer.is_error
    assert re.fullmatch(r"\d+ tokens generated", heard[0] or "")
    assert sglang.metric(tokens) - before < 4_000  # it would have been 8,000


async def test_a_prompt_beyond_the_context_says_so(completer: OpenAICompleter) -> None:
    with pytest.raises(ContextExceededError, match="longer than the model's context length"):
        await completer.complete(request("abcd " * 20_000))
    of = LanguageWorldModel(WORLD, completer, TEMPLATE, SETTINGS, context_tokens=completer.context_tokens)
    with pytest.raises(ContextExceededError, match="context"):
        await of.predict(session_of(WORLD), Action.call("get_issue", {"text": "abcd " * 20_000}), Context())
    assert (await of.predict(session_of(WORLD), Action.call("get_issue", {"id": 1}), Context())).source == "imagined"


async def test_the_doctor_sees_how_it_is_served(completer: OpenAICompleter) -> None:
    report = await examine(completer)
    assert (report.up, report.engine, report.context_tokens, report.reasoning_parser) == (True, "sglang", 32_768, "qwen3")
    assert (report.cache_strategy, report.reuses_prompts) == ("extra_buffer", True)
    assert report.tokens_per_second > 0
    assert [problem[:14] for problem in report.problems if "context" in problem] == ["Its context is"]


class Dubbed:
    """Asks the real server, keeps what was asked and counted, and says something sensible in place of the nonsense."""

    def __init__(self, inner: Completer) -> None:
        self.passed: list[tuple[Request, Completion]] = []
        self._inner = inner

    async def complete(
        self,
        request: Request,
        progress: Callable[[int], None] = unheard,
        failed: Callable[[PredictionError], None] = unheard_failure,
    ) -> Completion:
        completion = await self._inner.complete(replace(request, max_tokens=8), progress, failed)
        self.passed.append((request, completion))
        text = f"Issue {len(self.passed)}: " + "the printer on the second floor is out of paper again. " * (len(self.passed) % 4)
        return replace(completion, text=text, reasoning="", finish_reason="stop")


def tracker(unused: int) -> World:
    return world(tool("get_issue"), tool("close_issue"), *(tool(f"unused_tool_number_{number}", STATUS) for number in range(unused)))


# With thinking off, the chat template ends a prompt with an empty thought, which is not there any more when the turn is history. Where
# the last multiple of 64 tokens lies within it, the state that the server keeps there is of no use, and reuse lags for a turn or two.
LATEST_TURNS = {"on": 2, "off": 4}


@pytest.mark.parametrize("thinking", ["on", "off"])
@pytest.mark.parametrize("unused_tools", [0, 30], ids=["short tool list", "long tool list"])
async def test_forty_turns_compute_only_what_is_new(
    unused_tools: int, thinking: Thinking, sglang: SGLang, completer: OpenAICompleter, capsys: pytest.CaptureFixture[str]
) -> None:
    await sglang.idle()
    sglang.forget()
    of = tracker(unused_tools)
    dubbed = Dubbed(completer)
    settings = replace(SETTINGS, thinking=thinking)
    model = LanguageWorldModel(of, dubbed, TEMPLATE, settings, context_tokens=completer.context_tokens)
    session = Session.begin(of, "forty")
    for number in range(40):
        action = Action.call("close_issue" if number % 3 == 2 else "get_issue", {"id": number, "why": "x" * (7 * number % 50)})
        session = session.append(await model.predict(session, action, Context()))
    assert_prefixes([list(asked.messages) for asked, _ in dubbed.passed])
    prompts = [completion.usage.prompt for _, completion in dubbed.passed]
    new = [completion.usage.prompt - completion.usage.cached for _, completion in dubbed.passed]
    for number in range(2, 40):
        latest = prompts[number] - prompts[max(number - LATEST_TURNS[thinking], 0)]
        assert new[number] <= latest + 128, f"turn {number + 1}: {list(zip(prompts, new, strict=True))}"
    within = sum(new[number] <= prompts[number] - prompts[number - 2] + 128 for number in range(2, 40))
    with capsys.disabled():
        told = (
            f"{1 - sum(new) / sum(prompts):.1%} of {sum(prompts)} prompt tokens came from the cache, at most {max(new[2:])} new ones a call"
        )
        sys.stdout.write(
            f"\n40 turns, {len(of.tools)} tools, thinking {thinking}: {told}; {within} of 38 within the last two turns + 128\n"
        )


def assert_prefixes(prompts: list[list[Message]]) -> None:
    for earlier, later in pairwise(prompts):
        assert later[: len(earlier)] == earlier


async def test_a_server_killed_and_restarted_in_mid_session(sglang: SGLang) -> None:
    connection = OpenAICompleter(sglang.url)
    of = LanguageWorldModel(WORLD, connection, TEMPLATE, SETTINGS, context_tokens=connection.context_tokens)
    session = session_of(WORLD)
    action = Action.call("get_issue", {"id": 1})
    session = session.append(await of.predict(session, action, Context()))

    sglang.kill()
    with pytest.raises(ModelUnreachableError, match="mcp-sim model serve"):
        await of.predict(session, action, Context())
    assert len(session.trajectory) == 1
    await anyio.to_thread.run_sync(sglang.start)
    assert (await of.predict(session, action, Context())).source == "imagined"
    await connection.aclose()
