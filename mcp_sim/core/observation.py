"""What the agent sees of an action's outcome."""

from mcp_sim.core.canonical import JSON, indented
from mcp_sim.core.model import Frozen


class Observation(Frozen):
    """The result of an action as MCP carries it: content blocks, structured content, and whether the tool failed.

    `structured_content` may be any JSON value, `None` (JSON null) included: whether there is one at all is told by
    `has_structured_content`.
    `protocol_error` (`code`, `message`, `data`) is what the server answered in place of a result; `content` then holds its message.
    """

    content: list[dict[str, JSON]] = []
    structured_content: JSON = None
    is_error: bool = False
    protocol_error: dict[str, JSON] | None = None

    @classmethod
    def of_protocol_error(cls, error: dict[str, JSON]) -> "Observation":
        """Read the `error` of a response that has no result: a number `code`, a text `message`, and perhaps `data`.

        Raises:
            ValueError: it is not of that form.
        """
        if type(error.get("code")) is not int or not isinstance(error.get("message"), str):
            raise ValueError('an error has a number "code" and a text "message"')
        kept = {name: value for name, value in error.items() if name in ("code", "message", "data")}
        return cls(content=[{"type": "text", "text": error["message"]}], is_error=True, protocol_error=kept)

    @classmethod
    def of_text(cls, text: str, *, is_error: bool = False) -> "Observation":
        """Return an observation of one text block."""
        content = [{"type": "text", "text": text}]
        return cls(content=content, is_error=True) if is_error else cls(content=content)

    @classmethod
    def of_structured(cls, value: JSON, text: str | None = None) -> "Observation":
        """Return an observation of structured content, mirrored as JSON text where no text is given."""
        mirror = indented(value) if text is None else text
        return cls(content=[{"type": "text", "text": mirror}], structured_content=value)

    @classmethod
    def of_result(cls, result: dict[str, JSON]) -> "Observation":
        """Read an MCP `CallToolResult` in its wire form (`content`, `structuredContent`, `isError`).

        Raises:
            pydantic.ValidationError: the result is not of that form.
        """
        fields: dict[str, JSON] = {"content": result.get("content", [])}
        if result.get("isError") is not None:
            fields["is_error"] = result["isError"]
        if "structuredContent" in result:
            fields["structured_content"] = result["structuredContent"]
        return cls.model_validate(fields)

    @classmethod
    def of_offer(cls, result: dict[str, JSON]) -> "Observation":
        """Read the result of reading a resource (`contents`) or getting a prompt (`messages`), in its wire form.

        It is the structured content, and its parts are the content blocks, for whoever looks at those.
        """
        blocks = [{"type": "resource", "resource": part} for part in result.get("contents", ())]
        blocks += [message["content"] for message in result.get("messages", ())]
        return cls(content=blocks, structured_content=result)

    @property
    def has_structured_content(self) -> bool:
        """Whether structured content was given, be it null."""
        return "structured_content" in self.model_fields_set

    @property
    def text(self) -> str:
        """The text blocks, joined by line breaks."""
        return "\n".join(block["text"] for block in self.content if block.get("type") == "text" and "text" in block)

    def to_result(self) -> dict[str, JSON]:
        """Return the wire form; keys that were never set are absent, as real servers leave them out."""
        result: dict[str, JSON] = {"content": self.content}
        if self.has_structured_content:
            result["structuredContent"] = self.structured_content
        if "is_error" in self.model_fields_set:
            result["isError"] = self.is_error
        return result
