"""A server on the Python SDK whose arguments use what pydantic can say in JSON Schema."""

import enum
from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

server = MCPServer("pydantic")


class Choice(enum.Enum):
    A = "a"
    B = "b"


class Edit(BaseModel):
    old: str
    count: int = Field(ge=1)


@server.tool()
def optional(
    text: Annotated[str, Field(min_length=2, max_length=4, pattern="^a")] = "ab",
    whole: Annotated[int, Field(ge=1, le=5, multiple_of=2)] = 2,
    number: float = 1,
    flag: bool = False,
    few: Annotated[list[int], Field(min_length=2, max_length=3)] = [1, 2],  # noqa: B006
    table: dict[str, int] = {},  # noqa: B006
    choice: Choice = Choice.A,
    literal: Literal["x", "y", 3] = "x",
    constant: Literal["x"] = "x",
    maybe: int | None = None,
    union: int | str = 1,
    edit: Edit | None = None,
    edits: list[Edit] = [],  # noqa: B006
    mixed: list[str] | Edit | None = None,
    pair: tuple[int, str] = (1, ""),
    low: Annotated[int, Field(ge=3)] | None = None,
) -> str:
    return "ok"


@server.tool()
def needed(a: str, b: int, c: list[Edit]) -> str:
    return "ok"


if __name__ == "__main__":
    server.run()
