import contextlib
import json
from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import ContextExceededError, ModelReplyError, ModelSlowError, ModelUnreachableError, PredictionError
from mcp_sim.predictors.language import asking
from mcp_sim.predictors.language.completer import Completion, Request, Usage, unheard, unheard_failure
from mcp_sim.predictors.language.scripted import Reply, ScriptedCompleter
from mcp_sim.predictors.language.settings import LanguageSettings, settle
from mcp_sim.predictors.language.world_model import LanguageWorldModel
from tests.predictors.language.test_neutral import hostile
from tests.predictors.language.worlds import TEMPLATE, demonstration, session_of, tool, world

WORLD = world()
READ = Action.call("read_file", {"path": "/a"})
USER = Action.call("get_user", {"id": 1})
CUT = Completion(text="half", finish_reason="length", usage=Usage(prompt=10, completion=100))


def model(
    replies: list[Reply], of: World = WORLD, settings: LanguageSettings | None = None
) -> tuple[LanguageWorldModel, ScriptedCompleter]:
    completer = ScriptedCompleter(replies)
    return LanguageWorldModel(of, completer, TEMPLATE, settings), completer


async def predict(replies: list[Reply], action: Action = READ, session: Session | None = None, of: World = WORLD) -> Transition:
    return await model(replies, of)[0].predict(session or session_of(of), action, Context())


async def test_an_imagined_answer_carries_its_counts() -> None:
    usage = Usage(prompt=500, cached=448, completion=90, reasoning=60)
    transition = await predict([Completion(text="hello", reasoning="hm", usage=usage, time_to_first_token=0.25)])
    assert transition.source == "imagined"
    assert transition.observation == Observation.of_text("hello")
    assert not transition.changes
    counts = {key: transition.usage[key] for key in ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "attempts")}
    assert counts == {"prompt_tokens": 500, "cached_tokens": 448, "completion_tokens": 90, "reasoning_tokens": 60, "attempts": 1}
    assert transition.usage["time_to_first_token"] == 0.25
    assert json.loads(json.dumps(transition.usage)) == transition.usage


async def test_a_mutating_call_changes_state() -> None:
    assert (await predict(["written"], Action.call("write_file", {"path": "/a"}))).changes


@given(hostile)
async def test_what_the_model_repeats_comes_out_as_it_was_shown(text: str) -> None:
    """A model that gives back the last observation exactly as it stands in its prompt."""
    text = text.lstrip("\r\n")
    session = session_of(WORLD, (READ, Observation.of_text(text)))
    marker = "**Environment Observation:**\n"
    completer = ScriptedCompleter(lambda request: request.messages[2]["content"].removeprefix(marker))
    if text.strip() and not text.lstrip().startswith("**Environment Observation:**"):
        transition = await LanguageWorldModel(WORLD, completer, TEMPLATE).predict(session, READ, Context())
        assert transition.observation.text == text


async def test_sampling_thinking_and_schema_reach_the_completer() -> None:
    settings = LanguageSettings(temperature=0.1, top_p=0.5, top_k=7, max_tokens=99, thinking="off")
    of, completer = model(['{"id": 1, "name": "Ada"}'], settings=settings)
    await of.predict(session_of(WORLD), USER, Context())
    (request,) = completer.requests
    assert (request.temperature, request.top_p, request.top_k, request.max_tokens, request.thinking) == (0.1, 0.5, 7, 99, False)
    assert request.schema["properties"]["name"]["maxLength"] > 0
    assert request.schema["properties"]["id"]["maximum"] == 2**53 - 1


class TestStructured:
    @pytest.mark.parametrize(
        "text", ['{"id": 1, "name": "Ada"}', '```json\n{"id": 1, "name": "Ada"}\n```', 'Here: {"id": 1, "name": "Ada"} Done.']
    )
    async def test_json_is_found(self, text: str) -> None:
        transition = await predict([text], USER)
        assert transition.observation.structured_content == {"id": 1, "name": "Ada"}

    async def test_a_misfit_is_shown_its_error_and_mended(self) -> None:
        of, completer = model(['{"id": "one", "name": "Ada"}', '{"id": 1, "name": "Ada"}'])
        transition = await of.predict(session_of(WORLD), USER, Context())
        assert transition.observation.structured_content == {"id": 1, "name": "Ada"}
        repair = completer.requests[1].messages
        assert repair[-2] == {"role": "assistant", "content": '{"id": "one", "name": "Ada"}'}
        assert "at /id: 'one' is not of type 'integer'" in repair[-1]["content"]
        assert repair[:-2] == list(completer.requests[0].messages)

    async def test_after_two_repairs_it_is_an_error(self) -> None:
        of, completer = model(["[]"] * 4)
        with pytest.raises(ModelReplyError, match=r"'get_user'.* breaks the tool's output schema"):
            await of.predict(session_of(WORLD), USER, Context())
        assert len(completer.requests) == 3

    @pytest.mark.parametrize("text", ["NaN", '{"id": NaN, "name": "x"}', "[" * 5000, '{"id": ' + "9" * 5000 + "}", "no json at all"])
    async def test_no_json_is_no_crash(self, text: str) -> None:
        with pytest.raises(PredictionError):
            await predict([text] * 3, USER)

    async def test_a_known_failure_may_come_instead(self) -> None:
        of = world(demonstrations=(demonstration("get_user", {"id": 9}, "User 9 does not exist", is_error=True),))
        for text in ("User 12 does not exist", '"User 12 does not exist"'):
            transition = await predict([text], USER, of=of)
            assert transition.observation == Observation.of_text("User 12 does not exist", is_error=True)


