"""What is secret in how a model server is reached stays between the two, and nobody sends us elsewhere."""

import base64
import json
import logging
from contextlib import suppress
from typing import Any

import anyio
import pytest
from anyio.abc import SocketStream
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.core.secret_urls import without_credentials
from mcp_sim.errors import ModelRefusedError, ModelSlowError, ModelUnreachableError, PredictionError, SetupError
from mcp_sim.predictors.language.completer import Request
from mcp_sim.predictors.language.connection import build_language_world_model, connect
from mcp_sim.predictors.language.doctor import examine
from mcp_sim.predictors.language.endpoint import Endpoint
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from tests.predictors.language.hand_server import MODELS, hand_server, say, write
from tests.predictors.language.worlds import PROMPTS, session_of, world

REQUEST = Request([{"role": "user", "content": "hi"}], max_tokens=5, temperature=0.6, top_p=0.95, top_k=20, thinking=True)
WORDS = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.~", min_size=6, max_size=20).map(lambda text: f"Q7{text}")


@pytest.mark.parametrize(
    ("url", "hidden"),
    [
        ("http://user:PASSW@127.0.0.1:1/v1?api_key=QKEY", ("user", "PASSW", "QKEY", "api_key")),
        ("http://TOKEN@127.0.0.1:1/v1", ("TOKEN",)),
        ("http://127.0.0.1:1/v1?k=zzz#frag=f00", ("zzz", "f00")),
        ("http://127.0.0.1:1/sk-abcdefghijkl0123456789/v1", ("sk-abcdefghijkl0123456789",)),
    ],
)
async def test_an_error_shows_where_the_server_is_and_nothing_secret(url: str, hidden: tuple[str, ...]) -> None:
    completer = OpenAICompleter(url)
    with pytest.raises(ModelUnreachableError) as error:
        await completer.complete(REQUEST)
    report = await examine(completer)
    await completer.aclose()
    assert "http://127.0.0.1:1/" in str(error.value)
    assert not [secret for secret in hidden if secret in f"{error.value} {report} {completer.url}"]


@pytest.mark.parametrize("status", ["500 Internal Server Error", "400 Bad Request", "404 Not Found", "429 Too Many Requests"])
async def test_a_server_that_repeats_the_key_is_quoted_without_it(status: str) -> None:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        told = f"no quota for sk-SECRETKEY123456 ({base64.b64encode(b'me:hunter2-hunter2').decode()})"
        await write(stream, json.dumps({"error": {"message": told}}), status=status, extra="Retry-After-Ms: 1\r\n")

    failures: list[str] = []
    async with hand_server(answer) as url:
        completer = OpenAICompleter(url.replace("://", "://me:hunter2-hunter2@"), api_key="sk-SECRETKEY123456")
        with pytest.raises(ModelRefusedError) as error:
            await completer.complete(REQUEST, failed=lambda failure: failures.append(str(failure)))
        await completer.aclose()
    assert "no quota for REDACTED (REDACTED)" in str(error.value)
    assert all("no quota for REDACTED (REDACTED)" in failure for failure in failures)
    assert len(failures) == (3 if status[0] == "5" or status.startswith("429") else 0)


@given(WORDS, WORDS, WORDS, WORDS)
def test_no_part_of_a_url_that_may_be_secret_is_in_what_is_concealed(user: str, password: str, name: str, value: str) -> None:
    url = f"https://{user}:{password}@models.example/v1?x{name}={value}"
    endpoint = Endpoint.read(url)
    basic = base64.b64encode(f"{user}:{password}".encode()).decode()
    shown = endpoint.conceal(f"{url} {endpoint.base} Authorization: Basic {basic} {value} {password}")
    assert not [secret for secret in (password, value, basic) if secret in shown]
    assert (endpoint.base, endpoint.user, endpoint.query) == ("https://models.example/v1", (user, password), ((f"x{name}", value),))


@given(st.text())
def test_any_text_is_a_url_or_a_matter_for_the_operator(text: str) -> None:
    assert "?" not in without_credentials(text)
    with suppress(SetupError):
        assert Endpoint.read(text).base.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    "url", ["user:PASSW@host/v1?key=QKEY", "http://user:PASSW@:80/v1", "ftp://user:PASSW@host/v1", "http://u:PASSW@h:x"]
)
def test_what_is_no_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(SetupError, match="no URL") as error:
        connect(url)
    assert "PASSW" not in str(error.value)
    assert "QKEY" not in str(error.value)


