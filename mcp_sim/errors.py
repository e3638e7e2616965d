"""One tree of errors: who must act decides the branch, the message says what, where and what to do next."""


class McpSimError(Exception):
    """Root of everything mcp-sim raises on purpose. `str(error)` is meant to be shown to a person."""


class SetupError(McpSimError):
    """The operator must act: a file, an option or a plugin is wrong. Nothing is served; the command exits with 2."""


class RefusedRequestError(McpSimError):
    """The client asked for what this world cannot give. Reaches it as a protocol error, JSON-RPC -32602."""


class UnknownToolError(RefusedRequestError):
    """The client named a tool that this world does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown tool: {name}")
        self.name = name


class UnknownResourceError(RefusedRequestError):
    """The client named a resource that this world does not have: JSON-RPC -32002 before revision 2026-07-28."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Resource not found: {uri}")
        self.uri = uri


class UnknownPromptError(RefusedRequestError):
    """The client named a prompt that this world does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown prompt: {name}")


class PromptArgumentsError(RefusedRequestError):
    """The client left out what a prompt needs."""

    def __init__(self, name: str, missing: list[str]) -> None:
        super().__init__(f"Prompt {name!r} needs the argument{'s' if len(missing) > 1 else ''} {', '.join(missing)}")


class PredictionError(McpSimError):
    """The simulator could not answer. Reaches the client as JSON-RPC error -32603, never as a tool's own error."""


class RealServerError(PredictionError):
    """The real server behind the simulation cannot be reached, ended, or refused."""


class SchemaBudgetError(PredictionError):
    """Checking or making a value took more steps than its budget allows."""


class UnsatisfiableSchemaError(PredictionError):
    """No value of this schema could be made."""


class SessionStoreError(PredictionError):
    """A session's file could not be read or written while a call was being answered."""


class SessionNameError(SetupError):
    """A session's name is not allowed. Over HTTP this is a 404."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Session name {name[:80]!r} is not allowed: use 1 to 64 of a-z, 0-9, '_' and '-', beginning with a letter or digit "
            "(and no device name of Windows, such as 'con')."
        )


class ModelUnreachableError(PredictionError):
    """The language model's server does not answer: refused, no such host, TLS, a connection that broke."""


class ModelRefusedError(PredictionError):
    """The language model's server refused the request: key, model name, rate limit, a field it does not know."""


class ModelReplyError(PredictionError):
    """The language model answered with something that is no observation: empty, cut off, against the output schema, no event stream."""


class ModelSlowError(PredictionError):
    """The language model did not answer within the time that the client waits."""


class ContextExceededError(PredictionError):
    """The prompt is longer than the model's context."""


class FrozenMissError(PredictionError):
    """A call that no frozen answer fits, where nothing may be imagined. `missing` says what and what comes nearest, `remedy` what to do."""

    def __init__(self, tool: str, missing: str, remedy: str) -> None:
        super().__init__(f"{missing}\n{remedy}")
        self.tool = tool
        self.missing = missing
        self.remedy = remedy
