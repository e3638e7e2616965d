"""A server made of the SDK's low-level server and nothing else: the list it is told, and one constant answer.

    python benchmarks/bare_server.py TOOLS.json ANSWER.json [--http]

TOOLS.json is a `tools/list` result, ANSWER.json a `tools/call` result. What mcp-sim costs is measured against this.
"""

import importlib
import json
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

Context = Any


def build(tools_file: str, answer_file: str) -> Server[Any]:
    """Return the server."""
    listing = types.ListToolsResult.model_validate(json.loads(Path(tools_file).read_text(encoding="utf-8")))
    answer = types.CallToolResult.model_validate(json.loads(Path(answer_file).read_text(encoding="utf-8")))

    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listing

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return answer

    return Server("bare", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends."""
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


def over_http(server: Server[Any]) -> None:
    """Serve on a free port, named on standard error."""
    uvicorn = importlib.import_module("uvicorn")  # not for stdio: it would count as the start of a bare server
    app = server.streamable_http_app(streamable_http_path="/mcp", host="127.0.0.1")
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as asyncio does on sockets that it makes itself
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none")).run([listener])


if __name__ == "__main__":
    bare = build(*sys.argv[1:3])
    if "--http" in sys.argv:
        over_http(bare)
    else:
        anyio.run(over_stdio, bare)
