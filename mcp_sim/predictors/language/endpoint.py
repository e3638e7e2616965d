"""Where a model server is, and what is secret in how it is reached."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx2

from mcp_sim.core.secret_forms import SHORTEST_SECRET, with_forms
from mcp_sim.core.secret_shapes import replace_secrets
from mcp_sim.core.secret_urls import secrets_in_url, without_credentials
from mcp_sim.errors import ModelRefusedError, PredictionError, SetupError

_MASK = "REDACTED"
_LOGGERS = ("httpx2", "openai._base_client")
"""Loggers of client libraries that tell of URLs."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model server without what is secret, the user information and query to send with each request, and all secrets."""

    base: str
    user: tuple[str, str] | None = None
    query: tuple[tuple[str, str], ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def read(cls, url: str, api_key: str | None = None) -> "Endpoint":
        """Read a URL, which may hold a user, a password and a query.

        Raises:
            SetupError: it is none; the message holds none of these.
        """
        base = without_credentials(url).rstrip("/")
        try:
            parts = urlsplit(url)
            is_usable = parts.scheme in ("http", "https") and bool(httpx2.URL(base).host)
        except (ValueError, httpx2.InvalidURL):
            is_usable = False
        if not is_usable:
            shown = repr(base) if "@" not in url else "What was given"
            raise SetupError(f"{shown} is no URL of a model server. Give it like http://127.0.0.1:30000/v1.")
        user = (unquote(parts.username or ""), unquote(parts.password or "")) if parts.username or parts.password else None
        known = {secret for secret in (*secrets_in_url(url), api_key or "") if len(secret) >= SHORTEST_SECRET}
        return cls(base, user, tuple(parse_qsl(parts.query, keep_blank_values=True)), tuple(with_forms(known)))

    def conceal(self, text: str) -> str:
        """Return a text that may be shown to anybody: without the secrets in any form, and without what has the shape of one."""
        for secret in self.secrets:
            text = text.replace(secret, _MASK)
        return replace_secrets(text, lambda _: _MASK)

    @contextmanager
    def concealing(self) -> Iterator[None]:
        """Take what is secret out of every error that leaves the block."""
        try:
            yield
        except PredictionError as error:
            raise self.concealed(error) from None

    def concealed(self, error: PredictionError) -> PredictionError:
        """Return the error with nothing secret in its message."""
        error.args = tuple(self.conceal(str(argument)) for argument in error.args)
        return error

    async def refuse_to_leave(self, response: httpx2.Response) -> None:
        """Refuse to be sent to another server, which would get prompt and key: a response hook of the HTTP client.

        Raises:
            ModelRefusedError: the response redirects to another origin.
        """
        if not response.has_redirect_location:
            return
        try:
            target = response.url.join(response.headers["location"])
        except httpx2.InvalidURL:
            return  # the client says so
        if _origin(target) != _origin(response.url):
            raise ModelRefusedError(
                f"The model server at {self.base} redirects to another one, {_origin(target)}, and is not followed there: it would get the "
                f"prompt and the key. If that is the server you mean, give its address as --model or MCP_SIM_MODEL: "
                f"{without_credentials(str(target))[:200]} (without /chat/completions or /models at its end)."
            )

    def watch_logs(self) -> None:
        """Keep what is secret out of the logs of client libraries, until `ignore_logs`."""
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self._mask_record)

    def ignore_logs(self) -> None:
        """Undo `watch_logs`."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self._mask_record)

    def _mask_record(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.conceal(record.getMessage()), ()
        return True


def _origin(url: httpx2.URL) -> str:
    port = url.port or {"http": 80, "https": 443}.get(url.scheme)
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}:{port}"
