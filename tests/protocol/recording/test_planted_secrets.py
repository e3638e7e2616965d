"""Secrets planted wherever a server or a client may say them: none is in any kept file, and what was said matches on replay."""

import base64
import json
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from tests.protocol.recording.conversation import Conversation

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _letters(least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(_ALPHABET, min_size=least, max_size=most).map(lambda text: "7" + text)


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _jwt(parts: tuple[str, str]) -> str:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": parts[0]}).encode()).decode().rstrip("=")
    return f"{head}.eyJ{parts[0]}.{parts[1]}"


_shaped = st.one_of(
    _letters(36, 36).map(lambda text: f"ghp_{text}"),
    _letters(30, 40).map(lambda text: f"sk-proj-{text}"),
    st.tuples(_letters(12, 20), _letters(20, 30)).map(_jwt),
    _letters(80, 90).map(lambda text: f"-----BEGIN PRIVATE KEY-----\n{text[:64]}\n{text[64:]}\n-----END PRIVATE KEY-----"),
)
_known = st.text(_ALPHABET + "+/=&?# :@é\"'\\", min_size=12, max_size=30).map(str.strip).filter(lambda text: len(text) >= 10)
"""Values of the environment: nothing tells them by their looks."""
_plain = _letters(9, 20)
"""Secrets that only their place tells."""

_TOLD = {  # where a place alone tells that it is a secret
    "field": lambda secret: {"password": secret},
    "deep field": lambda secret: [{"auth": {"api_key": [secret]}}],
    "query": lambda secret: f"see https://x.example/a?b=1&access_token={quote(secret, safe='')}&c=2",
    "user": lambda secret: f"git clone https://joe:{quote(secret, safe='')}@x.example/a.git",
    "bearer": lambda secret: f"Authorization: Bearer {secret}",
    "basic": lambda secret: f"authorization: Basic {_b64('joe:' + secret)}",
    "JSON text": lambda secret: json.dumps({"a": {"clientSecret": secret}}),
    "JSON in JSON text": lambda secret: json.dumps({"body": json.dumps({"clientSecret": secret})}),
    "shell": lambda secret: f"export DB_PASSWORD={secret}; ls",
}
_SAID = {  # where only the secret's own looks do, or that it is known
    "text": lambda secret: f"take {secret} there",
    "list": lambda secret: ["x", {"y": secret}],
    "JSON text": lambda secret: json.dumps({"note": f"it is {secret} now"}),
    "key": lambda secret: {secret: "x"},
}
_ENCODED = {
    "base64": lambda secret: _b64(f"joe:{secret}"),
    "hex": lambda secret: secret.encode().hex(),
    "URL": lambda secret: f"https://x.example/{quote(secret, safe='')}",
}
_PLACES = st.sampled_from(["argument", "text", "structured", "error", "progress", "resource", "prompt", "blocks"])

_planted = st.one_of(
    st.tuples(_plain, st.sampled_from(list(_TOLD.values())), st.just(False)),
    st.tuples(_shaped, st.sampled_from(list(_SAID.values())), st.just(False)),
    st.tuples(_known, st.sampled_from([*_SAID.values(), *_ENCODED.values()]), st.just(True)),
)


def plant(talk: Conversation, place: str, said: Any) -> tuple[str, dict[str, Any]]:
    """Let it be said there; return the request that is to match on replay."""
    text = said if isinstance(said, str) else json.dumps(said)
    method, params = "tools/call", {"name": "read_note", "arguments": {"id": place}}
    result: dict[str, Any] = {"content": [{"type": "text", "text": "fine"}]}
    error = None
    if place == "argument":
        params = {"name": "write_note", "arguments": {"id": "x", "text": text, "more": said}}
    elif place == "text":
        result = {"content": [{"type": "text", "text": text}]}
    elif place == "blocks":
        third = len(text) // 2
        result = {"content": [{"type": "text", "text": part} for part in (text[:third], text[third:])]}
    elif place == "structured":
        result = {"content": [], "structuredContent": {"said": said}}
    elif place == "error":
        error = {"code": -5, "message": text, "data": {"said": said}}
    elif place == "resource":
        method, params = "resources/read", {"uri": "a:1"}
        result = {"contents": [{"uri": "a:1", "text": text}]}
    elif place == "prompt":
        method, params = "prompts/get", {"name": "p", "arguments": {"said": text}}
        result = {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    number = talk.ask(method, {**params, "_meta": {"progressToken": 1}})
    if place == "progress":
        told = {"progressToken": 1, "progress": 1, "message": text}
        talk.reading.server_said(json.dumps({"method": "notifications/progress", "params": told}).encode())
    talk.answer(number, result, error)
    return method, params


def traces(secret: str) -> set[str]:
    """What must not be found: the secret, as it is and in the forms in which it was said."""
    inner = max(secret.split("\n"), key=len) if secret.startswith("-----") else secret
    forms = {inner, quote(inner, safe=""), json.dumps(inner)[1:-1], _b64(f"joe:{inner}"), inner.encode().hex()}
    return {form for form in forms | {json.dumps(form)[1:-1] for form in forms} if len(form) >= 8}


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(_planted, _PLACES)
def test_no_planted_secret_is_kept_and_what_was_said_matches(planted: tuple[str, Any, bool], place: str) -> None:
    secret, form, is_known = planted
    if place == "blocks" and not (is_known or secret.startswith("-----")):
        place = "text"
    with tempfile.TemporaryDirectory() as folder:
        talk = Conversation(Path(folder), secrets=(secret,) if is_known else ())
        talk.list_tools()
        method, params = plant(talk, place, form(secret))
        talk.reading.close()
        assert not talk.faults
        assert not talk.recorder.notices
        kept = talk.kept_text()
        assert "{{redacted:" in kept
        for trace in traces(secret):
            assert trace not in kept, (place, trace)
        world = talk.world

        async def replay() -> None:
            async with open_simulator(world, SimulatorOptions(frozen=True)) as simulator:
                asked = params if method != "tools/call" else {"name": params["name"], "arguments": params["arguments"]}
                transition = await simulator.call("again", Action(method=method, params=asked))
                assert transition.source == "frozen"

        anyio.run(replay)
