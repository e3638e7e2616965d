"""What must not be kept: values that look secret, wherever they turn up again."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp_sim.core.canonical import JSON

REDACTED = "REDACTED"
_SHORTEST = 6
_NAME = re.compile(r"token|key|secret|passw|pwd|credential|auth|bearer|cookie|session|signature|dsn|connection|database_url|pat\b", re.I)
_CLEAR_NAME = re.compile(r"token|secret|passw|api_?key|access_?key|credential", re.I)
_SHAPE = re.compile(
    r"(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|hf|ntn|secret|key|AKIA|AIza|ya29|eyJ)[-_.A-Za-z0-9]{12,}"  # issuers' marks
    r"|[A-Za-z0-9+/_-]{32,}={0,2}"  # long and without words
)


def looks_secret(text: str) -> bool:
    """Whether a value looks like a key or token by itself: an issuer's mark, or long with letters and digits mixed."""
    match = _SHAPE.fullmatch(text)
    return match is not None and any(character.isdigit() for character in text) and any(character.isalpha() for character in text)


def secrets_in_values(values: Mapping[str, str], *, all_of_them: bool = False) -> set[str]:
    """Return the values of environment variables or headers that look secret by name or shape, with their parts; or all."""
    found: set[str] = set()
    for name, value in values.items():
        if all_of_them or _NAME.search(name) or looks_secret(value):
            found |= {value, *value.split()}  # `Bearer TOKEN`
        found |= secrets_in_texts([value])
    return _long_enough(found)


def secrets_of_shell(environment: Mapping[str, str]) -> set[str]:
    """Return the values of a whole environment that are secret by name beyond doubt: most of it was not meant for the server."""
    return _long_enough(value for name, value in environment.items() if _CLEAR_NAME.search(name) and not PurePath(value).is_absolute())


def secrets_in_texts(texts: Iterable[str]) -> set[str]:
    """Return what looks secret in a command's arguments or in URLs: passwords and query values, `--token VALUE`, `KEY=VALUE`."""
    found: set[str] = set()
    previous = ""
    for text in texts:
        if previous.startswith("-") and _NAME.search(previous):
            found.add(text)
        previous = text
        name, equals, value = text.partition("=")
        if equals and "://" not in name and _NAME.search(name):
            found.add(value)
        if ":" in text and _NAME.search(text.partition(":")[0]) and "://" not in text:  # `--header "Authorization: Bearer x"`
            found |= {text.partition(":")[2].strip(), *text.partition(":")[2].split()}
        found |= _in_url(value if "://" not in name and "://" in value else text) if "://" in text else set()
        found |= {part for part in re.split(r"[\s=:,;/?&]", text) if looks_secret(part)}
    return _long_enough(found)


def redact(value: JSON, secrets: Iterable[str]) -> JSON:
    """Return the JSON value with every secret replaced, in keys too."""
    ordered = sorted(set(secrets), key=len, reverse=True)
    if not ordered:
        return value
    pattern = re.compile("|".join(map(re.escape, ordered)))
    return _redacted(value, pattern)


def _redacted(value: JSON, pattern: re.Pattern[str]) -> JSON:
    if isinstance(value, str):
        return pattern.sub(REDACTED, value)
    if isinstance(value, list):
        return [_redacted(item, pattern) for item in value]
    if isinstance(value, dict):
        return {pattern.sub(REDACTED, key): _redacted(item, pattern) for key, item in value.items()}
    return value


def _in_url(text: str) -> set[str]:
    try:
        parts = urlsplit(text)
        found = {value for _, value in parse_qsl(parts.query)} | {value for _, value in parse_qsl(parts.fragment)}
        if parts.password:
            found |= {parts.password, unquote(parts.password)}
        if parts.username and parts.password is None:
            found.add(parts.username)
    except ValueError:
        return set()
    raw = {piece.partition("=")[2] for piece in parts.query.split("&")}
    return found | raw | {segment for segment in parts.path.split("/") if looks_secret(segment)}


def _long_enough(values: Iterable[str]) -> set[str]:
    # why: to take a short or common value for a secret would maim every text that holds it
    return {value for value in values if len(value) >= _SHORTEST and value.lower() not in _COMMON}


_COMMON = frozenset(("bearer", "basic", "token", "production", "development", "localhost", "default", "enabled", "disabled", "public"))