async def test_user_and_query_are_sent_and_kept_out_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    heads: list[bytes] = []

    async def serve(stream: SocketStream) -> None:
        async with stream:
            heads.append(await stream.receive())
            await write(stream, json.dumps(MODELS))

    caplog.set_level(logging.DEBUG)
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        completer = OpenAICompleter(f"http://me:hunter2@127.0.0.1:{port}/v1?zone=Z9-abcdefg&api_key=QKEY")
        assert await completer.context_tokens() == 200_000
        await completer.aclose()
        tasks.cancel_scope.cancel()
    assert heads[0].startswith(b"GET /v1/models?zone=Z9-abcdefg&api_key=QKEY HTTP/1.1\r\n")
    assert b"authorization: basic " + base64.b64encode(b"me:hunter2").lower() in heads[0].lower()
    assert "/v1/models" in caplog.text
    assert not [secret for secret in ("hunter2", "Z9-abcdefg", "QKEY") if secret in caplog.text]


@pytest.mark.parametrize("status", ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
async def test_nobody_is_followed_to_another_server(status: str) -> None:
    stolen: list[bytes] = []

    async def steal(stream: SocketStream) -> None:
        async with stream:
            stolen.append(await stream.receive())

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, steal)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)

        async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
            await write(stream, "", status=status, extra=f"Location: http://a:b@localhost:{port}/steal?x=1\r\n")

        async with hand_server(answer) as url:
            completer = OpenAICompleter(url, api_key="sk-SECRETKEY123456")
            with pytest.raises(ModelRefusedError, match=f"redirects to another one, http://localhost:{port}, .*--model") as error:
                await completer.complete(REQUEST)
            await completer.aclose()
        tasks.cancel_scope.cancel()
    assert f"http://localhost:{port}/steal (" in str(error.value)
    assert not stolen


async def test_a_server_may_redirect_to_itself() -> None:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        if not body.get("temperature"):
            raise AssertionError("the prompt did not come along")
        await (say(stream, "here") if moved else write(stream, "", status="307 Moved", extra="Location: /v2/chat/completions\r\n"))
        moved.append(1)

    moved: list[int] = []
    async with hand_server(answer) as url:
        completer = OpenAICompleter(url)
        assert (await completer.complete(REQUEST)).text == "here"
        await completer.aclose()


@pytest.mark.parametrize("on_slow", ["no-thinking", "error", "embedded"])
async def test_a_model_that_only_fails_is_not_called_slow(on_slow: str) -> None:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        await write(stream, json.dumps({"error": {"message": "CUDA out of memory"}}), status="500 Internal Server Error")

    async with hand_server(answer) as url:
        connection = connect(url)
        of = build_language_world_model(world(), connection, PROMPTS, answer_within_seconds=0.4, on_slow=on_slow)
        with pytest.raises(PredictionError, match=r"fails \(500\): .*CUDA out of memory.*within the 0\.4 s allowed") as error:
            await of.predict(session_of(world()), Action.call("read_file"), Context())
        await connection.aclose()
    assert not isinstance(error.value, ModelSlowError)


async def test_a_model_that_stalls_after_a_failure_is_told_with_that_failure() -> None:
    tries: list[int] = []

    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        tries.append(1)
        if len(tries) > 1:
            await anyio.sleep_forever()
        await write(stream, "{}", status="503 Service Unavailable", extra="Retry-After-Ms: 1\r\n")

    async with hand_server(answer) as url:
        connection = connect(url)
        of = build_language_world_model(world(), connection, PROMPTS, answer_within_seconds=0.5, on_slow="error")
        with pytest.raises(ModelRefusedError, match=r"fails \(503\).*tried once in vain"):
            await of.predict(session_of(world()), Action.call("read_file"), Context())
        await connection.aclose()


async def test_one_that_fails_to_the_end_says_how_often_it_was_asked() -> None:
    async def answer(stream: SocketStream, body: dict[str, Any]) -> None:
        await write(stream, "{}", status="503 Service Unavailable", extra="Retry-After-Ms: 1\r\n")

    async with hand_server(answer) as url:
        completer = OpenAICompleter(url)
        with pytest.raises(ModelRefusedError, match=r"It was tried 4 times\."):
            await completer.complete(REQUEST)
        await completer.aclose()
