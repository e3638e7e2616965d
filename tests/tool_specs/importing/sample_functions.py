"""Functions such as people have: imported by the tests of Python functions."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict


class Size(Enum):
    small = "s"
    large = "l"


class Address(BaseModel):
    street: str
    number: int = 1


@dataclass
class Order:
    number: str
    total: float


class Found(TypedDict):
    title: str
    url: str


class Context:
    """A framework's own object: it has no JSON Schema."""


def search(query: str, limit: int = 10, *, kind: Literal["news", "web"] = "web", since: date | None = None) -> list[Found]:
    """Search the web.

    Finds pages by words.

    Args:
        query: What to look for.
        limit: How many results
            at most.
        since: Only what is newer.

    Returns:
        The pages found, best first.
    """
    raise NotImplementedError


def order(address: Address, sizes: list[Size], note: Annotated[str, Field(max_length=5)] = "") -> Order:
    """Order something.

    Parameters
    ----------
    address : Address
        Where to send it.
    note
        A word to the driver.
    """
    raise NotImplementedError


def whisper(text: str, volume: float = 0.5, **options: str) -> None:
    """Say it softly.

    :param text: What to say.
    :param volume: How loud.
    """


def with_context(ctx: Context | None = None, copy: bool = False, _hidden: int = 0) -> dict[str, int]:
    raise NotImplementedError


def untyped(a, b=object()):  # type: ignore[no-untyped-def]  # noqa: B008
    return a, b


def impossible(ctx: Context) -> str:
    raise NotImplementedError


def _private() -> None:
    raise NotImplementedError


def _logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


@_logged
def decorated(city: str) -> str:
    """Look up a city."""
    return city


class ToolLike:
    """What agent frameworks make of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = "renamed"
        self.func = function


TOOLS = [search, ToolLike(order), 3]
