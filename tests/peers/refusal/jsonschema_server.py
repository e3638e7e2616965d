"""A server on the low-level `Server` of version 1 of the Python SDK."""

from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import TextContent, Tool

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 2, "pattern": "^a"},
        "whole": {"type": "integer", "minimum": 1},
        "choice": {"enum": ["a", "b"]},
        "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
            "uniqueItems": True,
            "maxItems": 3,
        },
        "either": {
            "anyOf": [
                {"type": "string", "minLength": 3},
                {"type": "object", "properties": {"q": {"type": "integer"}}, "required": ["q"]},
            ]
        },
        "one": {"oneOf": [{"type": "integer"}, {"minimum": 3}, {"type": "string"}]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
server: Any = Server("jsonschema")


@server.list_tools()
async def tools() -> list[Tool]:
    return [Tool(name="plain", inputSchema=SCHEMA)]


@server.call_tool()
async def call(name: str, arguments: dict[str, Any]) -> list[TextContent]:
    if name != "plain":
        raise ValueError(f"Unknown tool: {name}")
    return [TextContent(type="text", text="ok")]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
