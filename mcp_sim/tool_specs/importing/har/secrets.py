"""Credentials in recorded traffic, which no world may hold."""

import re
from typing import Any

from mcp_sim.core.canonical import JSON

REDACTED = "redacted"

_NAME = re.compile(
    r"(^|_)(pass(word|wd|phrase)?|pwd|secret|client_secret|token|jwt|bearer|api_?key|apikey|auth|authorization|credentials?|cookies?"
    r"|session(_?id)?|sid|csrf|xsrf|signature|sig|private_?key|access_?key|otp|nonce|assertion|saml_?response)(_(token|key|hash|value))?$"
)
_HARMLESS = re.compile(r"(^|_)(page|next|prev|previous|continuation|sync|cursor|max|total|prompt|completion)_?tokens?$")
_SHAPES = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(\.[A-Za-z0-9_-]*)?"  # JSON web tokens
    r"|\b(sk|pk|rk)[-_](live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|\b(gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|ya29\.|AIza|AKIA|ASIA|npm_|pypi-|hf_|dop_v1_|shpat_|SG\.)[A-Za-z0-9_.=-]{10,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)"
    r"|(?i:\b(bearer|basic)\s+[A-Za-z0-9+/_.=~-]{8,})"
)
_IN_URL = re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")
_PARAMETER = re.compile(r"(?<=[?&;#])([A-Za-z0-9_.\-\[\]]+)=([^&#\s\"'<>]+)")
_OPAQUE = re.compile(r"[A-Za-z0-9_\-+/=.]{40,}")
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-.\s\[\]]+")


def is_secret_name(name: str) -> bool:
    """Whether what has this name is a credential."""
    snake = _SNAKE.sub("_", name).lower().strip("_")
    return _NAME.search(snake) is not None and _HARMLESS.search(snake) is None


def redact(value: JSON, name: str = "") -> Any:
    """Return the value without credentials: what has a credential's name, or a token's shape, is `redacted`."""
    if isinstance(value, dict):
        return {key: redact(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [redact(item, name) for item in value]
    if name and is_secret_name(name) and value is not None and not isinstance(value, bool):
        return REDACTED
    return redact_text(value) if isinstance(value, str) else value


def redact_text(text: str) -> str:
    """Return the text without what has the shape of a token, in URLs as well."""
    text = _SHAPES.sub(REDACTED, text)
    text = _IN_URL.sub(REDACTED, text)
    text = _PARAMETER.sub(lambda found: f"{found[1]}={REDACTED}" if is_secret_name(found[1]) else found[0], text)
    return _OPAQUE.sub(lambda found: REDACTED if _is_opaque(found[0]) else found[0], text)


def _is_opaque(word: str) -> bool:
    """Whether a long word looks random: capitals, small letters and digits mixed. Hashes in hexadecimal and paths are not."""
    if "/" in word and not word.endswith("="):
        return False
    return all(re.search(kind, word) for kind in ("[A-Z]", "[a-z]", "[0-9]")) and len(set(word)) > 16
