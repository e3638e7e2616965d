"""Credentials of recorded traffic, in the places where more is taken for one than elsewhere."""

from mcp_sim.tool_specs.importing.har.secrets import redact, redact_text


def test_numbers_lists_and_keys_are_redacted_and_truth_values_stay() -> None:
    value = {"otp": 123456, "auth": True, "token": None, "sid": ["a", 1], "ghp_0123456789abcdefghij": {"n": 1}}
    assert redact(value) == {"otp": "redacted", "auth": True, "token": None, "sid": ["redacted", "redacted"], "redacted": {"n": 1}}


def test_what_is_assigned_in_a_text_is_redacted() -> None:
    assert redact_text("password: correct-horse") == "password: redacted"
    assert redact_text("Authorization: Basic authentication") == "Authorization: Basic redacted"
    assert redact_text("https://joe@a.example/?nonce=x1") == "https://redacted@a.example/?nonce=redacted"
