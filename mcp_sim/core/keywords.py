"""The keywords whose functions in jsonschema are not bounded: patterns, equality of large values, evaluated properties, references."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isinf, isnan
from typing import Any

from jsonschema import ValidationError

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import REFERENCES, Dialect
from mcp_sim.core.identity import identity
from mcp_sim.core.subschema import Subschema

Errors = Iterator[ValidationError]


def functions_of(dialect: Dialect) -> dict[str, Callable[..., Any]]:
    """Return the dialect's keyword functions, bounded ones in place of the others. `format` only annotates."""
    own: dict[str, Callable[..., Any]] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "unevaluatedProperties": _unevaluated_properties,
        "uniqueItems": _unique_items,
        "enum": _enum,
        "const": _const,
        "$ref": _reference("$ref"),
        "$dynamicRef": _reference("$dynamicRef"),
        "$recursiveRef": _reference("$recursiveRef"),
    }
    functions = {keyword: own.get(keyword, function) for keyword, function in dialect.functions.items() if keyword != "format"}
    functions["multipleOf"] = _exactly(dialect.functions["multipleOf"])
    if "unevaluatedItems" in functions:
        functions["unevaluatedItems"] = _paid_by_the_square(functions["unevaluatedItems"])
    return functions


def _matches(validator: Subschema, pattern: str, text: str) -> bool | None:
    compiled = validator.document.patterns.get(pattern)
    if compiled is None:
        return None
    validator.document.spend(1 + (compiled.cost * len(text) >> 11))
    return compiled.matches(text)


def _pattern(validator: Subschema, pattern: str, instance: JSON, schema: JSON) -> Errors:
    if isinstance(instance, str) and _matches(validator, pattern, instance) is False:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Subschema, patterns: dict[str, JSON], instance: JSON, schema: JSON) -> Errors:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            for name, value in instance.items():
                if _matches(validator, pattern, name):
                    yield from validator.descend(value, subschema, path=name)


def _may_match(validator: Subschema, patterns: dict[str, JSON], name: str) -> bool:
    # why: a pattern that cannot be read might match, so it excuses every name
    return any(_matches(validator, pattern, name) is not False for pattern in patterns)


def _additional_properties(validator: Subschema, subschema: JSON, instance: JSON, schema: dict[str, JSON]) -> Errors:
    if not isinstance(instance, dict) or subschema is True:
        return
    properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [name for name in instance if name not in properties and not _may_match(validator, patterns, name)]
    if subschema is not False:
        for name in extras:
            yield from validator.descend(instance[name], subschema, path=name)
    elif extras and patterns:
        names, regexes = ", ".join(map(repr, sorted(extras))), ", ".join(map(repr, sorted(patterns)))
        yield ValidationError(f"{names} {'does' if len(extras) == 1 else 'do'} not match any of the regexes: {regexes}")
    elif extras:
        yield ValidationError(f"Additional properties are not allowed ({_unexpected(extras)} unexpected)")


def _unexpected(names: list[str]) -> str:
    return ", ".join(map(repr, sorted(names))) + (" was" if len(names) == 1 else " were")


def _unevaluated_properties(validator: Subschema, subschema: JSON, instance: JSON, schema: dict[str, JSON]) -> Errors:
    if not isinstance(instance, dict) or subschema is True:
        return
    evaluated = _evaluated(validator, instance, outermost=True)
    left = [name for name in instance if name not in evaluated]
    wrong = left if subschema is False else [name for name in left if not validator.evolve(subschema).is_valid(instance[name])]
    if wrong and subschema is False:
        yield ValidationError(f"Unevaluated properties are not allowed ({_unexpected(wrong)} unexpected)")
    elif wrong:
        verb = "was" if len(wrong) == 1 else "were"
        names = ", ".join(map(repr, wrong))
        yield ValidationError(f"Unevaluated properties are not valid under the given schema ({names} {verb} unevaluated and invalid)")


def _evaluated(validator: Subschema, instance: dict[str, JSON], *, outermost: bool = False) -> set[str]:
    schema = validator.schema
    validator.document.spend(1 + len(instance) // 64)
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or (not outermost and "unevaluatedProperties" in schema):
        return set(instance)
    patterns = schema.get("patternProperties", {})
    names = {name for name in instance if name in schema.get("properties", {}) or _may_match(validator, patterns, name)}
    for keyword in REFERENCES & validator.keywords:
        names |= _evaluated(validator.target(keyword, schema[keyword]), instance)
    for name, subschema in schema.get("dependentSchemas", {}).items():
        if name in instance:
            names |= _evaluated(validator.evolve(subschema), instance)
    for keyword in ("allOf", "oneOf", "anyOf"):
        for subschema in schema.get(keyword, ()):
            branch = validator.evolve(subschema)
            if branch.is_valid(instance):
                names |= _evaluated(branch, instance)
    if "if" in schema:
        condition = validator.evolve(schema["if"])
        holds = condition.is_valid(instance)
        names |= _evaluated(condition, instance) if holds else set()
        names |= _evaluated(validator.evolve(schema.get("then" if holds else "else", True)), instance)
    return names


def _unique_items(validator: Subschema, unique: bool, instance: JSON, schema: JSON) -> Errors:
    if not unique or not isinstance(instance, list):
        return
    seen: set[str] = set()
    for item in instance:
        text = identity(item)
        validator.document.spend(len(text) >> 5)
        if text in seen:
            yield ValidationError(f"{instance!r} has non-unique elements")
            return
        seen.add(text)


def _enum(validator: Subschema, options: list[JSON], instance: JSON, schema: JSON) -> Errors:
    if isinstance(instance, str):
        found = instance in options
    else:
        texts = validator.document.identities.get(id(options))
        if texts is None:
            texts = validator.document.identities[id(options)] = frozenset(map(identity, options))
        text = identity(instance)
        validator.document.spend(len(text) >> 5)
        found = text in texts
    if not found:
        yield ValidationError(f"{instance!r} is not one of {options!r}")


def _const(validator: Subschema, constant: JSON, instance: JSON, schema: JSON) -> Errors:
    text = identity(instance)
    validator.document.spend(len(text) >> 5)
    if text != identity(constant):
        yield ValidationError(f"{constant!r} was expected")


def _reference(keyword: str) -> Callable[..., Errors]:
    def follow(validator: Subschema, reference: str, instance: JSON, schema: JSON) -> Errors:
        return validator.target(keyword, reference).errors(instance)

    return follow


def _exactly(function: Callable[..., Errors]) -> Callable[..., Errors]:
    def multiple_of(validator: Subschema, divisor: Any, instance: JSON, schema: JSON) -> Errors:
        try:
            yield from function(validator, divisor, instance, schema)
        except OverflowError:  # jsonschema divides as floats first
            if isinf(divisor) or (isinstance(instance, float) and (isinf(instance) or isnan(instance))):
                whole = False
            else:
                whole = (Fraction(instance) / Fraction(divisor)).denominator == 1
            if not whole:
                yield ValidationError(f"{instance!r} is not a multiple of {divisor}")

    return multiple_of


def _paid_by_the_square(function: Callable[..., Errors]) -> Callable[..., Errors]:
    def unevaluated_items(validator: Subschema, value: JSON, instance: JSON, schema: JSON) -> Errors:
        if isinstance(instance, list):
            validator.document.spend(len(instance) ** 2 >> 8)  # jsonschema looks each index up in a list
        return function(validator, value, instance, schema)

    return unevaluated_items
