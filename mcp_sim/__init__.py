"""mcp-sim: an MCP server that answers every call of any tool list by predicting its result."""

__version__ = "0.1.0"
