"""The seam between what is said to a server and how it gets there."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError

MAX_BYTES = 64 * 1024 * 1024
"""The most that one message may have."""

NO_HEADERS: Mapping[str, str] = {}


class WireError(SetupError):
    """The server cannot be spoken to over this wire."""


class NotSpokenError(WireError):
    """What answers there does not speak this transport; another one may do."""


class CredentialsError(WireError):
    """The server wants to know who asks."""


class Wire(Protocol):
    """A way to a server. Messages are plain JSON objects, as they stand on the wire."""

    def exchange(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> AsyncIterator[dict[str, JSON]]:
        """Send a request, and give the messages that the server sends from then on; it ends when no more can come.

        Raises:
            WireError: the server cannot be reached, or sent what no client could read.
        """
        ...

    async def tell(self, message: dict[str, JSON], headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send a message that has no answer."""
        ...


def read_message(text: str | bytes) -> dict[str, JSON] | None:
    """Return the JSON-RPC message of a text, `None` if it is none."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("method"), str):
        return value
    has_answer = isinstance(value.get("result"), dict) or isinstance(value.get("error"), dict)
    return value if "id" in value and has_answer else None
