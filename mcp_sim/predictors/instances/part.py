"""A schema in its place, and the keywords it holds, one by one."""

from mcp_sim.core.canonical import JSON
from mcp_sim.core.subschema import Subschema

TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")

# Keywords that speak of one type only, so that they tell which type is meant where `type` is absent.
KEYWORD_TYPES = {
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "unevaluatedProperties",
    ),
    "array": (
        "items",
        "prefixItems",
        "additionalItems",
        "contains",
        "minItems",
        "maxItems",
        "uniqueItems",
        "unevaluatedItems",
    ),
    "string": ("pattern", "minLength", "maxLength", "format", "contentEncoding", "contentMediaType"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


Part = Subschema
Parts = tuple[Part, ...]


def named(part: Part, keyword: str) -> dict[str, JSON]:
    """Return the object at a keyword, or an empty one."""
    value = part.schema.get(keyword)
    return value if isinstance(value, dict) else {}


def listed(part: Part, keyword: str) -> list[JSON]:
    """Return the list at a keyword, or an empty one."""
    value = part.schema.get(keyword)
    return value if isinstance(value, list) else []


def number(part: Part, keyword: str) -> int | float | None:
    """Return the number at a keyword, or `None`."""
    value = part.schema.get(keyword)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def whole(part: Part, keyword: str) -> int | None:
    """Return the whole number at a keyword, or `None`."""
    value = number(part, keyword)
    return None if value is None else int(value)


def matches(part: Part, pattern: str, text: str) -> bool:
    """Whether a pattern of the part's document is found in a text. One that cannot be read is not enforced: it is found everywhere."""
    compiled = part.document.patterns.get(pattern)
    return compiled is None or compiled.matches(text)


def is_schema(value: JSON) -> bool:
    """Whether a value can stand where a schema is expected."""
    return isinstance(value, bool | dict)


def least(parts: Parts, keyword: str) -> int | None:
    """Return the smallest count that any part sets at a keyword."""
    return min((count for part in parts if (count := whole(part, keyword)) is not None), default=None)


def most(parts: Parts, keyword: str) -> int:
    """Return the largest count that any part sets at a keyword, 0 where none does."""
    return max((count for part in parts if (count := whole(part, keyword)) is not None), default=0)
