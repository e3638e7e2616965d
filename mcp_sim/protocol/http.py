"""Serving over streamable HTTP."""

import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_sim.errors import SessionNameError, SetupError
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.protocol.whole_body import WholeBody
from mcp_sim.sessions.name import check_session_name

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
NO_PARTS: Mapping[str, SimulatedServer] = {}
GRACE_SECONDS = 2
"""How long open connections may go on after a stop was asked for."""


def build_app(
    simulated: SimulatedServer, *, host: str, allowed_hosts: tuple[str, ...] = (), parts: Mapping[str, SimulatedServer] = NO_PARTS
) -> Starlette:
    """Return the ASGI app: `/mcp` for the shared session, `/s/<name>/mcp` for a named one; for each part `/w/<part>` before these.

    Requests with another `Host` than the one served, or from a page of another host, are refused (DNS rebinding); pages of this machine may
    ask from any port, as the tools of developers do. `allowed_hosts` adds names under which the server is reached otherwise.
    """
    security = security_of(host, allowed_hosts)
    servers = {"": simulated, **{f"/w/{name}": part for name, part in parts.items()}}
    managers = {prefix: StreamableHTTPSessionManager(server.build(), security_settings=security) for prefix, server in servers.items()}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for manager in managers.values():
                await stack.enter_async_context(manager.run())
            yield

    endpoints = {prefix: StreamableHTTPASGIApp(manager) for prefix, manager in managers.items()}
    routes = [Route(f"{prefix}/mcp", endpoint=endpoint) for prefix, endpoint in endpoints.items()]
    routes += [Route(f"{prefix}/s/{{session}}/mcp", endpoint=_NamedSession(endpoint)) for prefix, endpoint in endpoints.items()]
    return Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(WholeBody)])


def security_of(host: str, allowed_hosts: tuple[str, ...]) -> TransportSecuritySettings:
    """Return the settings that refuse requests for other hosts and from pages of other hosts, whatever their ports."""
    names = LOOPBACK_HOSTS if host in LOOPBACK_HOSTS else (*LOOPBACK_HOSTS, host)
    served = [_bracket(name) for name in (*names, *allowed_hosts)]
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


@asynccontextmanager
async def serving(app: Starlette, host: str, port: int) -> AsyncIterator[str]:
    """Serve the app for the length of the block, which gets the URL of `/mcp`. Port 0 takes a free one.

    Raises:
        SetupError: the address cannot be listened on.
    """
    server = _Server(_configure(app))
    with listen(host, port) as listener:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listener])
            while not server.started:  # noqa: ASYNC110 - uvicorn has a flag for this, and no event
                await anyio.sleep(0.005)
            failure: Exception | None = None
            try:
                yield url_of(listener)
            except Exception as error:
                failure = error  # raised below: the task group would hide it in a group
            finally:
                server.should_exit = True
        if failure is not None:
            raise failure


async def serve_until(app: Starlette, listener: socket.socket, stop: anyio.Event) -> None:
    """Serve the app on a socket that listens already, until `stop` is set; the socket is closed then."""
    server = _Server(_configure(app))
    with listener:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listener])
            await stop.wait()
            server.should_exit = True


def _configure(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=GRACE_SECONDS, ws="none")


class _Server(uvicorn.Server):
    """Leaves signals to whoever serves."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; clients that connect before it is served wait. Port 0 takes a free one.

    Raises:
        SetupError: the address cannot be listened on.
    """
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        # why: asyncio sets this on sockets that it makes itself; without it an answer waits 40 ms for a client's late acknowledgement
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = error.strerror or error
        raise SetupError(f"Cannot listen on {_bracket(host)}:{port}: {reason}. Name another port; 0 takes a free one.") from error


def url_of(listener: socket.socket) -> str:
    """Return the URL of `/mcp` on a socket that listens."""
    host, port = listener.getsockname()[:2]
    return f"http://{_bracket(host)}:{port}/mcp"


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host
