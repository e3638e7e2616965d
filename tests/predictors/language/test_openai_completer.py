"""The HTTP client against a server that misbehaves in every way we could think of."""

import json
import ssl
import tracemalloc
from typing import Any

import anyio
import pytest
from anyio.abc import SocketStream

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.errors import (
    ContextExceededError,
    ModelRefusedError,
    ModelReplyError,
    ModelSlowError,
    ModelUnreachableError,
    PredictionError,
    SetupError,
)
from mcp_sim.predictors.language.completer import Completion, Request
from mcp_sim.predictors.language.connection import build_language_world_model, connect
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from tests.predictors.language.hand_server import MODELS, Answer, begin_events, chunk, hand_server, say, write
from tests.predictors.language.worlds import PROMPTS, session_of, world

SCHEMA = {"type": "object"}


def request(**fields: Any) -> Request:
    wanted = {"max_tokens": 50, "temperature": 0.6, "top_p": 0.95, "top_k": 20, "thinking": True, **fields}
    return Request(messages=[{"role": "user", "content": "hi"}], **wanted)


async def complete(answer: Answer, models: dict[str, Any] | None = None, *, asked: Request | None = None, **options: Any) -> Completion:
    async with hand_server(answer, models) as url:
        completer = OpenAICompleter(url, **options)
        try:
            return await completer.complete(asked or request())
        finally:
            await completer.aclose()


async def test_a_well_behaved_stream_is_gathered() -> None:
    counted: list[int] = []

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        assert body["stream"]
        assert body["model"] == "toy"
        await say(stream, "hello")

    async with hand_server(answer) as url:
        completer = OpenAICompleter(url)
        completion = await completer.complete(request(), counted.append)
        assert await completer.context_tokens() == 200_000
        await completer.aclose()
    assert (completion.text, completion.finish_reason) == ("hello", "stop")
    assert (completion.usage.prompt, completion.usage.cached, completion.usage.completion) == (12, 8, 3)
    assert counted == [1]


async def drop(stream: SocketStream, body: dict[str, Any]) -> None:
    await stream.aclose()


async def half_a_stream(stream: SocketStream, body: dict[str, Any]) -> None:
    await begin_events(stream)
    await stream.send(chunk("half"))


async def broken_promise(stream: SocketStream, body: dict[str, Any]) -> None:
    await stream.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n" + chunk("half"))


async def web_page(stream: SocketStream, body: dict[str, Any]) -> None:
    await write(stream, "<html>Welcome to nginx</html>", kind="text/html")


async def error_in_a_good_status(stream: SocketStream, body: dict[str, Any]) -> None:
    await write(stream, json.dumps({"error": {"message": "CUDA out of memory"}}))


async def error_in_the_stream(stream: SocketStream, body: dict[str, Any]) -> None:
    await begin_events(stream)
    await stream.send(b'data: {"error": {"message": "CUDA out of memory", "code": 500}}\n\ndata: [DONE]\n\n')


async def no_http(stream: SocketStream, body: dict[str, Any]) -> None:
    await stream.send(b"SSH-2.0-OpenSSH_9.6\r\n")


async def chunks_that_are_none(stream: SocketStream, body: dict[str, Any]) -> None:
    await begin_events(stream)
    await stream.send(
        b'data: [1, 2]\n\ndata: {"choices": 7}\n\ndata: {"choices": [3]}\n\ndata: {"choices": [{"delta": 9}]}\n\ndata: "x"\n\n'
    )


async def no_json(stream: SocketStream, body: dict[str, Any]) -> None:
    await begin_events(stream)
    await stream.send(b"data: {oops\n\n")


async def wrong_types(stream: SocketStream, body: dict[str, Any]) -> None:
    await begin_events(stream)
    await stream.send(b'data: {"choices": [{"delta": {"content": 5}, "finish_reason": null}], "usage": {"prompt_tokens": "many"}}\n\n')