class TestUnusableReplies:
    async def test_a_cut_off_answer_is_asked_for_again_without_thinking(self) -> None:
        of, completer = model([CUT, "whole"])
        transition = await of.predict(session_of(WORLD), READ, Context())
        assert transition.observation.text == "whole"
        assert [request.thinking for request in completer.requests] == [True, False]
        assert "cut off after 100 tokens" in transition.notes[0]

    async def test_cut_off_twice_names_the_limit_to_raise(self) -> None:
        with pytest.raises(ModelReplyError, match=r"Raise --max-tokens \(now 32768\)"):
            await predict([CUT, CUT])

    async def test_cut_off_by_the_context_says_so(self) -> None:
        async def small() -> int:
            return 5_000

        of = LanguageWorldModel(WORLD, ScriptedCompleter([CUT, CUT]), TEMPLATE, context_tokens=small)
        with pytest.raises(ModelReplyError, match="serve the model with a longer context"):
            await of.predict(session_of(WORLD), READ, Context())

    async def test_empty_twice_is_an_error(self) -> None:
        with pytest.raises(ModelReplyError, match="empty answer twice"):
            await predict(["<think>hm", Completion(text="\n", reasoning="hm")])

    async def test_a_prompt_that_the_server_finds_too_long_is_shortened(self) -> None:
        async def context() -> int:
            return 20_000

        turns = [(Action.call("read_file", {"path": f"/{n}"}), Observation.of_text("x" * 500)) for n in range(60)]
        completer = ScriptedCompleter([ContextExceededError("too long"), "fits"])
        of = LanguageWorldModel(WORLD, completer, TEMPLATE, LanguageSettings(max_tokens=1000), context_tokens=context)
        transition = await of.predict(session_of(WORLD, *turns), READ, Context())
        first, second = completer.requests
        assert transition.observation.text == "fits"
        assert len(second.messages) < len(first.messages)
        assert second.messages[0] == first.messages[0]
        assert "oldest turns were left out" in transition.notes[0]


class Stuck:
    """Generates for ever while thinking; else answers."""

    def __init__(self, *, even_without_thinking: bool = False) -> None:
        self.cancelled: list[bool] = []
        self._always = even_without_thinking

    async def complete(
        self,
        request: Request,
        progress: Callable[[int], None] = unheard,
        failed: Callable[[PredictionError], None] = unheard_failure,
    ) -> Completion:
        progress(1234)
        if request.thinking or self._always:
            try:
                await anyio.sleep_forever()
            except anyio.get_cancelled_exc_class():
                self.cancelled.append(request.thinking)
                raise
        return Completion(text="in haste")


QUICK = LanguageSettings(answer_within_seconds=0.05)


