"""Secrets are found where they were given, and gone where they turn up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.tool_specs.secrets import redact, secrets_in_texts, secrets_in_values

SECRET = "s3cr3t-plant-9f8e7d"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--api-key", SECRET],
        ["--token=" + SECRET],
        ["-e", "MY_TOKEN=" + SECRET],
        ["--header", "Authorization: Bearer " + SECRET],
        ["https://a.example/mcp?key=" + SECRET],
        ["https://a.example/mcp?x=1&anything=" + SECRET + "#f"],
        ["postgres://me:" + SECRET + "@db.example/x"],
        ["--url=https://" + SECRET + "@a.example/"],
        ["DATABASE_URL=postgres://me:" + SECRET + "@db.example/x"],
        ["--secret", SECRET, "more"],
        ["--key", SECRET],
        ["--key=" + SECRET],
    ],
)
def test_what_is_secret_in_a_command_is_found(arguments: list[str]) -> None:
    assert SECRET not in str(redact({"said": " ".join(arguments)}, secrets_in_texts(arguments)))


def test_a_short_key_that_says_what_it_is_is_found() -> None:
    assert "sk-ARGSECRET999" in secrets_in_texts(["--for=sk-ARGSECRET999"])
    assert secrets_in_texts(["sk-learn", "pk-tools"]) == set()


@pytest.mark.parametrize(
    "arguments", [["-y", "@scope/server-filesystem@1.2.3", "/home/me/data", "--port", "8080", "https://a.example/mcp"]]
)
def test_what_is_no_secret_stays(arguments: list[str]) -> None:
    assert secrets_in_texts(arguments) == set()


def test_values_by_name_and_by_look() -> None:
    found = secrets_in_values(
        {
            "GITHUB_TOKEN": "plain-words-only",
            "ACME": "hunter2hunter2",
            "LOG_LEVEL": "debug",
            "ROOT": "/srv/a1b2c3d4e5",
            "Cookie": "a=bcdefg",
        }
    )
    assert {"plain-words-only", "hunter2hunter2", "a=bcdefg"} <= found
    assert not {"debug", "/srv/a1b2c3d4e5"} & found


_NUMBERS = st.integers(-99_999, 99_999)  # why: shorter than a secret, so that none holds one; only texts are redacted
VALUES = st.recursive(st.none() | _NUMBERS | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES, st.lists(st.text(alphabet="ab.*\\+0", min_size=6), min_size=1, max_size=4))
def test_no_secret_is_left_and_the_shape_stays(value: Any, secrets: list[str]) -> None:
    planted = {"said": [value, f"x{secrets[0]}y", {secrets[-1]: secrets[0] + secrets[-1]}]}
    left = redact(planted, secrets)
    text = json.dumps(left)
    assert not any(json.dumps(secret)[1:-1] in text.replace("REDACTED", "\0") for secret in secrets)
    assert len(left["said"]) == 3


@given(VALUES)
def test_without_secrets_nothing_changes(value: Any) -> None:
    assert redact(value, []) == value
