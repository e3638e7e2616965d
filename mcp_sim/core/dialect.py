"""Which keywords a JSON Schema may use, and of what form they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft4Validator, Draft7Validator, Draft201909Validator, Draft202012Validator
from referencing import Specification
from referencing.jsonschema import DRAFT4, DRAFT7, DRAFT201909, DRAFT202012

from mcp_sim.core.canonical import JSON

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
HERE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "$ref", "$dynamicRef"})
"""The keywords that apply a subschema to the same place of the value."""
REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})

_ONE = frozenset(
    "additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems "
    "unevaluatedProperties".split()
)
_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "dependencies", "patternProperties", "properties"})

_ALONGSIDE = {
    "$defs": "$ref",
    "definitions": "$ref",
    "then": "if",
    "else": "if",
    "minContains": "dependentRequired",  # both came with 2019-09
    "maxContains": "dependentRequired",
}
"""Keywords without a function of their own, each with one that tells whether the dialect has it."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A version of JSON Schema: its URI, its keywords with jsonschema's function for each, and how it names and refers."""

    uri: str
    functions: dict[str, Callable[..., Any]]
    specification: Specification[Any]
    ignores_beside_ref: bool = False

    def subschemas(self, schema: dict[str, JSON]) -> Iterator[tuple[str, tuple[str | int, ...], JSON]]:
        """Yield keyword, path below the keyword and subschema for everything in a schema that is a schema again."""
        for keyword, value in schema.items():
            if not self.knows(keyword):
                continue
            listed = keyword in _MANY or (keyword == "items" and self.has_item_lists and isinstance(value, list))
            if keyword in _ONE and not listed:
                yield keyword, (), value
            elif listed:
                for index, item in enumerate(value if isinstance(value, list) else ()):
                    yield keyword, (index,), item
            elif keyword in _NAMED and isinstance(value, dict):
                for name, item in value.items():
                    if keyword != "dependencies" or not isinstance(item, list):
                        yield keyword, (name,), item

    def knows(self, keyword: str) -> bool:
        """Whether a keyword means anything in this dialect."""
        return keyword in self.functions or _ALONGSIDE.get(keyword, "") in self.functions

    @property
    def has_item_lists(self) -> bool:
        """Whether `items` may be a list of schemas, one for each place."""
        return "prefixItems" not in self.functions

    def fault(self, keyword: str, value: JSON) -> str | None:
        """Say what a keyword's value should have been, or `None` where it is right."""
        if keyword in REFERENCES or keyword in ("$id", "$anchor", "$dynamicAnchor", "$schema") or (keyword == "id" and self is DRAFT_4):
            return None if isinstance(value, str) else "a string"
        if not self.knows(keyword):
            return None
        if keyword == "items" and isinstance(value, list) and self.has_item_lists:
            return None
        if keyword == "items" and isinstance(value, bool) and self is DRAFT_4:
            return "a schema or a list of schemas"
        expected, fits = _FORMS.get(keyword, ("", None))
        if keyword.startswith("exclusive") and self is DRAFT_4:
            expected, fits = "a boolean", _is_boolean
        return expected if fits is not None and not fits(value) else None


def _is_number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: JSON) -> bool:
    return _is_number(value) and value >= 0 and value == value // 1 and value < 2**63


def _is_boolean(value: JSON) -> bool:
    return isinstance(value, bool)


def _is_names(value: JSON) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_types(value: JSON) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and _is_names(names) and TYPES.issuperset(names)


def _is_dependencies(value: JSON) -> bool:
    return isinstance(value, dict) and all(_is_names(item) for item in value.values())


_FORMS: dict[str, tuple[str, Callable[[JSON], bool]]] = {
    "type": ("one of " + ", ".join(sorted(TYPES)) + " or a list of them", _is_types),
    "required": ("a list of strings", _is_names),
    "enum": ("a list", lambda value: isinstance(value, list)),
    "pattern": ("a string", lambda value: isinstance(value, str)),
    "uniqueItems": ("a boolean", _is_boolean),
    "multipleOf": ("a number above 0", lambda value: _is_number(value) and value > 0),
    "dependentRequired": ("an object of lists of strings", _is_dependencies),
    **dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), ("a number", _is_number)),
    **dict.fromkeys(
        ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties", "maxContains", "minContains"),
        ("a whole number, 0 or more", _is_count),
    ),
    **dict.fromkeys(_MANY, ("a list of schemas, at least one", lambda value: isinstance(value, list) and bool(value))),
    **dict.fromkeys(_NAMED, ("an object of schemas", lambda value: isinstance(value, dict))),
}

DRAFT_4 = Dialect("http://json-schema.org/draft-04/schema#", dict(Draft4Validator.VALIDATORS), DRAFT4, ignores_beside_ref=True)
DRAFT_7 = Dialect("http://json-schema.org/draft-07/schema#", dict(Draft7Validator.VALIDATORS), DRAFT7, ignores_beside_ref=True)
DRAFT_2019 = Dialect("https://json-schema.org/draft/2019-09/schema", dict(Draft201909Validator.VALIDATORS), DRAFT201909)
DRAFT_2020 = Dialect("https://json-schema.org/draft/2020-12/schema", dict(Draft202012Validator.VALIDATORS), DRAFT202012)
DIALECTS = (DRAFT_4, DRAFT_7, DRAFT_2019, DRAFT_2020)

_BY_URI = {
    "json-schema.org/draft-04/schema": DRAFT_4,
    "json-schema.org/draft-06/schema": DRAFT_7,  # draft-07 only adds to it
    "json-schema.org/draft-07/schema": DRAFT_7,
    "json-schema.org/draft/2019-09/schema": DRAFT_2019,
    "json-schema.org/draft/2020-12/schema": DRAFT_2020,
}


def dialect_of(schema: JSON) -> Dialect | None:
    """Return the dialect that `$schema` names, 2020-12 where there is none, `None` where it is unknown."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return DRAFT_2020
    return _BY_URI.get(named.rstrip("#").partition("://")[2]) if isinstance(named, str) else None
