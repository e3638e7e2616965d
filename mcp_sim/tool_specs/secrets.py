"""What must not be kept: values that look secret, wherever they turn up again."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from mcp_sim.core.canonical import JSON
from mcp_sim.core.leaves import replace_leaves
from mcp_sim.core.secret_forms import with_forms
from mcp_sim.core.secret_shapes import is_secret_name, looks_secret, replace_secrets
from mcp_sim.core.secret_urls import secrets_in_url

REDACTED = "REDACTED"
_SHORTEST = 6
_LIKELY = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[^\s/\\]{10,}")
"""A given value that is no word, no number and no path: to leave it out costs less than to keep it."""
_SHORT_KEY = re.compile(r"(?=.*[0-9])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{4,}")
"""A value of a command's argument that says of itself that it is a key, if a short one."""


def secrets_in_values(values: Mapping[str, str]) -> set[str]:
    """Return the values of environment variables or headers that were given to a server and may be secret, with their parts."""
    found: set[str] = set()
    for name, value in values.items():
        if is_secret_name(name) or _LIKELY.fullmatch(value) or looks_secret(value):
            found |= {value, *value.split()}  # `Bearer TOKEN`
        found |= secrets_in_texts([value])
    return _long_enough(found)


def secrets_of_shell(environment: Mapping[str, str]) -> set[str]:
    """Return the values of a whole environment that are secret by name beyond doubt: most of it was not meant for the server."""
    return _long_enough(value for name, value in environment.items() if is_secret_name(name) and not PurePath(value).is_absolute())


def secrets_in_texts(texts: Iterable[str]) -> set[str]:
    """Return what looks secret in a command's arguments or in URLs: passwords and query values, `--token VALUE`, `KEY=VALUE`."""
    found: set[str] = set()
    previous = ""
    for text in texts:
        if previous.startswith("-") and _is_secret_option(previous):
            found.add(text)
        previous = text
        name, equals, value = text.partition("=")
        if equals and "://" not in name and _is_secret_option(name):
            found.add(value)
        if ":" in text and is_secret_name(text.partition(":")[0]) and "://" not in text:  # `--header "Authorization: Bearer x"`
            found |= {text.partition(":")[2].strip(), *text.partition(":")[2].split()}
        found |= secrets_in_url(value if "://" not in name and "://" in value else text) if "://" in text else set()
        found |= {part for part in re.split(r"[\s=:,;/?&]", text) if looks_secret(part) or _SHORT_KEY.fullmatch(part)}
    return _long_enough(found)


def redact(value: JSON, secrets: Iterable[str]) -> JSON:
    """Return the JSON value with every secret replaced, in keys too, and in whatever form it is said."""
    ordered = with_forms(secrets)
    if not ordered:
        return value
    pattern = re.compile("|".join(map(re.escape, ordered)))

    def without(text: str) -> str:
        return pattern.sub(REDACTED, text)

    return replace_leaves(value, lambda leaf, _: without(leaf) if isinstance(leaf, str) else leaf, without)


def conceal(text: str, secrets: Iterable[str]) -> str:
    """Return a text that may be printed: without the secrets in any form, and without what has the shape of one."""
    return replace_secrets(str(redact(text, secrets)), lambda _: REDACTED)


def _is_secret_option(name: str) -> bool:
    return is_secret_name(name) or name.lstrip("-").lower() == "key"


def _long_enough(values: Iterable[str]) -> set[str]:
    # why: to take a short or common value for a secret would maim every text that holds it
    return {value for value in values if len(value) >= _SHORTEST and value.lower() not in _COMMON}


_COMMON = frozenset("authorization basic bearer default development disabled enabled localhost password production public secret".split())
