"""Which part of a listing was asked for, and what its envelope says of the rest."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.words.arguments import Argument, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_ENVELOPES = frozenset("meta metadata pagination paging page_info response_metadata links".split())
_DEFAULT_SIZE = 30
_LARGEST_SIZE = 1000
_MOST = 10**12
_NO_LIMIT = re.compile(r"\b(?:0|zero)\b[^.;,]{0,20}\b(?:no|all|every\w*|unlimited|infinite)\b")


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a listing: `size` things from `offset` on. `pages` says whether the tool can be asked for the rest."""

    offset: int
    size: int
    pages: bool

    def is_whole(self, total: int) -> bool:
        """Whether nothing lies outside it."""
        return self.offset == 0 and total <= self.size

    def ends(self, total: int) -> bool:
        """Whether nothing comes after it."""
        return self.offset + self.size >= total


@dataclass(frozen=True, slots=True)
class Cut:
    """What a listing shows: how many things there are, how many of them are here, and where the rest begins."""

    window: Window
    total: int
    shown: int
    arguments: Mapping[str, JSON]

    @property
    def more(self) -> bool:
        """Whether something comes after."""
        return not self.window.ends(self.total)

    @property
    def next_cursor(self) -> str:
        """The cursor of the next part; the empty string at the end."""
        return cursor_of(self.window.offset + self.window.size) if self.more else ""


def cursor_of(offset: int) -> str:
    """Return an opaque text that stands for a place in a listing."""
    return base64.urlsafe_b64encode(f"offset:{offset}".encode()).decode()


def offset_of(cursor: str) -> int | None:
    """Return the place that a cursor stands for, `None` if it is none of ours."""
    try:
        said = base64.urlsafe_b64decode(cursor.encode()).decode()
    except (binascii.Error, ValueError):
        return None
    number = said.removeprefix("offset:")
    return int(number) if said.startswith("offset:") and number.isascii() and number.isdigit() and len(number) < 12 else None


def window_of(tool: ToolUnderstanding, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> Window | None:
    """Return the part that the arguments ask for; `None` where a cursor is none of ours."""
    pages = any((tool.page, tool.offset, tool.cursor))
    if not pages and tool.size is None:
        return Window(0, 10**9, False)
    size = _number(tool.size, arguments, schema)
    if size is None or size < 0 or (size == 0 and _means_no_limit(tool.size, arguments, schema)):
        size = _DEFAULT_SIZE if pages else 10**9
    declared = schema[tool.size].schema.get("maximum") if tool.size and tool.size in schema else None
    size = min(size, int(declared) if isinstance(declared, int | float) and declared >= 1 else _LARGEST_SIZE if pages else 10**9)
    offset = 0
    cursor = arguments.get(tool.cursor) if tool.cursor else None
    if isinstance(cursor, str) and cursor:
        found = offset_of(cursor)
        if found is None:
            return None
        offset = found
    elif tool.offset:
        offset = max(_number(tool.offset, arguments, schema) or 0, 0)
    elif tool.page:
        number = _number(tool.page, arguments, schema)
        least = _first_page(schema.get(tool.page))
        offset = max((least if number is None else number) - least, 0) * size
    return Window(min(offset, _MOST), size, pages)


def _means_no_limit(name: str | None, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> bool:
    """Whether a size of 0 is nobody's wish for nothing: it is not asked for, or its description says that it sets no limit."""
    described = schema[name].description.lower() if name in schema and name is not None else ""
    return name is None or arguments.get(name) is None or bool(_NO_LIMIT.search(described[:2000]))


def _number(name: str | None, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> int | None:
    """A number as it was asked for, brought within bounds: one that is too large is not the same as none."""
    if name is None:
        return None
    value = arguments.get(name)
    if value is None and name in schema:
        value = schema[name].default
    if isinstance(value, str) and value.isascii() and value.removeprefix("-").isdigit():
        bound = -_MOST if value.startswith("-") else _MOST
        return int(value) if len(value) < 12 else bound
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:  # NaN is no number
        return None
    return int(max(min(value, _MOST), -_MOST))


def _first_page(argument: Argument | None) -> int:
    if argument is None:
        return 1
    zero = argument.default == 0 or argument.schema.get("minimum") == 0 or argument.snake.endswith(("idx", "index"))
    return 0 if zero or "0-based" in argument.description.lower() or "zero-based" in argument.description.lower() else 1


def told(envelope: dict[str, JSON], cut: Cut, before: int) -> dict[str, JSON]:
    """Return an envelope with its totals, cursors and flags made true. `before` is how many things the example showed."""
    result: dict[str, JSON] = {}
    asked = {snake(key): value for key, value in cut.arguments.items()}
    for key, value in envelope.items():
        name, parts = snake(key), set(words(key))
        if isinstance(value, dict) and name in _ENVELOPES:
            result[key] = told(value, cut, before)
        elif isinstance(value, bool):
            result[key] = _flag(value, parts, cut)
        elif isinstance(value, int) and "total" in parts and "page" not in parts and "pages" not in parts:
            result[key] = cut.total
        elif isinstance(value, int) and parts & {"pages"}:
            result[key] = -(-cut.total // max(cut.window.size, 1))
        elif isinstance(value, int) and parts & {"count", "size", "returned", "length"} and name not in asked:
            result[key] = cut.shown if value == before or "returned" in parts else cut.total
        elif name in ("page", "per_page", "limit", "offset", "start_at", "max_results", "page_size", "skip") and isinstance(value, int):
            result[key] = _echoed(name, value, asked, cut)
        elif ("cursor" in parts or "token" in parts or name == "next") and isinstance(value, str | None):
            result[key] = cut.next_cursor or (None if value is None or not isinstance(value, str) or value else "")
        else:
            result[key] = value
    return result


def _flag(value: bool, parts: set[str], cut: Cut) -> bool:
    if parts & {"more", "next"} and parts & {"has", "more"}:
        return cut.more
    if "last" in parts:
        return not cut.more
    return cut.window.offset > 0 if "previous" in parts or "prev" in parts else value


def _echoed(name: str, value: int, asked: Mapping[str, JSON], cut: Cut) -> JSON:
    if name in asked:
        return asked[name]
    if name in ("offset", "start_at", "skip"):
        return cut.window.offset
    return value if name == "page" or cut.window.size >= 10**9 else cut.window.size
