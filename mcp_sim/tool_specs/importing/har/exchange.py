"""One recorded request and its answer."""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.har.secrets import is_secret_name, redact, redact_text
from mcp_sim.tool_specs.json_text import flaw, kind

_LONGEST_TEXT = 100_000


@dataclass(frozen=True)
class Exchange:
    """A call of an HTTP API, credentials left out. `body` is `None` where there was none; `operation` is a GraphQL operation's name."""

    method: str
    host: str
    segments: tuple[str, ...]
    query: dict[str, JSON]
    body: JSON
    status: int
    reason: str
    answer: JSON
    is_json: bool
    operation: str = ""


def read_exchanges(recording: JSON, where: str) -> tuple[list[Exchange], int]:
    """Return the API calls of a HAR recording, and how many entries are none: pages, scripts, images, preflights, failed connections.

    Raises:
        SetupError: it is no HAR recording.
    """
    log = recording.get("log") if isinstance(recording, dict) else None
    entries = log.get("entries") if isinstance(log, dict) else None
    if not isinstance(entries, list):
        raise SetupError(f'{where}: has no "log" with "entries", so it is no HAR recording ({kind(recording)}).')
    exchanges = [exchange for exchange in map(_read_entry, entries) if exchange is not None]
    return exchanges, len(entries) - len(exchanges)


def _read_entry(entry: JSON) -> Exchange | None:
    request, response = (_dict(entry, key) for key in ("request", "response"))
    method, url, status = request.get("method"), request.get("url"), response.get("status")
    if not isinstance(method, str) or not isinstance(url, str) or type(status) is not int or not 200 <= status < 600:
        return None
    method = method.lower()
    try:
        address = urlsplit(url)
        host = address.hostname or ""
    except ValueError:
        return None
    if address.scheme not in ("http", "https") or not host:
        return None
    content = _dict(response, "content")
    text = _content_text(content)
    answer, is_json = _as_json(text)
    is_json = is_json and isinstance(answer, dict | list)
    body = _read_body(_dict(request, "postData"))
    is_call = is_json or (body is not None and method != "get") or method in ("put", "patch", "delete")
    if method in ("options", "head", "connect") or not is_call:
        return None
    segments = tuple(redact_text(unquote(part)) for part in address.path.split("/") if part)
    operation, body = _graphql(body)
    return Exchange(
        method=method,
        host=host,
        segments=segments,
        query=_read_query(address.query),
        body=redact(body),
        status=status,
        reason=response["statusText"] if isinstance(response.get("statusText"), str) else "",
        answer=redact(answer) if is_json else redact_text(text[:_LONGEST_TEXT]),
        is_json=is_json,
        operation=operation,
    )


def _graphql(body: JSON) -> tuple[str, JSON]:
    """Return the name and the variables of a GraphQL operation; no name and the body where it is none."""
    if not isinstance(body, dict) or not isinstance(body.get("query"), str) or not isinstance(body.get("operationName"), str):
        return "", body
    variables = body.get("variables")
    return body["operationName"], variables if isinstance(variables, dict) else {}


def _read_query(text: str) -> dict[str, JSON]:
    query: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True, max_num_fields=None):
        if is_secret_name(name):
            continue
        typed = typed_text(redact_text(value))
        if name not in query:
            query[name] = typed
        else:
            query[name] = [*query[name], typed] if isinstance(query[name], list) else [query[name], typed]
    return query


def typed_text(text: str) -> JSON:
    """Return the number or truth value that a text in a URL spells, else the text."""
    if text in ("true", "false"):
        return text == "true"
    plain = text.removeprefix("-")
    if plain.isascii() and plain.isdigit() and len(plain) <= 15 and (plain == "0" or not plain.startswith("0")):
        return int(text)
    return text


def _read_body(post: dict[str, Any]) -> JSON:
    text = post.get("text")
    if isinstance(text, str) and text:
        value, is_json = _as_json(text)
        if is_json:
            return value
        if "urlencoded" in str(post.get("mimeType", "")):
            return {name: typed_text(part) for name, part in parse_qsl(text, keep_blank_values=True) if not is_secret_name(name)}
        return text[:_LONGEST_TEXT] if "multipart" not in str(post.get("mimeType", "")) else None
    fields = post.get("params")
    if isinstance(fields, list) and fields:
        pairs = [(part.get("name"), part.get("value")) for part in fields if isinstance(part, dict)]
        return {name: typed_text(value) for name, value in pairs if isinstance(name, str) and isinstance(value, str)}
    return None


def _content_text(content: dict[str, Any]) -> str:
    text = content.get("text")
    if not isinstance(text, str):
        return ""
    if content.get("encoding") == "base64":
        try:
            return base64.b64decode(text).decode("utf-8")
        except (binascii.Error, ValueError):
            return ""
    return text


def _as_json(text: str) -> tuple[JSON, bool]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None, False
    return (value, True) if flaw(value) is None else (None, False)


def _dict(value: JSON, key: str) -> dict[str, Any]:
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}