async def compressed(stream: SocketStream, body: dict[str, Any]) -> None:
    await write(stream, b"\x1f\x8b", kind="text/event-stream", extra="Content-Encoding: gzip\r\n")


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (drop, ModelUnreachableError, "broke in the middle"),
        (half_a_stream, ModelReplyError, "in the middle, after 1 token"),
        (broken_promise, ModelUnreachableError, "broke in the middle"),
        (web_page, ModelReplyError, "text/html instead of a stream of events: <html>Welcome to nginx.*/v1"),
        (error_in_a_good_status, ModelReplyError, "CUDA out of memory"),
        (error_in_the_stream, ModelReplyError, "CUDA out of memory"),
        (no_http, ModelUnreachableError, "broke in the middle"),
        (chunks_that_are_none, ModelReplyError, ""),
        (no_json, ModelReplyError, ""),
        (wrong_types, ModelReplyError, "in the middle"),
        (compressed, ModelReplyError, "compressed"),
    ],
)
async def test_each_misbehaviour_has_its_own_error(answer: Answer, error: type[PredictionError], says: str) -> None:
    with anyio.fail_after(30), pytest.raises(error, match=f"(?s){says}"):
        await complete(answer)


@pytest.mark.parametrize("line_breaks", [False, True])
async def test_garbage_without_end_is_bounded_in_memory(line_breaks: bool) -> None:
    async def garbage(stream: SocketStream, body: dict[str, Any]) -> None:
        await begin_events(stream)
        block = (b"data: " + b"x" * 1000 + b"\n" if line_breaks else b"x" * 1007) * 64
        while True:
            await stream.send(block)

    tracemalloc.start()
    with anyio.fail_after(60), pytest.raises(ModelReplyError, match="bytes that are no answer"):
        await complete(garbage)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 40 * 2**20


async def test_ten_megabytes_as_an_error_page_are_bounded_too() -> None:
    async def garbage(stream: SocketStream, body: dict[str, Any]) -> None:
        await write(stream, b"x" * 10 * 2**20, status="400 Bad Request", kind="text/plain")

    with anyio.fail_after(30), pytest.raises(PredictionError) as error:
        await complete(garbage)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("piece", [chunk("x"), b": keep-alive\n\n", b"d"])
async def test_a_slow_drip_ends_with_the_time_allowed(piece: bytes) -> None:
    closed = anyio.Event()

    async def drip(stream: SocketStream, body: dict[str, Any]) -> None:
        await begin_events(stream)
        try:
            while True:
                await stream.send(piece)
                await anyio.lowlevel.checkpoint()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            closed.set()

    async with hand_server(drip) as url:
        connection = connect(url)
        of = build_language_world_model(world(), connection, PROMPTS, answer_within_seconds=0.5, on_slow="error")
        with anyio.fail_after(10):
            with pytest.raises(ModelSlowError):
                await of.predict(session_of(world()), Action.call("read_file"), Context())
            await closed.wait()  # the server sees that nobody listens any more
        await connection.aclose()


def refusing(status: str, message: str, **error: Any) -> Answer:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        await write(stream, json.dumps({"error": {"message": message, **error}}), status=status, extra="Retry-After-Ms: 1\r\n")

    return answer


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (refusing("401 Unauthorized", "bad key"), ModelRefusedError, "refuses the key. Set MCP_SIM_API_KEY"),
        (refusing("404 Not Found", "The model `toy` does not exist"), ModelRefusedError, "does not exist.*--model-name.*/v1"),
        (refusing("429 Too Many Requests", "slow down"), ModelRefusedError, "asked too much"),
        (refusing("503 Service Unavailable", "loading"), ModelRefusedError, r"fails \(503\)"),
        (refusing("400 Bad Request", "This model's maximum context length is 4096 tokens."), ContextExceededError, "longer context"),
        (refusing("400 Bad Request", "the request exceeds the available context size"), ContextExceededError, "longer context"),
        (refusing("400 Bad Request", "messages: bad"), ModelRefusedError, r"refuses the request \(400\).*messages: bad"),
    ],
)
async def test_each_refusal_says_what_to_do(answer: Answer, error: type[PredictionError], says: str) -> None:
    with pytest.raises(error, match=says):
        await complete(answer)


async def test_too_many_requests_are_tried_again() -> None:
    tries: list[int] = []

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        tries.append(1)
        await (refusing("429 Too Many Requests", "slow down")(stream, body) if len(tries) < 3 else say(stream, "at last"))

    assert (await complete(answer)).text == "at last"


