"""Which things a listing or a search means, and in what order."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.kept.needs import Needing, Test, holds
from mcp_sim.predictors.engine.resources.queries import QUALIFIER, read_query
from mcp_sim.predictors.engine.resources.ranges import range_test, resource_has
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.arguments import Argument, field_named, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.instances.moments import parsed, tells_change

_ALL = frozenset({"all", "any", "*", ""})


@dataclass(frozen=True, slots=True)
class Selection:
    """What a thing must pass to be listed, and the arguments and qualifiers that nothing could be made of."""

    tests: tuple[Test, ...]
    unheeded: tuple[str, ...]


def tests_of(tool: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> list[Test]:
    """Return what a thing must pass to be listed. Filters on what no thing of the kind has are ignored, as are those that mean all."""
    return list(selection_of(tool, resource, arguments, schema).tests)


def selection_of(tool: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> Selection:
    """Return what a listing or a search selects."""
    tests: list[Test] = []
    unheeded: list[str] = []
    for name in tool.filters:
        argument = schema.get(name)
        value = arguments.get(name)
        if value is None and argument is not None:
            value = _unasked(argument)
        if means_all(value) or (argument is not None and argument.is_control):
            continue
        test = _test(snake(name), value, resource)
        if test is not None:
            tests.append(test)
        elif name in arguments:
            unheeded.append(name)
    text = arguments.get(tool.text) if tool.text else None
    if isinstance(text, str):
        asked = read_query(text, resource)
        tests.extend(asked.tests)
        unheeded.extend(asked.unheeded)
    return Selection(tuple(tests), tuple(unheeded))


def means_all(value: JSON) -> bool:
    """Whether a filter's value leaves nothing out."""
    return value is None or (isinstance(value, str) and value.lower() in _ALL)


def _unasked(argument: Argument) -> JSON:
    """The filter that holds where none is asked for: open things only, where a server can also be asked for all."""
    if argument.default is not None and not isinstance(argument.default, bool):
        return argument.default
    options = [option for option in argument.enum if isinstance(option, str)]
    return "open" if {"open", "closed", "all"} <= set(options) else None


def _test(name: str, value: JSON, resource: Resource) -> Test | None:
    within = range_test(name, value, resource)
    if within is not None:
        return within
    if not resource_has(resource, name) and name not in ("state", "status"):
        return None
    wanted = [id_text(item).lower() for item in (value if isinstance(value, list) else [value])]
    if isinstance(value, str) and "," in value and name.endswith("s"):
        wanted = [item.strip().lower() for item in value.split(",")]
    needs = tuple(((f"={name}", item),) for item in wanted)
    return Needing(lambda record: all(holds(field_named(record, name), item) for item in wanted), needs)


def relevance(text: str) -> Callable[[Record], int]:
    """Return a sort key that puts what is called by the words of a text before what only contains them."""
    wanted = set(re.findall(r"\w+", QUALIFIER.sub(" ", text[:2000]).lower()))

    def key(record: Record) -> int:
        name = next((value for field, value in record.items() if snake(field) in ("title", "name", "summary", "subject")), "")
        return -len(wanted & set(re.findall(r"\w+", name.lower()))) if isinstance(name, str) else 0

    return key


def order_of(
    tool: ToolUnderstanding, arguments: Mapping[str, JSON], schema: Mapping[str, Argument], newest_first: bool | None
) -> tuple[Callable[[Record], Any] | None, bool]:
    """Return the sort key that is asked for (`None`: as things came to be) and whether it runs downwards."""
    sort = arguments.get(tool.sort) if tool.sort else None
    direction = arguments.get(tool.direction) if tool.direction else None
    if sort is None and tool.sort is not None and tool.sort in schema:
        sort = schema[tool.sort].default
    if direction is None and tool.direction is not None and tool.direction in schema:
        direction = schema[tool.direction].default
    newest_by_habit = (tool.direction is not None and tool.sort is not None) if newest_first is None else newest_first
    down = str(direction).lower().startswith("desc") if direction is not None else newest_by_habit
    if not isinstance(sort, str) or not sort:
        return None, down
    if sort.startswith("-"):
        sort, down = sort[1:], True
    elif direction is None and sort.lower().endswith((" desc", ":desc", "_desc")):
        sort, down = sort[:-5], True
    name = set(words(sort))
    if name & {"created", "newest", "id", "number"}:
        return (None, down)
    told = tells_change if name & {"updated", "modified", "edited"} else None
    wanted = snake(sort)

    def key(record: Record) -> Any:
        if told is not None:
            value: JSON = next((item for shown, item in record.items() if told(shown)), None)
        else:
            value = field_named(record, wanted)
        moment = parsed(value)
        if moment is not None and not isinstance(value, int | float):
            return (1, (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds(), "")
        if isinstance(value, int | float):
            return (1, value, "")
        return (0, 0.0, "") if value is None else (2, 0.0, id_text(value).lower())

    return key, down
