"""Which things a listing or a search means, and in what order."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.arguments import Argument, field_named, snake
from mcp_sim.predictors.engine.collection import Record, id_text
from mcp_sim.predictors.engine.moments import parsed, tells_change, tells_creation
from mcp_sim.predictors.engine.resource import Resource
from mcp_sim.predictors.engine.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.vocabulary import plural

Test = Callable[[Record], bool]
_ALL = frozenset({"all", "any", "*", ""})
_SINCE = frozenset("since after from updated_since modified_since created_after updated_after start_date".split())
_UNTIL = frozenset("until before created_before updated_before end_date".split())
_QUALIFIER = re.compile(r'(-?)([a-z_]+):("[^"]*"|\S+)')
_PLACES = frozenset("repo org user in sort project".split())


def tests_of(tool: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]) -> list[Test]:
    """Return what a thing must pass to be listed. Filters on what no thing of the kind has are ignored, as are those that mean all."""
    tests: list[Test] = []
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
    if tool.text and isinstance(arguments.get(tool.text), str):
        tests.extend(_text_tests(arguments[tool.text], resource))
    return tests


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
    if name in _SINCE or name in _UNTIL:
        limit = parsed(value)
        return None if limit is None else lambda record: _in_time(record, limit, late=name in _SINCE, made="created" in name)
    if name not in resource.fields and name not in _shown(resource) and name not in ("state", "status"):
        return None
    wanted = [id_text(item).lower() for item in (value if isinstance(value, list) else [value])]
    if isinstance(value, str) and "," in value and name.endswith("s"):
        wanted = [item.strip().lower() for item in value.split(",")]
    return lambda record: all(_holds(field_named(record, name), item) for item in wanted)


def _shown(resource: Resource) -> set[str]:
    return {snake(key) for example in resource.examples[:20] for key in example.record} | set(map(snake, resource.scope_keys))


def _holds(value: Any, wanted: str) -> bool:
    """Whether a field is, names or contains what is wanted."""
    if isinstance(value, dict):
        return any(_holds(item, wanted) for item in value.values() if isinstance(item, str | int))
    if isinstance(value, list):
        return any(_holds(item, wanted) for item in value)
    return value is not None and id_text(value).lower() == wanted


def _in_time(record: Record, limit: datetime, *, late: bool, made: bool) -> bool:
    told = tells_creation if made else tells_change
    moment = next((parsed(value) for key, value in record.items() if told(key)), None)
    if moment is None:
        moment = next((parsed(value) for key, value in record.items() if tells_creation(key)), None)
    return moment is None or (moment >= limit if late else moment <= limit)


def _text_tests(text: str, resource: Resource) -> list[Test]:
    """What a search text asks for: its words, and qualifiers such as `state:open` where things have such a field."""
    tests: list[Test] = []
    shown = _shown(resource)
    for negated, name, value in _QUALIFIER.findall(text[:2000]):
        wanted = value.strip('"').lower()
        if name == "is" and wanted in ("open", "closed"):
            name = "state"
        known = name == "state" or any(form in resource.fields or form in shown for form in (name, plural(name)))
        if known and name not in _PLACES:
            tests.append(_qualified(name, wanted, negated == "-"))
        elif name in ("repo", "project") and resource.scope_keys:
            tests.append(_placed(wanted, resource))
    rest = _QUALIFIER.sub(" ", text[:2000]) if tests or re.search(r"\b(?:is|repo|org|in|user):", text) else text[:2000]
    if rest.strip():
        tests.append(_worded(rest))
    return tests


def _qualified(name: str, wanted: str, negated: bool) -> Test:
    return lambda record: _holds(field_named(record, name), wanted) is not negated


def _placed(wanted: str, resource: Resource) -> Test:
    keys = resource.scope_keys
    return lambda record: (
        "/".join(id_text(record.get(key)) for key in keys).lower().endswith(wanted) or not all(key in record for key in keys)
    )


def _worded(text: str) -> Test:
    whole = " ".join(text.lower().split())
    parts = [part for part in re.findall(r"\w+", whole) if part not in ("and", "or")]

    def test(record: Record) -> bool:
        hay = "\n".join(_leaves(record)).lower()
        if parts:
            return all(part in hay for part in parts)
        return whole in " ".join(hay.split())

    return test


def places_in(text: str, resource: Resource) -> dict[str, JSON]:
    """Return the parents that a search text names (`repo:acme/api`), by the keys of a record."""
    for _, name, value in _QUALIFIER.findall(text[:2000]):
        parts = value.strip('"').split("/")
        if name in ("repo", "project") and len(parts) == len(resource.scope_keys) and all(parts):
            return dict(zip(resource.scope_keys, parts, strict=True))
    return {}


def relevance(text: str) -> Callable[[Record], int]:
    """Return a sort key that puts what is called by the words of a text before what only contains them."""
    wanted = set(re.findall(r"\w+", _QUALIFIER.sub(" ", text[:2000]).lower()))

    def key(record: Record) -> int:
        name = next((value for field, value in record.items() if snake(field) in ("title", "name", "summary", "subject")), "")
        return -len(wanted & set(re.findall(r"\w+", name.lower()))) if isinstance(name, str) else 0

    return key


def _leaves(value: Any, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict) and depth < 6:
        return [leaf for item in value.values() for leaf in _leaves(item, depth + 1)]
    if isinstance(value, list) and depth < 6:
        return [leaf for item in value for leaf in _leaves(item, depth + 1)]
    return [json.dumps(value)] if isinstance(value, int | float) else []


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
            return (1, float(value), "")
        return (0, 0.0, "") if value is None else (2, 0.0, id_text(value).lower())

    return key, down