class TestTime:
    async def test_a_slow_thinker_is_stopped_and_asked_again_without_thinking(self) -> None:
        completer = Stuck()
        transition = await LanguageWorldModel(WORLD, completer, TEMPLATE, QUICK).predict(session_of(WORLD), READ, Context())
        assert transition.observation.text == "in haste"
        assert completer.cancelled == [True]
        assert transition.usage["attempts"] == 2
        assert transition.usage["aborted_tokens"] == 1234

    async def test_then_the_error_says_what_to_change(self) -> None:
        with pytest.raises(ModelSlowError, match=r"within the 0\.05 s allowed .*Raise --answer-within"):
            await LanguageWorldModel(WORLD, Stuck(even_without_thinking=True), TEMPLATE, QUICK).predict(session_of(WORLD), READ, Context())

    async def test_on_slow_error_asks_once(self) -> None:
        completer = Stuck()
        with pytest.raises(ModelSlowError):
            await LanguageWorldModel(WORLD, completer, TEMPLATE, replace(QUICK, on_slow="error")).predict(
                session_of(WORLD), READ, Context()
            )
        assert completer.cancelled == [True]

    async def test_the_time_counts_from_receipt_not_from_when_it_is_asked(self) -> None:
        completer = Stuck()
        of = LanguageWorldModel(WORLD, completer, TEMPLATE, LanguageSettings(answer_within_seconds=50))
        context = Context(deadline=anyio.current_time() + 15)  # 35 of 50 s went by while the call waited: too late to think
        assert (await of.predict(session_of(WORLD), READ, context)).observation.text == "in haste"
        assert completer.cancelled == [True]

    async def test_embedded_answers_only_where_asked_for_and_says_so(self) -> None:
        class Embedded:
            async def predict(self, session: Session, action: Action, context: Context) -> Transition:
                return session.transition(action, Observation.of_text("generated"), "imagined")

        of = LanguageWorldModel(WORLD, Stuck(), TEMPLATE, replace(QUICK, on_slow="embedded"), embedded=Embedded())
        transition = await of.predict(session_of(WORLD), READ, Context())
        assert transition.observation.text == "generated"
        assert "not by the language model" in transition.notes[-1]
        of = LanguageWorldModel(WORLD, Stuck(), TEMPLATE, replace(QUICK, on_slow="error"), embedded=Embedded())
        with pytest.raises(ModelSlowError):
            await of.predict(session_of(WORLD), READ, Context())

    async def test_a_server_that_does_not_say_what_it_is_cannot_hold_a_call(self) -> None:
        of = LanguageWorldModel(WORLD, ScriptedCompleter([]), TEMPLATE, QUICK, context_tokens=anyio.sleep_forever)  # type: ignore[arg-type]
        with pytest.raises(ModelSlowError):
            await of.predict(session_of(WORLD), READ, Context())

    async def test_a_waiting_client_is_told_how_far_the_answer_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(asking, "_REPORT_EVERY_SECONDS", 0.001)
        told: list[str] = []

        async def report(message: str) -> None:
            told.append(message)

        await LanguageWorldModel(WORLD, Stuck(), TEMPLATE, QUICK).predict(session_of(WORLD), READ, Context(report=report))
        assert set(told) == {"1,234 tokens generated"}

    async def test_a_cancelled_call_stops_the_generation(self) -> None:
        completer = Stuck()
        with anyio.move_on_after(0.01):
            await LanguageWorldModel(WORLD, completer, TEMPLATE).predict(session_of(WORLD), READ, Context())
        assert completer.cancelled == [True]


class TestThinking:
    FIXED = (demonstration("stat", {"path": "/a"}, "size: 10\nkind: file"), demonstration("stat", {"path": "/b"}, "size: 7\nkind: file"))

    def thinks(self, of: World, name: str, **asked: str) -> bool:
        completer = ScriptedCompleter(["x"])
        anyio.run(LanguageWorldModel(of, completer, TEMPLATE, settle(of, **asked)).predict, session_of(of), Action.call(name), Context())
        return completer.requests[0].thinking

    def test_auto_is_off_where_demonstrations_show_a_fixed_format(self) -> None:
        free = (demonstration("look", {}, "A red barn stands there."), demonstration("look", {}, "Nobody is at home today."))
        of = world(tool("stat"), tool("look"), demonstrations=(*self.FIXED, *free), model={"thinking": "auto"})
        assert not self.thinks(of, "stat")
        assert self.thinks(of, "look")

    def test_json_of_the_same_keys_is_a_fixed_format(self) -> None:
        demonstrations = tuple(demonstration("stat", {}, json.dumps({"a": {"b": n}, "c": [n]})) for n in range(2))
        assert not self.thinks(world(tool("stat"), demonstrations=demonstrations), "stat", thinking="auto")

    def test_globs_decide_for_tools_and_the_command_line_for_all(self) -> None:
        of = world(tool("stat"), tool("look"), model={"thinking": "on", "thinking_by_tool": {"st*": "off"}})
        assert not self.thinks(of, "stat")
        assert self.thinks(of, "look")
        assert self.thinks(of, "stat", thinking="on")


def test_settings_are_the_published_ones_unless_somebody_says_otherwise() -> None:
    said = world(model={"temperature": 0.2, "max_tokens": 100})
    settings = settle(said, max_tokens=7, top_k=None)
    assert (settings.temperature, settings.top_p, settings.top_k, settings.max_tokens) == (0.2, 0.95, 20, 7)


async def test_a_failing_model_raises_its_own_error_and_the_next_call_works() -> None:
    of, _ = model([ModelUnreachableError("gone"), "back"])
    with pytest.raises(ModelUnreachableError, match="gone"):
        await of.predict(session_of(WORLD), READ, Context())
    assert (await of.predict(session_of(WORLD), READ, Context())).observation.text == "back"


@given(st.text(), st.booleans())
async def test_any_reply_is_an_observation_or_an_error_of_ours(text: str, structured: bool) -> None:
    with contextlib.suppress(PredictionError):
        transition = await predict([text] * 3, USER if structured else READ)
        assert transition.observation.text


async def test_a_warning_is_logged_once_below_the_advised_context() -> None:
    logged: list[str] = []

    async def log(message: str) -> None:
        logged.append(message)

    async def context_tokens() -> int:
        return 100_000

    of = LanguageWorldModel(WORLD, ScriptedCompleter(["a", "b"]), TEMPLATE, context_tokens=context_tokens)
    for _ in range(2):
        await of.predict(session_of(WORLD), READ, Context(log=log))
    assert [message[:36] for message in logged] == ["The model's context is 100000 tokens"]
