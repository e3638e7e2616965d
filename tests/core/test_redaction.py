"""Secrets out of texts and values; the samples have the forms that their issuers document, with made-up characters."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.redaction import Redaction, identify
from mcp_sim.errors import SetupError

SETTINGS = RedactionSettings(key="a world's key", patterns=(r"cust-[0-9]+", r"pin is ([0-9]+)"))
REDACTION = Redaction(SETTINGS)
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nqX9\n-----END RSA PRIVATE KEY-----"

SECRETS = {
    "openai": ("the key sk-proj-Abc0123456789defGHI is live", "Abc0123456789defGHI"),
    "github": ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "0123456789abcdefghij"),
    "aws": ("id AKIAIOSFODNN7EXAMPLE.", "IOSFODNN7EXAMPLE"),
    "slack": ("xoxb-123456789012-abcdefABCDEF", "123456789012-abcdefABCDEF"),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.dBjftJeZ4CVP", "dBjftJeZ4CVP"),
    "bearer": ("Authorization: Bearer abc123def456", "abc123def456"),
    "basic": ("Authorization: Basic dXNlcjpwYXNz0A==", "dXNlcjpwYXNz"),
    "assignment": ("export DB_PASSWORD=hunter2 && run", "hunter2"),
    "yaml": ("password: correct-horse", "correct-horse"),
    "json in text": ('{"apiKey": "two words \\" and more", "a": 1}', "and more"),
    "json in json": (r'{"body": "{\"password\": \"hunter2 x\"}"}', "hunter2 x"),
    "python": ("{'client_secret': 'two words'}", "two words"),
    "user in URL": ("git clone https://joe:hunter2@example.com/x.git", "hunter2"),
    "token in URL": ("https://example.com/a?x=1&access_token=hunter2&y=2", "hunter2"),
    "sas": ("https://example.blob.core.windows.net/a?sv=2024&sig=hunter2%3D", "hunter2"),
    "pem": (f"here:\n{PEM}\nthere", "MIIEpAIBAAKCAQEA7"),
    "pem cut off": (PEM[:60], "MIIEpAIBAAKCAQEA7"),
    "own": ("of cust-4711 and others", "4711"),
    "own group": ("the pin is 123456", "123456"),
}
HARMLESS = [
    "max_tokens: 1000 and page_token=abc",
    "basic authentication is a bearer of risks",
    "https://example.com/a?q=monkey&page=2#top",
    "mail joe@example.com about task-force-alpha-and-others",
    "d41d8cd98f00b204e9800998ecf8427e",
    "sk-learn-is-a-library-of-ours",
    "a {{redacted:0a1b2c}} b",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_not_in_what_is_kept(name: str) -> None:
    text, secret = SECRETS[name]
    kept = REDACTION.text(text)
    assert secret not in kept
    assert "{{redacted:" in kept
    assert REDACTION.text(kept) == kept
    assert secret not in json.dumps(REDACTION.value({"a": [text], text: 1}))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert REDACTION.text(text) == text


def test_a_value_under_the_name_of_a_secret_is_one_in_values_and_in_their_text() -> None:
    value = {"user": "joe", "password": "correct horse", "nested": {"api_key": ["a", "b"], "token": 5, "auth": None}}
    kept = REDACTION.value(value)
    placeholder = kept["password"]
    assert kept["user"] == "joe"
    assert kept["nested"]["token"] == 5
    assert kept["nested"]["auth"] is None
    assert len(set(kept["nested"]["api_key"])) == 2
    assert json.loads(REDACTION.text(json.dumps({"password": "correct horse"})))["password"] == placeholder


def test_another_world_has_other_placeholders() -> None:
    other = Redaction(RedactionSettings(key="another key"))
    assert other.text("password=hunter2") != REDACTION.text("password=hunter2")


def test_a_value_without_a_shape_is_found_again_by_length_and_tag_alone() -> None:
    secret = "plain value of the environment"
    recording = Redaction(SETTINGS, [secret])
    kept = recording.text(f"it says: {secret}.")
    assert secret not in kept
    again = Redaction(RedactionSettings(key=SETTINGS.key, literals=(recording.literal(secret),)))
    assert again.text(f"it says: {secret}.") == kept
    assert again.text(f"({secret})") != f"({secret})"
    assert again.text("it says: another value of the environment.") == "it says: another value of the environment."


def test_a_call_and_what_was_kept_of_it_count_as_the_same() -> None:
    live = Action.call("login", {"user": "joe", "password": "hunter2", "note": "ghp_0123456789abcdefghij"})
    kept = REDACTION.action(live)
    assert "hunter2" not in kept.model_dump_json()
    assert identify(live, SETTINGS) == identify(kept, SETTINGS) == kept.key
    assert identify(Action.call("login", {"user": "joe", "password": "hunter3"}), SETTINGS) != kept.key
    assert identify(live, RedactionSettings()) == live.key


def test_descriptions_may_speak_of_passwords() -> None:
    tool = {"name": "x", "description": "token: get one at the desk. Like ghp_0123456789abcdefghij"}
    listed: dict[str, Any] = REDACTION.listing(tool)
    assert listed["description"].startswith("token: get one at the desk. Like {{redacted:")


@pytest.mark.parametrize("settings", [RedactionSettings(key="k", patterns=("(",)), RedactionSettings(key="k", literals=("x",))])
def test_wrong_settings_are_named(settings: RedactionSettings) -> None:
    with pytest.raises(SetupError, match=r"frozen\.redaction\.(patterns|literals)"):
        Redaction(settings)


_PIECES = r"""password= "token":" \"api_key\":\" :// @ Bearer sk- ghp_0123456789 ?sig= & " ' \ {{ redacted: }} eyJabcdefghij.abcd secret:
    -----BEGIN_ PRIVATE KEY----- x1 cust-12 é = 0123456789abcdef"""
_pieces = st.sampled_from([*_PIECES.split(), " ", "\n", "-----BEGIN PRIVATE KEY-----"])


@given(st.lists(_pieces | st.text(max_size=5), max_size=12).map("".join))
def test_what_is_kept_stays_as_it_is_when_it_is_said_again(text: str) -> None:
    once = REDACTION.text(text)
    assert identify(Action.call("t", {"a": once}), SETTINGS) == identify(Action.call("t", {"a": text}), SETTINGS)
