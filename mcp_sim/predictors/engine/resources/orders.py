"""In what order a listing shows its things: as it is asked to, else as its description says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.queries import QUALIFIER
from mcp_sim.predictors.engine.resources.ranges import moment_of, resource_has
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.schemas import properties_of
from mcp_sim.predictors.engine.words.arguments import Argument, field_named, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.instances.moments import tells_change, tells_creation, told_at

_CREATED = frozenset({"created", "newest", "oldest", "creation"})
_CHANGED = frozenset({"updated", "modified", "edited"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BEGINNINGS = ("start", "start_time", "starts_at", "start_at", "start_date", "begin", "begins_at")
_CALLED = ("title", "name", "summary", "subject")
_SAID = re.compile(
    r"(?P<before>[\w' ]{0,30}?)\b(?:(?:sorted|ordered|sorts|orders)(?: them| results)?(?: in \w+ order)? by|in order of) "
    r"(?:the |their |its )?(?P<field>[a-z_]{2,30}(?: (?:time|date|at))?)\b(?P<way>[^.;]{0,40})"
)
_FIRST = re.compile(r"\b(?P<which>newest|latest|oldest|most recent(?:ly (?P<what>\w+))?)(?: \w+)? first\b")
_NOT_SO = re.compile(r"\b(?:can|may|could|optional|optionally|not|if|to)\b")
_DOWN = re.compile(r"\b(?:desc|descending|newest|latest|most recent|highest|largest|reverse)\b")
_IN_TIME = re.compile(r"(?P<reverse>reverse )?chronological(?:ly| order)")


@dataclass(frozen=True, slots=True)
class Order:
    """A sort key (`None`: as things came to be) and whether it runs downwards; with `ties_down` things that are equal do so as well."""

    key: Callable[[Record], Any] | None
    down: bool
    ties_down: bool = False


def order_of(
    tool: ToolUnderstanding,
    arguments: Mapping[str, JSON],
    schema: Mapping[str, Argument],
    resource: Resource,
    newest_first: bool | None,
    description: str = "",
) -> Order:
    """Return the order that is asked for, else the one that a tool's description tells."""
    sort = arguments.get(tool.sort) if tool.sort else None
    direction = arguments.get(tool.direction) if tool.direction else None
    if sort is None and tool.sort is not None and tool.sort in schema:
        sort = schema[tool.sort].default
    if direction is None and tool.direction is not None and tool.direction in schema:
        direction = schema[tool.direction].default
    newest_by_habit = (tool.direction is not None and tool.sort is not None) if newest_first is None else newest_first
    down = str(direction).lower().startswith("desc") if direction is not None else newest_by_habit
    if not isinstance(sort, str) or not sort:
        told = _said(description, resource)
        if told is None:
            return Order(None, down)
        wanted, said_down = told
        return _by(wanted, said_down if direction is None else down, resource, schema)
    if sort.startswith("-"):
        sort, down = sort[1:], True
    elif direction is None and sort.lower().endswith((" desc", ":desc", "_desc")):
        sort, down = sort[:-5], True
    elif direction is None and sort.lower().endswith((" asc", ":asc", "_asc")):
        sort, down = sort[:-4], False
    if direction is None and sort.lower() in ("newest", "oldest"):
        down = sort.lower() == "newest"
    return _by(sort, down, resource, schema)


def relevance(text: str) -> Callable[[Record], int]:
    """Return a sort key that puts what is called by the words of a text before what only contains them."""
    wanted = set(re.findall(r"\w+", QUALIFIER.sub(" ", text[:2000]).lower()))

    def key(record: Record) -> int:
        name = next((value for field, value in record.items() if snake(field) in _CALLED), "")
        return -len(wanted & set(re.findall(r"\w+", name.lower()))) if isinstance(name, str) else 0

    return key


