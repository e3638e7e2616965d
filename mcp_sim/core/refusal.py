"""What a real server answers to arguments that break the schema, and to a tool it does not have."""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from pydantic import TypeAdapter
from pydantic import ValidationError as UncoercibleError

from mcp_sim.core import pydantic_wording, zod_wording
from mcp_sim.core.canonical import JSON
from mcp_sim.core.field_order import beside_null, part, unknown
from mcp_sim.core.observation import Observation
from mcp_sim.core.schema import Problem, Schema
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import ErrorStyle

_COERCE: dict[str, Callable[[Any], Any]] = {
    kind: TypeAdapter(python).validate_python for kind, python in (("integer", int), ("number", float), ("boolean", bool))
}


def refuse(style: ErrorStyle, tool: ToolSpec, arguments: JSON, problems: list[Problem]) -> Observation:
    """Return the refusal of arguments, as the client sent them, in a style; `problems` are those that `admit` left, at least one.

    Wordings were recorded from: the TypeScript SDK 1.32 with zod 4.6 (`zod`), the Python SDK 2.3 with pydantic 2.14 (`pydantic`), the
    low-level server of the Python SDK 1.30 with jsonschema 4.26 (`jsonschema`).
    """
    if style == "zod":
        text = zod_wording.text(tool.input_schema, tool.name, arguments, problems)
    elif style == "pydantic":
        text = pydantic_wording.text(tool.input_schema, tool.name, arguments, problems)
    else:
        text = f"Input validation error: {best_match(map(_error, problems)).message}"
    return Observation.of_text(text, is_error=True)


def unknown_tool(style: ErrorStyle, name: str) -> Observation | None:
    """Return what a style answers to the name of a tool that is not there; `None` where that is a JSON-RPC error."""
    if style == "zod":
        return Observation.of_text(f"MCP error -32602: Tool {name} not found", is_error=True)
    if style == "jsonschema":
        return Observation.of_text(f"Unknown tool: {name}", is_error=True)
    return None


def admit(style: ErrorStyle, schema: Schema, arguments: JSON) -> tuple[JSON, list[Problem]]:
    """Read arguments as a server of a style does. Return them as the tool sees them, and the problems that remain.

    `pydantic` turns `"5"` into 5 where a number is due, and JSON text into the list or object that it spells at the top level (that is
    how the Python SDK reads them). `zod` leaves unknown keys out, unless the schema is one of a strict object.

    Raises:
        SchemaBudgetError: the check takes too many steps.
    """
    problems = schema.problems(arguments)
    for _ in range(2):  # what was JSON text may hold numbers in quotes
        admitted = _admitted(style, schema, arguments, problems)
        if admitted is arguments:
            break
        arguments, problems = admitted, schema.problems(admitted)
    return arguments, problems


def _admitted(style: ErrorStyle, schema: Schema, arguments: JSON, problems: list[Problem]) -> JSON:
    admitted = arguments
    for problem in problems:
        if style == "pydantic":
            admitted = _coerced(admitted, problem)
        elif style == "zod" and problem.keyword == "additionalProperties" and problem.expected is False and _strips(schema):
            dropped = set(unknown(problem))
            held = part(admitted, problem.path)  # not `problem.value`: something deeper in it may have been left out already
            admitted = _replaced(admitted, problem.path, {name: value for name, value in held.items() if name not in dropped})
    return admitted


def _strips(schema: Schema) -> bool:
    # why: zod writes `additionalProperties: false` for objects that ignore unknown keys too, zod 3 always and zod 4 for outputs. Only the
    # TypeScript SDK's own form, draft-07 with `$schema` in front, has it for strict objects alone; and so has what was not made by zod.
    keys = list(schema.raw)
    return "$schema" in keys and not (keys[0] == "$schema" and "draft-07" in schema.dialect)


def _coerced(arguments: JSON, problem: Problem) -> JSON:
    optional = beside_null(problem.rule) if problem.keyword == "anyOf" else None
    for inner in problem.context:
        coerced = _coerced(arguments, inner) if optional is not None or inner.path == problem.path else arguments
        if optional is None and coerced is not arguments:
            return coerced  # the first branch that can be had
        arguments = coerced
    if problem.keyword == "type":
        for kind in [problem.expected] if isinstance(problem.expected, str) else problem.expected:
            found, value = _read(kind, problem)
            if found:
                return _replaced(arguments, problem.path, value)
    return arguments


def _read(kind: str, problem: Problem) -> tuple[bool, JSON]:
    if kind in _COERCE:
        try:
            value = _COERCE[kind](problem.value)
        except UncoercibleError:
            return False, None
        return isfinite(value), value
    if kind in ("array", "object", "null") and isinstance(problem.value, str) and len(problem.path) == 1:
        try:
            value = json.loads(problem.value)
        except (ValueError, RecursionError):
            return False, None
        return value is None or isinstance(value, list | dict), value
    return False, None


def _replaced(value: JSON, path: tuple[str | int, ...], part: JSON) -> JSON:
    if not path:
        return part
    step, *rest = path
    copy = value.copy()
    copy[step] = _replaced(value[step], tuple(rest), part)
    return copy


def _error(problem: Problem) -> ValidationError:
    return ValidationError(
        problem.message,
        validator=problem.keyword,
        path=problem.path,
        context=[_error(inner) for inner in problem.context],
        validator_value=problem.expected,
        instance=problem.value,
        schema=problem.rule,
        type_checker=Draft202012Validator.TYPE_CHECKER,
    )
