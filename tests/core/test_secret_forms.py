"""A known secret in the forms in which others say it: encoded here by the standard library, found by us."""

import base64
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.redaction import Redaction
from mcp_sim.tool_specs.secrets import conceal, redact

SECRET = "s3cr/et+va?lue é~1"
FORMS = {
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "without padding": base64.b64encode(SECRET.encode()).decode().rstrip("="),
    "for URLs": base64.urlsafe_b64encode(SECRET.encode()).decode(),
    "behind a user": base64.b64encode(b"me:" + SECRET.encode()).decode(),
    "behind a longer user": base64.b64encode(b"joe:" + SECRET.encode() + b":more").decode(),
    "hexadecimal": SECRET.encode().hex(),
    "HEXADECIMAL": SECRET.encode().hex().upper(),
    "percent": quote(SECRET, safe=""),
    "percent, small": quote(SECRET, safe="").replace("%2F", "%2f").replace("%2B", "%2b").replace("%3F", "%3f").replace("%C3%A9", "%c3%a9"),
    "form": quote_plus(SECRET),
    "path": quote(SECRET),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_left_out_of_what_is_kept_and_printed(form: str) -> None:
    said = f"upstream said <{FORMS[form]}>"
    core = FORMS[form].rstrip("=")[8:-8]
    assert core not in Redaction(RedactionSettings(key="k"), [SECRET]).text(said)
    assert core not in str(redact({"said": said}, [SECRET]))
    assert core not in conceal(said, [SECRET])


def test_a_form_that_was_kept_as_a_literal_is_found_again() -> None:
    form = FORMS["hexadecimal"]
    recording = Redaction(RedactionSettings(key="k"), [SECRET])
    again = Redaction(RedactionSettings(key="k", literals=(recording.literal(form),)))
    assert again.text(f"it says {form}.") == recording.text(f"it says {form}.") != f"it says {form}."


@given(st.text(min_size=12, max_size=60).filter(lambda text: len(text.encode()) >= 12), st.binary(max_size=7), st.binary(max_size=7))
def test_base64_of_a_longer_text_does_not_give_the_secret_away(secret: str, before: bytes, behind: bytes) -> None:
    whole = base64.b64encode(before + secret.encode() + behind).decode()
    left = str(redact(whole, [secret]))
    assert "REDACTED" in left
    assert len(left.replace("REDACTED", "")) <= len(whole) - len(secret.encode()) * 4 // 3 + 3
