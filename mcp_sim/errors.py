"""One tree of errors: who must act decides the branch, the message says what, where and what to do next."""


class McpSimError(Exception):
    """Root of everything mcp-sim raises on purpose. `str(error)` is meant to be shown to a person."""


class SetupError(McpSimError):
    """The operator must act: a file, an option or a plugin is wrong. Nothing is served; the command exits with 2."""


class UnknownToolError(McpSimError):
    """The client named a tool that this world does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown tool: {name}")
        self.name = name


class PredictionError(McpSimError):
    """The simulator could not answer. Reaches the client as JSON-RPC error -32603, never as a tool's own error."""


class SchemaBudgetError(PredictionError):
    """Checking or making a value took more steps than its budget allows."""


class UnsatisfiableSchemaError(PredictionError):
    """No value of this schema could be made."""


class SessionStoreError(PredictionError):
    """A session's file could not be read or written while a call was being answered."""
