"""Refusals in the words of servers on the Python SDK's `MCPServer`: pydantic spells them itself from the kind of each error."""

from collections.abc import Iterable
from math import isfinite

from pydantic_core import InitErrorDetails, ValidationError

from mcp_sim.core.canonical import JSON
from mcp_sim.core.field_order import LAST, beside_null, missing, part, place, resolved, unknown
from mcp_sim.core.schema import Problem

_Issue = tuple[tuple[int, ...], InitErrorDetails]

_BOUNDS = {
    "maximum": ("less_than_equal", "le"),
    "exclusiveMaximum": ("less_than", "lt"),
    "minimum": ("greater_than_equal", "ge"),
    "exclusiveMinimum": ("greater_than", "gt"),
    "multipleOf": ("multiple_of", "multiple_of"),
    "minLength": ("string_too_short", "min_length"),
    "maxLength": ("string_too_long", "max_length"),
    "pattern": ("string_pattern_mismatch", "pattern"),
}
_RANK = ["enum", "const", "type", "multipleOf", *(name for name in _BOUNDS if name != "multipleOf")]
"""Of one part pydantic reports only the first of these."""
_TAGS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "none"}


def text(root: JSON, tool_name: str, arguments: JSON, problems: Iterable[Problem]) -> str:
    """Return the text of a refusal, with the arguments' model named as the SDK names it."""
    issues = sorted(_issues(root, [_as_sent(problem, arguments) for problem in problems]), key=lambda issue: issue[0])
    title = root.get("title")
    error = ValidationError.from_exception_data(
        title if isinstance(title, str) else f"{tool_name}Arguments", [details for _, details in issues]
    )
    return f"Error executing tool {tool_name}: {error}"


def _as_sent(problem: Problem, arguments: JSON) -> Problem:
    """Show a value as it was before numbers in it were read from strings; what was read from JSON text is shown as read."""
    try:
        sent = part(arguments, problem.path)
    except (LookupError, TypeError):  # the way there led through JSON text
        return problem
    if sent is problem.value or (isinstance(sent, str) and not isinstance(problem.value, int | float)):
        return problem
    context = tuple(_as_sent(inner, arguments) for inner in problem.context)
    return problem.model_copy(update={"value": sent, "context": context})


def _issues(root: JSON, problems: list[Problem]) -> Iterable[_Issue]:
    too_long = [problem.path for problem in problems if problem.keyword == "maxItems"]
    seen: set[tuple[str | int, ...]] = set()
    for problem in sorted(problems, key=lambda each: _RANK.index(each.keyword) if each.keyword in _RANK else 0):
        path, keyword, value = problem.path, problem.keyword, problem.value
        if any(len(path) > len(above) and path[: len(above)] == above for above in too_long):
            continue
        if keyword in _RANK:
            if path in seen:
                continue
            seen.add(path)
        if keyword == "required":
            for name in missing(problem):
                yield place(root, (*path, name)), InitErrorDetails(type="missing", loc=(*path, name), input=value)
        elif keyword in ("additionalProperties", "unevaluatedProperties") and problem.expected is False:
            for name in unknown(problem):
                yield (*place(root, path), LAST), InitErrorDetails(type="extra_forbidden", loc=(*path, name), input=value[name])
        elif keyword == "anyOf":
            yield from _of_union(root, problem)
        elif keyword == "minItems" and "prefixItems" in problem.rule:
            for index in range(len(value), problem.expected):
                yield place(root, (*path, index)), InitErrorDetails(type="missing", loc=(*path, index), input=value)
        elif keyword == "minItems" and any(other.path[: len(path)] == path and other.path != path for other in problems):
            continue  # the length is looked at only when all items are right
        elif keyword == "items" and "maxItems" in problem.rule:
            continue
        else:
            yield place(root, path), _details(root, problem)


def _of_union(root: JSON, problem: Problem) -> Iterable[_Issue]:
    optional = beside_null(problem.rule) is not None
    for index, branch in enumerate(problem.expected):
        if branch == {"type": "null"}:
            continue
        inner = [each for each in problem.context if each.branch == index]
        depth = len(problem.path)
        for position, details in _issues(root, inner):
            if not optional:
                loc = details["loc"]
                details = InitErrorDetails(**{**details, "loc": (*loc[:depth], _tag(root, branch), *loc[depth:])})
            yield (position if optional else (*place(root, problem.path), index)), details


def _details(root: JSON, problem: Problem) -> InitErrorDetails:
    keyword, expected, value = problem.keyword, problem.expected, problem.value
    kind: str = "value_error"
    context: dict[str, JSON] = {"error": problem.message}
    if keyword in ("enum", "const"):
        options = [repr(option) for option in (expected if keyword == "enum" else [expected])]
        spelled = " or ".join([", ".join(options[:-1]), options[-1]]) if len(options) > 1 else "".join(options)
        kind, context = ("enum" if _definition(root, problem.rule) else "literal_error"), {"expected": spelled}
    elif keyword == "type":
        kind, context = _of_type(root, problem.rule, value)
    elif keyword in _BOUNDS:
        kind, name = _BOUNDS[keyword]
        context = {name: expected}
    elif keyword in ("minItems", "maxItems"):
        edge = "min_length" if keyword == "minItems" else "max_length"
        field_type = "Tuple" if "prefixItems" in problem.rule else "List"
        kind = "too_short" if keyword == "minItems" else "too_long"
        context = {"field_type": field_type, edge: expected, "actual_length": len(value)}
    return InitErrorDetails(type=kind, loc=problem.path, input=value, ctx=context)


def _of_type(root: JSON, rule: JSON, value: JSON) -> tuple[str, dict[str, JSON]]:
    expected = rule["type"] if isinstance(rule["type"], str) else next((kind for kind in rule["type"] if kind != "null"), "null")
    if expected == "integer":
        if isinstance(value, str):
            return "int_parsing", {}
        if isinstance(value, float):
            return ("int_from_float" if isfinite(value) else "finite_number"), {}
        return "int_type", {}
    if expected == "number":
        return ("float_parsing" if isinstance(value, str) else "float_type"), {}
    if expected == "boolean":
        return ("bool_parsing" if isinstance(value, str | int) else "bool_type"), {}
    if expected == "object":
        name = _definition(root, rule)
        return ("model_type", {"class_name": name}) if name and "properties" in rule else ("dict_type", {})
    if expected == "array":
        return ("tuple_type" if "prefixItems" in rule else "list_type"), {}
    return {"string": "string_type", "null": "none_required"}[expected], {}


def _definition(root: JSON, rule: JSON) -> str | None:
    """The name of the class that a rule is the definition of, if it is one."""
    definitions = root.get("$defs", {})
    return next((name for name, definition in definitions.items() if definition is rule), None)


def _tag(root: JSON, branch: JSON) -> str:
    rule = resolved(root, branch)
    if name := _definition(root, rule):
        return name
    kind = rule.get("type")
    if kind == "array":
        return f"list[{_tag(root, rule.get('items', {}))}]"
    if kind == "object":
        return f"dict[str,{_tag(root, rule.get('additionalProperties', {}))}]"
    return _TAGS.get(kind, "any") if isinstance(kind, str) else "any"
