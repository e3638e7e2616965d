"""A simulator as an MCP server of both protocol eras."""

import itertools
import json
import logging
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.predictor import Context
from mcp_sim.core.transition import Transition
from mcp_sim.errors import McpSimError, SessionNameError, UnknownToolError
from mcp_sim.protocol.definitions import has_plain_output, is_modern, list_tools, server_info
from mcp_sim.sessions.name import DEFAULT_SESSION
from mcp_sim.simulator import Simulator

logger = logging.getLogger(__name__)

SESSION_META_KEY = "mcp-sim/session"
"""The key in a request's `_meta` that names the session of the call."""

LIST_TTL_MS = 3_600_000
"""How long a client may keep a tool list: a world does not change while it is served."""

_Ctx = ServerRequestContext[Any, Any]


class SimulatedServer:
    """Answers `tools/list` and `tools/call` as raw wire JSON.

    The SDK checks each request and frames each result; its own models would drop keys that they do not know, so the body of a
    result is put in behind them, in a middleware.
    """

    def __init__(self, simulator: Simulator, default_session: str = DEFAULT_SESSION) -> None:
        self._simulator = simulator
        self._default_session = default_session
        self._server_info = server_info(simulator.world)

    def build(self) -> Server[Any]:
        """Return the SDK server; run it over any transport."""
        server: Server[Any] = Server(
            str(self._server_info["name"]),
            version=str(self._server_info["version"]),
            instructions=self._simulator.world.instructions,
            cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="public")},
            on_list_tools=_frame_list,
            on_call_tool=_frame_call,
        )
        server.middleware.append(self._fill)
        return server

    async def _fill(self, ctx: _Ctx, call_next: CallNext) -> HandlerResult:
        framed = await call_next(ctx)
        if not isinstance(framed, dict):
            return framed
        result = self._introduce(framed)
        if ctx.method == "tools/list":
            result.pop("tools")
            return {**result, **self._list(ctx)}
        if ctx.method == "tools/call":
            return await self._call(ctx, result)
        return result

    def _introduce(self, result: dict[str, JSON]) -> dict[str, JSON]:
        """Put the world's own server info where the SDK put what it could hold of it."""
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

    async def _call(self, ctx: _Ctx, framed: dict[str, JSON]) -> dict[str, JSON]:
        params = ctx.params or {}
        session_name = self._name_session(ctx, params)
        try:
            action = _read_action(params)
            transition = await self._simulator.call(session_name, action, _context(ctx))
        except UnknownToolError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except SessionNameError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except McpSimError as error:
            raise MCPError(types.INTERNAL_ERROR, f"mcp-sim cannot answer: {error}") from error
        except Exception as error:
            logger.exception("a fault of mcp-sim while it answered %r", params.get("name"))
            message = f"mcp-sim failed on {params.get('name')!r} ({type(error).__name__}): this is a fault in mcp-sim, its log has the details."
            raise MCPError(types.INTERNAL_ERROR, message) from error
        return self._write_result(transition, session_name, framed, ctx.protocol_version)

    def _name_session(self, ctx: _Ctx, params: Mapping[str, JSON]) -> str:
        """The URL names the session, else `_meta`, else all calls share one."""
        path_params = getattr(ctx.request, "path_params", {})
        meta = params.get("_meta") or {}
        name = path_params.get("session") or meta.get(SESSION_META_KEY) or self._default_session
        return str(name)

    def _write_result(
        self, transition: Transition, session_name: str, framed: dict[str, JSON], protocol_version: str
    ) -> dict[str, JSON]:
        result = transition.observation.to_result()
        tool = self._simulator.world.tools_by_name.get(transition.action.name)
        if tool is not None and has_plain_output(tool) and not is_modern(protocol_version):
            result.pop("structuredContent", None)
        meta: dict[str, JSON] = {
            **framed.get("_meta", {}),
            "mcp-sim/source": transition.source,
            SESSION_META_KEY: session_name,
            "mcp-sim/turn": transition.turn,
        }
        if transition.recalled is not None:
            meta["mcp-sim/recalled"] = transition.recalled
        if transition.notes:
            meta["mcp-sim/notes"] = transition.notes
        return {**_without_body(framed), **result, "_meta": meta}


def _without_body(framed: dict[str, JSON]) -> dict[str, JSON]:
    return {key: value for key, value in framed.items() if key not in ("content", "isError", "structuredContent")}


def _read_action(params: Mapping[str, JSON]) -> Action:
    action = Action.call(params["name"], params.get("arguments"))
    try:
        json.dumps(action.params, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise MCPError(types.INVALID_PARAMS, "The arguments hold text or numbers that JSON cannot carry (a lone surrogate, NaN).") from None
    return action


def _context(ctx: _Ctx) -> Context:
    steps = itertools.count(1)

    async def report(message: str) -> None:
        await ctx.session.report_progress(next(steps), None, message)

    return Context(report=report)


async def _frame_list(ctx: _Ctx, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[])


async def _frame_call(ctx: _Ctx, params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[])
