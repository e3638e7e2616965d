"""A simulator as an MCP server of both protocol eras."""

import itertools
import logging
import math
from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

from mcp_sim.core.canonical import JSON
from mcp_sim.core.predictor import Context
from mcp_sim.errors import McpSimError, RefusedRequestError, SessionNameError, UnknownResourceError
from mcp_sim.protocol.definitions import capabilities, is_modern, list_offers, list_tools, server_info
from mcp_sim.protocol.requests import ACTIONS, LISTS, frames, read_action
from mcp_sim.protocol.results import SESSION_META_KEY, write_result
from mcp_sim.sessions.name import DEFAULT_SESSION
from mcp_sim.simulator import Simulator

logger = logging.getLogger(__name__)

LIST_TTL_MS = 3_600_000
"""How long a client may keep a tool list: a world does not change while it is served."""

RESOURCE_NOT_FOUND = -32002
"""The code of revisions before 2026-07-28, which retired it."""

_BODY = frozenset({"content", "structuredContent", "isError", "contents", "messages"})
_Ctx = ServerRequestContext[Any, Any]


class SimulatedServer:
    """Answers lists, calls, readings and prompts as raw wire JSON.

    The SDK checks each request and frames each result; its own models would drop keys that they do not know, so the body of a
    result is put in behind them, in a middleware.
    """

    def __init__(self, simulator: Simulator, default_session: str = DEFAULT_SESSION, answer_within_seconds: float = math.inf) -> None:
        self._simulator = simulator
        self._default_session = default_session
        self._answer_within_seconds = answer_within_seconds
        self._server_info = server_info(simulator.world)

    def build(self) -> Server[Any]:
        """Return the SDK server; run it over any transport."""
        server: Server[Any] = Server(
            str(self._server_info["name"]),
            version=str(self._server_info["version"]),
            instructions=self._simulator.world.instructions,
            cache_hints={method: CacheHint(ttl_ms=LIST_TTL_MS, scope="public") for method in LISTS},
            get_tool_input_schema=self._input_schema,
            **frames(self._simulator.world.offers),
        )
        server.middleware.append(self._fill)
        return server

    def _input_schema(self, name: str) -> Mapping[str, JSON] | None:
        """For the SDK, which checks the headers that a schema asks for (`x-mcp-header`)."""
        tool = self._simulator.world.tools_by_name.get(name)
        return None if tool is None else tool.input_schema

    async def _fill(self, ctx: _Ctx, call_next: CallNext) -> HandlerResult:
        framed = await call_next(ctx)
        if not isinstance(framed, dict):
            return framed
        result = self._introduce(framed)
        if ctx.method == "tools/list":
            result.pop("tools")
            return {**result, **self._list(ctx)}
        if ctx.method in ACTIONS:
            return await self._answer(ctx, result)
        return {**result, **(list_offers(self._simulator.world, ctx.method) or {})}

    def _introduce(self, result: dict[str, JSON]) -> dict[str, JSON]:
        """Put the world's own server info where the SDK put what it could hold of it."""
        if "capabilities" in result:
            result = {**result, "capabilities": capabilities(self._simulator.world)}
        if "serverInfo" in result:
            return {**result, "serverInfo": self._server_info}
        meta = result.get("_meta")
        if isinstance(meta, dict) and types.SERVER_INFO_META_KEY in meta:
            return {**result, "_meta": {**meta, types.SERVER_INFO_META_KEY: self._server_info}}
        return result

    def _list(self, ctx: _Ctx) -> dict[str, JSON]:
        cursor = (ctx.params or {}).get("cursor")
        page = list_tools(self._simulator.world, cursor, modern=is_modern(ctx.protocol_version))
        if page is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown cursor {cursor!r}: use the nextCursor of the page before.")
        return page

    async def _answer(self, ctx: _Ctx, framed: dict[str, JSON]) -> dict[str, JSON]:
        params = ctx.params or {}
        session_name = self._name_session(ctx, params)
        try:
            action = read_action(ctx.method, params)
            transition = await self._simulator.call(session_name, action, self._context(ctx))
        except UnknownResourceError as error:
            code = types.INVALID_PARAMS if is_modern(ctx.protocol_version) else RESOURCE_NOT_FOUND
            raise MCPError(code, str(error), {"uri": error.uri}) from error
        except (RefusedRequestError, SessionNameError) as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except McpSimError as error:
            raise MCPError(types.INTERNAL_ERROR, f"mcp-sim cannot answer: {error}") from error
        except Exception as error:
            logger.exception("a fault of mcp-sim while it answered %r", params.get("name", ctx.method))
            name, kind = params.get("name", ctx.method), type(error).__name__
            message = f"mcp-sim failed on {name!r} ({kind}): this is a fault in mcp-sim, and its log has the details."
            raise MCPError(types.INTERNAL_ERROR, message) from error
        if (told := transition.observation.protocol_error) is not None:
            raise MCPError(told["code"], told["message"], told.get("data"))
        tool = self._simulator.world.tools_by_name.get(action.name)
        result = write_result(transition, tool, session_name, modern=is_modern(ctx.protocol_version))
        frame = {key: value for key, value in framed.items() if key not in _BODY}
        return {**frame, **result, "_meta": {**framed.get("_meta", {}), **result["_meta"]}}

    def _name_session(self, ctx: _Ctx, params: Mapping[str, JSON]) -> str:
        """The URL names the session, else `_meta`, else all calls share one."""
        path_params = getattr(ctx.request, "path_params", {})
        meta = params.get("_meta") or {}
        name = path_params.get("session") or meta.get(SESSION_META_KEY, self._default_session)
        if not isinstance(name, str):
            raise MCPError(types.INVALID_PARAMS, f"_meta[{SESSION_META_KEY!r}] must be a session's name, a text.")
        return name

    def _context(self, ctx: _Ctx) -> Context:
        steps = itertools.count(1)

        async def report(message: str) -> None:
            await ctx.session.report_progress(next(steps), None, message)

        return Context(
            report=report, repeat=ctx.session.report_progress, log=_log, deadline=anyio.current_time() + self._answer_within_seconds
        )


async def _log(message: str) -> None:
    logger.warning("%s", message)
