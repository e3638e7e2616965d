"""The other forms in which a known secret is said: encoded for a header, a URL or a dump."""

import base64
import json
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

SHORTEST_SECRET = 6
"""The forms of shorter secrets would be found in every text."""
_SHORTEST_FORM = 8


def with_forms(secrets: Iterable[str]) -> list[str]:
    """Return secrets and their other forms, the longest first: base64 (also inside of a longer text, with and without padding, for URLs),
    percent-encoding, hexadecimal, and as JSON spells them.
    """
    found: set[str] = set()
    for secret in secrets:
        found.add(secret)
        if len(secret) >= SHORTEST_SECRET:
            found |= {form for form in _forms_of(secret) if len(form) >= _SHORTEST_FORM}
    return sorted(found, key=lambda form: (-len(form), form))


def _forms_of(secret: str) -> set[str]:
    data = secret.encode("utf-8", "surrogatepass")
    forms = {json.dumps(secret)[1:-1], data.hex(), data.hex().upper()}
    for encoded in (quote(data, safe=""), quote(data), quote_plus(data)):
        forms |= {encoded, _with_small_digits(encoded)}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        whole = encode(data).decode("ascii")
        forms |= {
            whole,
            whole.rstrip("="),
            *(_inside(encode(b"\0" * before + data).decode("ascii"), before, len(data)) for before in range(3)),
        }
    return forms


def _inside(encoded: str, before: int, size: int) -> str:
    """Return the characters of base64 that hang on the secret alone, where so many bytes stand before it."""
    first = -(-before * 8 // 6)
    return encoded[first : (before + size) * 8 // 6]


def _with_small_digits(encoded: str) -> str:
    head, *rest = encoded.split("%")
    return "%".join([head, *(part[:2].lower() + part[2:] for part in rest)])