def _said(description: str, resource: Resource) -> tuple[str, bool] | None:
    """The field by which a description says that things are sorted, and whether downwards; `None` if it says nothing of it."""
    text = " ".join(description[:4000].lower().split())
    for found in _SAID.finditer(text):
        name = snake(found["field"])
        field = next((one for one in (name, name.rpartition("_")[0]) if one and _can_sort_by(one, resource)), "")
        if field and not _NOT_SO.search(found["before"]):
            return field, bool(_DOWN.search(found["way"]))
    if first := _FIRST.search(text):
        return "updated" if first["what"] in _CHANGED else "created", first["which"] != "oldest"
    if in_time := _IN_TIME.search(text):
        return next((name for name in _BEGINNINGS if resource_has(resource, name)), "created"), in_time["reverse"] is not None
    return None


def _can_sort_by(name: str, resource: Resource) -> bool:
    of_others = {*resource.scope, *(about for _, about in resource.links)}  # "ordered by the customer" tells of no order
    return bool(set(name.split("_")) & (_CREATED | _CHANGED)) or (resource_has(resource, name) and name not in of_others)


def _by(sort: str, down: bool, resource: Resource, schema: Mapping[str, Argument]) -> Order:
    name, wanted = set(words(sort)), snake(sort)
    if wanted == snake(resource.id_key) or (wanted in ("id", "number") and not resource_has(resource, wanted)):
        return Order(_by_id(resource), down, ties_down=True)
    if name & _CREATED:
        return Order(lambda record: _standing(_made(record, wanted)), down, ties_down=True)
    if name & _CHANGED:
        return Order(lambda record: _standing(_changed(record, wanted)), down)
    ranks = _ranks(wanted, resource, schema)

    def key(record: Record) -> Any:
        value = field_named(record, wanted)
        rank = ranks.get(value.lower()) if isinstance(value, str) else None
        return _standing(value) if rank is None else (1, rank, "")

    return Order(key, down)


def _by_id(resource: Resource) -> Callable[[Record], Any]:
    def key(record: Record) -> Any:
        value = record.get(resource.id_key)
        if resource.style.counts and isinstance(value, str):
            return (1, resource.style.number_of(value), value)
        return (1, value, "") if isinstance(value, int | float) else (2, 0.0, id_text(value).lower())

    return key


def _made(record: Record, wanted: str) -> JSON:
    """What a thing says of when it was made: what is called so first, then whatever tells it."""
    named = field_named(record, wanted)
    if named is not None:
        return named
    keys = sorted((key for key in record if tells_creation(key)), key=lambda key: not {"created", "creation"} & set(words(key)))
    if keys:
        return record[keys[0]]
    moment = told_at(record)
    return None if moment is None else moment.isoformat()


def _changed(record: Record, wanted: str) -> JSON:
    named = field_named(record, wanted)
    return named if named is not None else next((value for key, value in record.items() if tells_change(key)), None)


def _ranks(wanted: str, resource: Resource, schema: Mapping[str, Argument]) -> dict[str, int]:
    """The places of the words that a field may take, where a schema lists them: `low` comes before `high`."""
    argument = resource.fields.get(wanted) or next((argument for argument in schema.values() if argument.snake == wanted), None)
    options = argument.enum if argument is not None else []
    if not options:
        part = next((part for key, part in properties_of(resource.schema).items() if snake(key) == wanted), None)
        listed = part.get("enum") if isinstance(part, dict) else None
        options = listed if isinstance(listed, list) else []
    return {option.lower(): place for place, option in enumerate(options) if isinstance(option, str)}


def _standing(value: JSON) -> Any:
    """Where a value stands among others of any kind: none first, then numbers and times, then texts."""
    if isinstance(value, int | float):
        return (1, value, "")
    moment = moment_of(value)
    if moment is not None:
        return (1, (moment - _EPOCH).total_seconds(), "")
    return (0, 0.0, "") if value is None else (2, 0.0, id_text(value).lower())
