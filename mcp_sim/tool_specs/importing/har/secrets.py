"""Credentials in recorded traffic, which no world may hold.

More is taken for one than elsewhere: there is no environment to compare with, and whoever records a browser is logged in everywhere.
"""

import re
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.leaves import replace_leaves
from mcp_sim.core.secret_shapes import is_secret_in_traffic, replace_secrets

REDACTED = "redacted"

_OPAQUE = re.compile(r"[A-Za-z0-9_\-+/=.]{40,}")


def is_secret_name(name: str) -> bool:
    """Whether what has this name is a credential."""
    return is_secret_in_traffic(name)


def redact(value: JSON, name: str = "") -> Any:
    """Return the value without credentials: what has a credential's name, or a token's shape, is `redacted`."""
    return replace_leaves(value, _redact_leaf, redact_text, name=name)


def _redact_leaf(leaf: JSON, name: str) -> JSON:
    if is_secret_in_traffic(name) and leaf is not None and not isinstance(leaf, bool):
        return REDACTED
    return redact_text(leaf) if isinstance(leaf, str) else leaf


def redact_text(text: str) -> str:
    """Return the text without what has the shape of a token, in URLs as well."""
    text = replace_secrets(text, lambda _: REDACTED, is_wary=True)
    return _OPAQUE.sub(lambda found: REDACTED if _is_opaque(found[0]) else found[0], text)


def _is_opaque(word: str) -> bool:
    """Whether a long word looks random: capitals, small letters and digits mixed. Hashes in hexadecimal and paths are not."""
    if "/" in word and not word.endswith("="):
        return False
    return all(re.search(kind, word) for kind in ("[A-Z]", "[a-z]", "[0-9]")) and len(set(word)) > 16
