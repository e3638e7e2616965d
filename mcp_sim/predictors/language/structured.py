"""Structured answers: what a server may decode by, and what is made of the reply."""

import json
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.language.reply import unfence

_DEEPEST = 64
_LONGEST_STRING = 4_096
_MOST_ITEMS = 256
_LARGEST_INTEGER = 2**53 - 1


class NoJSONError(ValueError):
    """The reply holds no JSON value."""


def bound(schema: JSON, *, or_failure: bool = False) -> JSON:
    """Return a copy of a schema in which nothing can run on for ever: strings, arrays and integers have limits.

    With `or_failure` a bare string is allowed as well: the only way for a tool with an output schema to report that it failed.
    """
    bounded = _bounded(schema, _DEEPEST)
    if not or_failure:
        return bounded
    definitions = {key: bounded[key] for key in ("$defs", "definitions") if isinstance(bounded, dict) and key in bounded}
    return {"anyOf": [bounded, {"type": "string", "maxLength": _LONGEST_STRING}], **definitions}


def read_json(text: str) -> JSON:
    """Return the JSON value that a reply is, or that it holds: in a fence, or after and before other words.

    Raises:
        NoJSONError: there is none. The message says what is wrong with the text.
    """
    try:
        return _strict(unfence(text).strip())
    except NoJSONError as error:
        problem = error
    decoder = json.JSONDecoder(parse_constant=_refuse)
    for opening in "{", "[":
        start = text.find(opening)
        if start >= 0:
            try:
                return decoder.raw_decode(text, start)[0]
            except (ValueError, RecursionError):
                continue
    raise problem


def _strict(text: str) -> JSON:
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise NoJSONError("it is nested too deeply") from error
    except ValueError as error:
        raise NoJSONError(str(error)) from error


def _refuse(constant: str) -> Any:
    raise NoJSONError(f"{constant} is no JSON")


def _bounded(schema: JSON, depth: int) -> JSON:
    if not isinstance(schema, dict) or depth == 0:
        return schema
    copy: dict[str, JSON] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas") and isinstance(value, dict):
            copy[key] = {name: _bounded(inner, depth - 1) for name, inner in value.items()}
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
            copy[key] = [_bounded(inner, depth - 1) for inner in value]
        elif key in ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"):
            copy[key] = _bounded(value, depth - 1)
        else:
            copy[key] = value
    kinds = copy.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    if "enum" in copy or "const" in copy:
        return copy
    if "string" in kinds and "pattern" not in copy and "format" not in copy:
        copy.setdefault("maxLength", max(_LONGEST_STRING, copy["minLength"] if isinstance(copy.get("minLength"), int) else 0))
    if "array" in kinds:
        copy.setdefault("maxItems", max(_MOST_ITEMS, copy["minItems"] if isinstance(copy.get("minItems"), int) else 0))
    if "integer" in kinds:
        if not {"minimum", "exclusiveMinimum"} & copy.keys():
            copy["minimum"] = -_LARGEST_INTEGER
        if not {"maximum", "exclusiveMaximum"} & copy.keys():
            copy["maximum"] = _LARGEST_INTEGER
    return copy
