"""Serving over streamable HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_sim.errors import SessionNameError
from mcp_sim.sessions.name import check_session_name

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


def build_app(server: Server[Any], *, host: str, allowed_hosts: tuple[str, ...] = ()) -> Starlette:
    """Return the ASGI app: `/mcp` for the shared session, `/s/<name>/mcp` for a named one.

    Requests with another `Host` than the one served, or from a page of another origin, are refused (DNS rebinding); `allowed_hosts`
    adds names under which the server is reached otherwise.
    """
    manager = StreamableHTTPSessionManager(server, security_settings=_security(host, allowed_hosts))
    endpoint = StreamableHTTPASGIApp(manager)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    routes = [Route("/mcp", endpoint=endpoint), Route("/s/{session}/mcp", endpoint=_NamedSession(endpoint))]
    return Starlette(routes=routes, lifespan=lifespan)


def _security(host: str, allowed_hosts: tuple[str, ...]) -> TransportSecuritySettings:
    names = LOOPBACK_HOSTS if host in LOOPBACK_HOSTS else (*LOOPBACK_HOSTS, host)
    served = [f"[{name}]" if ":" in name else name for name in (*names, *allowed_hosts)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*served, *(f"{name}:*" for name in served)],
        allowed_origins=[f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in served for port in ("", ":*")],
    )


class _NamedSession:
    """Refuses names that no session can have, before a protocol session is opened for them."""

    def __init__(self, endpoint: ASGIApp) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            check_session_name(scope["path_params"]["session"])
        except SessionNameError as error:
            await PlainTextResponse(str(error), status_code=404)(scope, receive, send)
        else:
            await self._endpoint(scope, receive, send)
