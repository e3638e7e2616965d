"""The table that recording, capturing and importing share."""

import pytest

from mcp_sim.core.secret_shapes import is_secret_in_traffic, is_secret_name, replace_secrets

PAYLOAD = "eyJzdWIiOiIxMjM0NTY3ODkwIn0"  # {"sub":"1234567890"}, of the example of RFC 7519's readers at jwt.io
JWT = f"eyJhbGciOiJIUzI1NiJ9.{PAYLOAD}.dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize("name", ["sessionId", "sid", "csrf", "X-Signature", "SAMLResponse", "nonce", "session_hash"])
def test_sessions_and_signatures_are_secret_in_traffic_only(name: str) -> None:
    assert is_secret_in_traffic(name)
    assert not is_secret_name(name)


@pytest.mark.parametrize("name", ["input_tokens", "num_tokens", "nextPageToken", "author", "sessions", "design"])
def test_counts_and_cursors_are_secret_nowhere(name: str) -> None:
    assert not is_secret_in_traffic(name)


def test_a_long_name_is_judged_by_its_end() -> None:
    assert is_secret_name("x" * 100_000 + "_password")
    assert not is_secret_name("password_" + "x" * 100_000)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"id_{JWT}", "id_*"),
        (f"before{JWT}", "before*"),
        ("KeyJournalEntries.find(x)", "KeyJournalEntries.find(x)"),
        ("https://a.example/?sid=1a{2}b&q=1", "https://a.example/?sid=*&q=1"),
        ("https://a.example/?nonce=${NONCE}&token={token}", "https://a.example/?nonce=${NONCE}&token={token}"),
        ("nonce=once", "nonce=once"),
        ("basic authentication", "basic authentication"),
    ],
)
def test_what_is_left_of_a_text(text: str, kept: str) -> None:
    assert replace_secrets(text, lambda _: "*") == kept


def test_who_is_wary_takes_long_words_for_secrets() -> None:
    text = "sk-learn-is-a-library-of-ours, basic authentication, basic access"
    assert replace_secrets(text, lambda _: "*", is_wary=True) == "*, basic *, basic access"
