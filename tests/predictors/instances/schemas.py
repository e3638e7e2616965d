"""Schemas drawn around a value that is known to satisfy them, by many keywords."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1000, 1000),
    st.integers(-4000, 4000).map(lambda number: number / 4),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=12),
    st.from_regex(r"\A[a-z]{1,6}[0-9]{0,3}\Z"),
)
names = st.sampled_from("id name title url count items status created_at data tags a b c x-y".split())
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)), max_leaves=8
)


def type_of(value: Any) -> str:
    kinds = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds[type(value)]


@st.composite
def schemas_of(draw: st.DrawFn, value: Any, definitions: dict[str, Any] | None, depth: int = 0) -> Any:
    """Draw a schema that the value satisfies. Definitions that it refers to are added to `definitions`."""
    schema: dict[str, Any] = {}
    plain = draw(st.integers(0, 9))
    if plain == 0 and depth:
        return draw(st.sampled_from([True, {}]))
    if plain == 1:
        return {"const": value}
    if plain == 2:
        return {"enum": [value, *draw(st.lists(scalars, max_size=2))]}
    if draw(st.integers(0, 4)):
        kind = type_of(value)
        wide = draw(st.integers(0, 3)) == 0
        schema["type"] = [kind, draw(st.sampled_from([other for other in ("null", "string", "object") if other != kind]))] if wide else kind
    for keyword, constraint in draw(constraints_of(value, definitions, depth)).items():
        schema[keyword] = constraint
    if depth < 3 and draw(st.integers(0, 1)):
        schema.update(draw(combinations_of(value, definitions, depth)))
    if depth and definitions is not None and draw(st.integers(0, 5)) == 0:
        name = f"d{len(definitions)}"
        definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}
    return schema


@st.composite
def constraints_of(draw: st.DrawFn, value: Any, definitions: dict[str, Any] | None, depth: int) -> dict[str, Any]:
    if isinstance(value, bool) or value is None:
        return {}
    inner = lambda item: schemas_of(item, definitions, depth + 1)  # noqa: E731
    found: dict[str, Any] = {}
    some = lambda: draw(st.integers(0, 2)) == 0  # noqa: E731
    if isinstance(value, int | float):
        if some():
            found["minimum"] = value - draw(st.integers(0, 5))
        if some():
            found["maximum"] = value + draw(st.integers(0, 5))
        if some():
            found["exclusiveMinimum"] = value - draw(st.sampled_from([0.25, 1, 7]))
        if some() and isinstance(value, int) and value:
            found["multipleOf"] = draw(st.sampled_from([factor for factor in (1, 2, 3, 5, 7, value) if value % factor == 0 and factor > 0]))
    elif isinstance(value, str):
        if some():
            found["minLength"] = draw(st.integers(0, len(value)))
        if some():
            found["maxLength"] = len(value) + draw(st.integers(0, 6))
        if some():
            found["pattern"] = draw(patterns_of(value))
    elif isinstance(value, list):
        if some():
            found["minItems"] = draw(st.integers(0, len(value)))
        if some():
            found["maxItems"] = len(value) + draw(st.integers(0, 3))
        if some() and len({json.dumps(item, sort_keys=True).replace(".0", "") for item in value}) == len(value):
            found["uniqueItems"] = True
        if some():
            prefix = draw(st.integers(0, len(value)))
            if prefix:
                found["prefixItems"] = [draw(inner(item)) for item in value[:prefix]]
            rest = value[prefix:]
            if not rest:
                found["items"] = draw(st.booleans())
            elif len(rest) == 1 or all(item == rest[0] and type(item) is type(rest[0]) for item in rest):
                found["items"] = draw(inner(rest[0]))
            else:
                found["items"] = {"anyOf": [draw(inner(item)) for item in rest]}
        if some() and value:
            found["contains"] = draw(inner(draw(st.sampled_from(value))))
            if some():
                found["minContains"] = draw(st.integers(0, 1))
            if some():
                found["maxContains"] = len(value) + 1
        if "items" not in found and "contains" not in found and some():
            found["unevaluatedItems"] = True
    else:
        shown = [name for name in value if draw(st.integers(0, 3))]
        if shown:
            found["properties"] = {name: draw(inner(value[name])) for name in shown}
        if some():
            found["properties"] = {**found.get("properties", {}), "extra": draw(st.sampled_from([True, False, {"type": "integer"}]))}
        if some():
            found["required"] = [name for name in value if draw(st.booleans())]
        if some() and set(value) <= set(found.get("properties", {})):
            found[draw(st.sampled_from(["additionalProperties", "unevaluatedProperties"]))] = draw(
                st.sampled_from([False, {"type": "string"}])
            )
        elif some() and len(value) == 1 and "properties" not in found:
            found["additionalProperties"] = draw(inner(next(iter(value.values()))))
        if some():
            found["minProperties"] = draw(st.integers(0, len(value)))
        if some():
            found["maxProperties"] = len(value) + draw(st.integers(0, 2))
        if some():
            found["propertyNames"] = draw(st.sampled_from([{"maxLength": 12}, {"pattern": "^[a-z]"}, {"type": "string"}]))
        if some():
            found["patternProperties"] = {"^z_": {"type": "integer"}}
        if some() and value:
            name = draw(st.sampled_from(sorted(value)))
            found["dependentRequired"] = {name: [draw(st.sampled_from(sorted(value)))], "absent": ["never"]}
        if some() and value:
            found["dependentSchemas"] = {draw(st.sampled_from(sorted(value))): draw(inner(value))}
    return found


@st.composite
def patterns_of(draw: st.DrawFn, value: str) -> str:
    """Draw a pattern in both Python's and RE2's language that is found in the text."""
    safe = value.isascii() and value.isprintable()
    choices = [".*", "^", "$", f"^.{{{len(value)}}}$" if value.isprintable() and value.isascii() else "", r"^[\s\S]*$"]
    if safe:
        choices += [re.escape(value), "^" + re.escape(value[:2]), re.escape(value[-2:]) + "$", f"^({re.escape(value)}|other)$"]
    if re.fullmatch(r"[a-z]+[0-9]*", value):
        choices += ["^[a-z]+[0-9]*$", "^[a-z][a-z0-9]*$", r"^[^A-Z\s]+$", r"^\w{1,12}$", "[a-z]"]
    return draw(st.sampled_from(choices))


def changed(value: Any) -> st.SearchStrategy[Any]:
    """Values much like another."""
    if isinstance(value, dict):
        smaller = [{name: inner for name, inner in value.items() if name != gone} for gone in value]
        return st.sampled_from([*smaller, {**value, "extra": 1}, {**value, "id": "7"}])
    if isinstance(value, list):
        return st.sampled_from([value[1:], [*value, None], [*value, "more"], []])
    if isinstance(value, str):
        return st.sampled_from([value + "s", value[1:], value.upper()])
    return scalars if value is None or isinstance(value, bool) else st.sampled_from([value + 1, value - 1, value * 2])


@st.composite
def others_than(draw: st.DrawFn, value: Any) -> Any:
    """Draw a schema that the value does not satisfy, though a value much like it does."""
    schema = draw(schemas_of(draw(changed(value)), None, 2))
    return schema if not Draft202012Validator(schema).is_valid(value) else {"not": schema}


@st.composite
def combinations_of(draw: st.DrawFn, value: Any, definitions: dict[str, Any] | None, depth: int) -> dict[str, Any]:
    right = schemas_of(value, definitions, depth + 1)
    kind = type_of(value)
    strangers = [{"type": other} for other in ("null", "boolean", "string", "array", "object") if other != kind]
    wrong = draw(st.one_of(st.sampled_from([*strangers, False, {"const": "nobody says this"}, {"not": {}}]), others_than(value)))
    combination = draw(st.sampled_from(["allOf", "anyOf", "oneOf", "not", "if", "else"]))
    if combination == "allOf":
        return {"allOf": [draw(right), draw(right)]}
    if combination == "anyOf":
        return {"anyOf": draw(st.permutations([draw(right), wrong, draw(schemas_of(draw(scalars), definitions, depth + 1))]))}
    if combination == "oneOf":
        return {"oneOf": draw(st.permutations([draw(right), wrong, draw(others_than(value))]))}
    if combination == "not":
        return {"not": draw(st.sampled_from([wrong, {"allOf": [{"type": kind}, wrong]}, {"anyOf": [wrong, False]}]))}
    if combination == "if":
        return {"if": draw(right), "then": draw(right), "else": draw(st.sampled_from([False, True, wrong]))}
    return {"if": wrong, "then": draw(st.sampled_from([True, False])), "else": draw(right)}


@st.composite
def satisfiable(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw a schema and a value that it holds for."""
    value = draw(values)
    definitions: dict[str, Any] = {}
    schema = draw(schemas_of(value, definitions))
    if definitions:
        schema = {"allOf": [schema], "$defs": definitions} if not isinstance(schema, dict) else {**schema, "$defs": definitions}
    return schema, value
