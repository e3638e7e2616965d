"""What a client asks of a server before it calls anything."""

from collections.abc import Mapping
from contextlib import aclosing, suppress
from typing import Any

import anyio
import mcp_types as types
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS

from mcp_sim import __version__
from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.protocol.client.wire import Wire, WireError

MAX_PAGES = 1_000
_SAID_CHARACTERS = 500
_READ_CHARACTERS = 5_000
DISCOVER_SECONDS = 10.0
_NO_HANDSHAKE = (types.METHOD_NOT_FOUND, types.INVALID_PARAMS, types.INVALID_REQUEST, types.UNSUPPORTED_PROTOCOL_VERSION)
"""What a server answers to `initialize` that does not know it."""

_CLIENT = {"name": "mcp-sim", "version": __version__}
_PREFIX = "io.modelcontextprotocol/"


class RefusedError(SetupError):
    """The server answered a request with an error; `code` is its number."""

    def __init__(self, method: str, error: Mapping[str, JSON]) -> None:
        said = "".join(character for character in str(error.get("message"))[:_READ_CHARACTERS] if character.isprintable())
        if len(said) > _SAID_CHARACTERS:  # why: half a word may be half a secret, which nobody would know for one
            said = (said[:_SAID_CHARACTERS].rpartition(" ")[0].strip() or said[:_SAID_CHARACTERS]) + " ..."
        super().__init__(f"it refused {method}: {said}")
        self.code: JSON = error.get("code")
        self.data: JSON = error.get("data")
        self.error = dict(error)


class Asking:
    """One client of one server, in whichever era the server speaks."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._last_id = 0
        self._version = ""

    @property
    def headers(self) -> dict[str, str]:
        """What every HTTP request says after the greeting."""
        return {"mcp-protocol-version": self._version} if self._version else {}

    async def greet(self) -> dict[str, JSON]:
        """Return the result of `initialize`; of `server/discover` where the server knows no handshake (2026-07-28 on).

        The handshake comes first: every server before 2026-07-28 needs it, some end or fall silent at anything else, and one that does
        without says so at once.

        Raises:
            SetupError: it refuses both.
        """
        try:
            result = await self._ask("initialize", {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": _CLIENT})
        except RefusedError as refusal:
            if refusal.code not in _NO_HANDSHAKE:
                raise
            return await self._discover(refusal)
        version = result.get("protocolVersion")
        self._version = version if isinstance(version, str) else LATEST_HANDSHAKE_VERSION
        await self._wire.tell({"jsonrpc": "2.0", "method": "notifications/initialized"}, self.headers)
        return result

    async def list_all(self, method: str, key: str) -> dict[str, JSON]:
        """Return the result of a list method: of one page exactly as sent, of several the first with the items of all.

        Raises:
            SetupError: it refuses, or the pages do not end.
        """
        first = page = await self._ask(method, {})
        items: list[JSON] = _items(page, key)
        for _ in range(MAX_PAGES):
            cursor = page.get("nextCursor")
            if cursor is None:
                return first if page is first else {**{name: value for name, value in first.items() if name != "nextCursor"}, key: items}
            page = await self._ask(method, {"cursor": cursor})
            items = items + _items(page, key)
        raise SetupError(f"it sent more than {MAX_PAGES} pages for {method}")

    async def ask(self, method: str, params: dict[str, JSON]) -> dict[str, JSON]:
        """Return the result of calling a tool, reading a resource or getting a prompt.

        Raises:
            SetupError: it refuses, or ends.
        """
        return await self._ask(method, params)

    async def _discover(self, refusal: RefusedError) -> dict[str, JSON]:
        named = refusal.data.get("supported") if isinstance(refusal.data, dict) else None
        if refusal.code == types.UNSUPPORTED_PROTOCOL_VERSION and isinstance(named, list):
            mutual = [version for version in MODERN_PROTOCOL_VERSIONS if version in named]
            if not mutual:
                raise SetupError(f"it speaks only revisions that are not known here: {', '.join(map(str, named))}")
            self._version = mutual[-1]
        else:
            self._version = LATEST_MODERN_VERSION
        with anyio.move_on_after(DISCOVER_SECONDS), suppress(RefusedError, WireError):
            return await self._ask("server/discover", {})
        raise refusal from None  # what it said first is what a person can use

    async def _ask(self, method: str, params: dict[str, JSON]) -> dict[str, JSON]:
        self._last_id += 1
        headers = self.headers
        if self._version in MODERN_PROTOCOL_VERSIONS:
            own: dict[str, Any] = {"protocolVersion": self._version, "clientCapabilities": {}, "clientInfo": _CLIENT}
            params = {**params, "_meta": {f"{_PREFIX}{name}": value for name, value in own.items()}}
            headers["mcp-method"] = method
            if isinstance(params.get("name"), str):
                headers["mcp-name"] = str(params["name"])
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        async with aclosing(self._wire.exchange(request, headers)) as messages:  # type: ignore[type-var]
            async for message in messages:
                if "method" in message:
                    if "id" in message:
                        await self._decline(message)
                elif message.get("id") == self._last_id:
                    if "result" not in message:
                        raise RefusedError(method, message["error"])
                    result: dict[str, JSON] = message["result"]
                    return result
        raise SetupError(f"it ended before it answered {method}")

    async def _decline(self, request: dict[str, JSON]) -> None:
        """Answer what a server asks of its client: a ping is answered, all else refused, so that it does not wait."""
        reply: dict[str, JSON] = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "ping":
            await self._wire.tell({**reply, "result": {}}, self.headers)
        else:
            await self._wire.tell({**reply, "error": {"code": types.METHOD_NOT_FOUND, "message": "Method not found"}}, self.headers)


def _items(page: dict[str, JSON], key: str) -> list[JSON]:
    items = page.get(key)
    return items if isinstance(items, list) else []