async def test_fields_that_a_server_does_not_know_are_left_out_for_good() -> None:
    seen: list[set[str]] = []

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        seen.append(set(body))
        for name, known in (("max_tokens", "max_completion_tokens"), ("temperature", None), ("response_format", None)):
            if name in body:
                hint = f" Use '{known}'." if known else ""
                await refusing("400 Bad Request", f"Unsupported parameter: '{name}'.{hint}")(stream, body)
                return
        await say(stream, "fine")

    async with hand_server(answer) as url:
        completer = OpenAICompleter(url)
        assert (await completer.complete(request(schema=SCHEMA))).text == "fine"
        assert (await completer.complete(request())).text == "fine"
        await completer.aclose()
    assert "max_completion_tokens" in seen[-1]
    assert len(seen) == 5
    assert "response_format" in seen[0]


@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        ("sglang", {"top_k": 20, "separate_reasoning": True, "chat_template_kwargs": {"enable_thinking": False}}),
        ("vllm", {"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}}),
        ("llamacpp", {"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}}),
        ("openai", {"reasoning_effort": "none"}),
    ],
)
async def test_each_engine_is_asked_in_its_own_words(owner: str, expected: dict[str, Any]) -> None:
    bodies: list[dict[str, Any]] = []

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        bodies.append(body)
        await say(stream, "x")

    models = {"data": [{**MODELS["data"][0], "owned_by": owner}]}
    await complete(answer, models, asked=request(thinking=False, schema=SCHEMA))
    own = {
        key: bodies[0].get(key) for key in ("top_k", "separate_reasoning", "chat_template_kwargs", "reasoning_effort") if key in bodies[0]
    }
    assert own == expected
    assert bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA


async def test_one_of_several_models_must_be_named() -> None:
    models = {"data": [{"id": "a"}, {"id": "b"}]}
    with pytest.raises(ModelRefusedError, match="serves several models. Choose with --model-name: a, b"):
        await complete(drop, models)
    with pytest.raises(ModelRefusedError, match="does not serve 'c'"):
        await complete(drop, models, model_name="c")


@pytest.mark.parametrize("models", [{"data": "nope"}, {"data": [1, None]}, {"data": []}, {"nothing": 1}])
async def test_a_server_that_lists_no_models_is_none(models: dict[str, Any]) -> None:
    with pytest.raises(ModelReplyError, match="--model-name"):
        await complete(drop, models)


async def test_nobody_there_says_what_to_start() -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
    with pytest.raises(ModelUnreachableError, match="mcp-sim model serve MODEL"):
        await OpenAICompleter(f"http://127.0.0.1:{port}/v1").complete(request())


async def test_tls_where_there_is_none_is_named() -> None:
    async with hand_server(drop) as url:
        with pytest.raises(ModelUnreachableError, match="TLS connection .* fails"):
            await OpenAICompleter(url.replace("http:", "https:")).complete(request())
    assert ssl.OPENSSL_VERSION


async def test_a_server_that_comes_back_is_found_by_the_next_call() -> None:
    down = [True]

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        await (half_a_stream(stream, body) if down[0] else say(stream, "back"))

    async with hand_server(answer) as url:
        connection = connect(url)
        of = build_language_world_model(world(), connection, PROMPTS)
        session = session_of(world())
        with pytest.raises(ModelReplyError):
            await of.predict(session, Action.call("read_file"), Context())
        down[0] = False
        assert (await of.predict(session, Action.call("read_file"), Context())).observation.text == "back"
        await connection.aclose()


async def test_no_more_requests_at_a_time_than_allowed() -> None:
    now, most = [0], [0]

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        now[0] += 1
        most[0] = max(most[0], now[0])
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        now[0] -= 1
        await say(stream, "x")

    async with hand_server(answer) as url:
        completer = OpenAICompleter(url, concurrency=2)
        async with anyio.create_task_group() as tasks:
            for _ in range(6):
                tasks.start_soon(completer.complete, request())
        await completer.aclose()
    assert most[0] <= 2


def test_a_url_that_is_none_is_a_matter_for_the_operator() -> None:
    with pytest.raises(SetupError, match="no URL"):
        connect("127.0.0.1:30000")
