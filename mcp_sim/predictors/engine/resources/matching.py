"""Which things a listing or a search means."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.kept.needs import Needing, Test, holds
from mcp_sim.predictors.engine.resources.queries import read_query
from mcp_sim.predictors.engine.resources.ranges import range_test, resource_has
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.arguments import Argument, concept, field_named, snake
from mcp_sim.predictors.engine.words.understanding import Effect, ToolUnderstanding

_ALL = frozenset({"all", "any", "*", ""})


@dataclass(frozen=True, slots=True)
class Selection:
    """What a thing must pass to be listed, and the arguments and qualifiers that nothing could be made of.

    It `narrows` if something was asked for; that what was put away is not shown is nothing that anybody asked for.
    """

    tests: tuple[Test, ...]
    unheeded: tuple[str, ...]
    narrows: bool


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
        if concept(name) in resource.above and not resource_has(resource, snake(name)):
            continue  # what their owners belong to is told by these
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
    away = hidden_unasked(tool, resource, arguments, schema)
    return Selection((*tests, *away), tuple(unheeded), bool(tests))


def means_all(value: JSON) -> bool:
    """Whether a filter's value leaves nothing out."""
    return value is None or (isinstance(value, str) and value.lower() in _ALL)


def _unasked(argument: Argument) -> JSON:
    """The filter that holds where none is asked for: open things only, where a server can also be asked for all."""
    if argument.default is not None and not isinstance(argument.default, bool):
        return argument.default
    options = [option for option in argument.enum if isinstance(option, str)]
    return "open" if {"open", "closed", "all"} <= set(options) else None


def heeds(argument: Argument, resource: Resource) -> bool:
    """Whether a filter of that name is followed: something that things have, or can come to have, tells what it leaves out."""
    if argument.concept in resource.above or argument.is_control:
        return True
    likely: list[JSON] = [*argument.enum[:1], True if "boolean" in argument.types else 1, "2026-01-01", "any thing"]
    return any(_test(argument.snake, value, resource) is not None for value in likely)


def kept_as(name: str, resource: Resource) -> tuple[str, ...]:
    """Return the fields that a filter of a name is about: `type` of an account that is opened with an `account_type`."""
    if resource_has(resource, name) or name in ("state", "status"):
        return (name,)
    nouns = {resource.name, resource.name.split("_")[-1]}
    likely = [spelled for noun in sorted(nouns) for spelled in (f"{noun}_{name}", name.removeprefix(f"{noun}_"))]
    return tuple(one for one in (*likely, f"{name}_name") if one != name and resource_has(resource, one))


def _test(name: str, value: JSON, resource: Resource) -> Test | None:
    within = range_test(name, value, resource)
    if within is not None:
        return within
    names = kept_as(name, resource)
    flag = value if isinstance(value, bool) else {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None
    if flag is not None and (isinstance(value, bool) or _effects(name, resource)):
        return _flagged(name, names, flag, resource)
    if not names:
        return _begins(name, value, resource)
    wanted = [id_text(item).lower() for item in (value if isinstance(value, list) else [value])]
    if isinstance(value, str) and "," in value and name.endswith("s"):
        wanted = [item.strip().lower() for item in value.split(",")]
    if len(names) > 1 or not wanted:
        return lambda record: all(any(holds(field_named(record, one), item) for one in names) for item in wanted)
    needs = tuple(((f"={names[0]}", item),) for item in wanted)
    return Needing(lambda record: all(holds(field_named(record, names[0]), item) for item in wanted), needs)


def _begins(name: str, value: JSON, resource: Resource) -> Test | None:
    """A filter on how a name begins: `prefix`, `name_prefix`, `starts_with`."""
    stem = name.removesuffix("starts_with").removesuffix("prefix").strip("_")
    if stem == name or not isinstance(value, str):
        return None
    if stem:
        names: tuple[str, ...] = kept_as(stem, resource)
    else:
        names = (snake(resource.id_key), *(one for one in ("name", "title", "key", "path") if resource_has(resource, one)))
    start = value.lower()
    return (lambda record: any(id_text(field_named(record, one)).lower().startswith(start) for one in names)) if names else None


def _flagged(name: str, names: tuple[str, ...], wanted: bool, resource: Resource) -> Test | None:
    """A filter that is yes or no. What says nothing of it is a no; a number or a list is a yes where there is any: `in_stock`."""
    effects = _effects(name, resource)
    if not names and name.endswith("_only"):
        bare = name.removesuffix("_only")
        return _flagged(bare, kept_as(bare, resource), True, resource) if wanted else lambda record: True
    if not names:
        stem = next((name.removeprefix(f"{word}_") for word in ("in", "has", "is", "only") if name.startswith(f"{word}_")), "")
        names, effects = kept_as(stem, resource) if stem else (), _effects(stem, resource) if stem else ()
    if not names:
        return None
    aliases = tuple(dict.fromkeys((*names, *(flag for effect in effects for flag in effect.flags if not flag.startswith("!")))))
    stems = tuple(effect.word[:4] for effect in effects if name in effect.flags or any(one in effect.flags for one in names))

    def told(record: Record) -> bool:
        values = [value for one in aliases if (value := field_named(record, one)) is not None]
        if values or not stems:
            return any(map(_is_so, values))
        return any(str(field_named(record, one)).lower().startswith(stems) for one in ("state", "status"))

    return lambda record: told(record) is wanted


def _effects(name: str, resource: Resource) -> tuple[Effect, ...]:
    """The verbs that turn a flag on or off."""
    effects = [tool.effect for tool in resource.tools if tool.effect is not None]
    return tuple(effect for effect in effects if name in {flag.removeprefix("!") for flag in effect.flags})


def _is_so(value: JSON) -> bool:
    return value.lower() not in ("false", "no", "none", "") if isinstance(value, str) else bool(value)


def hidden_unasked(
    tool: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON], schema: Mapping[str, Argument]
) -> list[Test]:
    """Return the tests that leave out what a verb has put away (archived, closed), where a tool shows such things only on demand."""
    flags = {flag for other in resource.tools if other.effect for flag in other.effect.flags if not flag.startswith("!")}
    away = set(resource.unlisted)
    for argument in schema.values() if flags else ():
        bare = argument.snake.removeprefix("include_").removesuffix("s")
        if argument.snake in ("archived", "is_archived") and argument.snake in flags and arguments.get(argument.name) is None:
            away.add(argument.snake)
        elif argument.snake.startswith("include_") and bare in flags:
            away.add(bare)
            if _is_so(arguments.get(argument.name)):
                return []
        elif argument.snake in flags and arguments.get(argument.name) is not None:
            away.discard(argument.snake)
        elif arguments.get(argument.name) in away:
            away.discard(str(arguments[argument.name]))
    found = (_flagged(name, kept_as(name, resource), False, resource) for name in sorted(away))
    return [test for test in found if test is not None]
