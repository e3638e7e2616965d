"""Secrets in URLs: user information, and what stands behind the question mark or the hash."""

import base64
import re
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp_sim.core.secret_shapes import looks_secret

_PATH_END = re.compile(r"[?#]")


def secrets_in_url(text: str) -> set[str]:
    """Return what may be secret in a URL, of any length: its user information (in a header's form too), query values, keys in its path."""
    try:
        parts = urlsplit(text)
        found = {value for _, value in parse_qsl(parts.query)} | {value for _, value in parse_qsl(parts.fragment)}
        if parts.password:
            basic = f"{unquote(parts.username or '')}:{unquote(parts.password)}"
            found |= {parts.password, unquote(parts.password), base64.b64encode(basic.encode()).decode("ascii")}
        if parts.username and parts.password is None:
            found.add(parts.username)
    except ValueError:
        return set()
    raw = {piece.partition("=")[2] for piece in parts.query.split("&")}
    return found | raw | {segment for segment in parts.path.split("/") if looks_secret(segment)}


def without_credentials(url: str) -> str:
    """Return a URL, or what was meant to be one, without user information, query and fragment."""
    scheme, separator, rest = _PATH_END.split(url)[0].rpartition("://")
    authority, slash, path = rest.partition("/")
    return scheme + separator + authority.rpartition("@")[2] + slash + path
