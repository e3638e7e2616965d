"""A schema in its place, and the keywords it holds, read defensively: what is malformed counts as absent, as validators do."""

from typing import Any, NamedTuple

from referencing import Registry, Specification
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT3, DRAFT4, DRAFT6, DRAFT7, DRAFT202012, specification_with

from mcp_sim.core.canonical import JSON

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


class Part(NamedTuple):
    """A schema, the resolver of its references (bound to its base URI) and its dialect."""

    schema: JSON
    resolver: Any
    dialect: Specification[JSON]

    @classmethod
    def of_document(cls, schema: JSON) -> "Part":
        """Return a whole document as a part. Only what is inside it can be referred to; nothing is ever fetched."""
        named = schema.get("$schema") if isinstance(schema, dict) else None
        dialect = specification_with(named, default=DRAFT202012) if isinstance(named, str) else DRAFT202012
        resource = dialect.create_resource(schema)
        base = resource.id() or ""
        registry: Registry[JSON] = Registry().with_resource(base, resource)
        return cls(schema, registry.resolver(base), dialect)

    @property
    def legacy(self) -> bool:
        """Whether the dialect is draft-07 or older, where `$ref` hides its neighbours."""
        return self.dialect in (DRAFT3, DRAFT4, DRAFT6, DRAFT7)

    def sub(self, schema: JSON) -> "Part":
        """Return a subschema of this one; a base URI of its own counts from here on."""
        if isinstance(schema, dict) and isinstance(schema.get("$id"), str):
            return Part(schema, self.resolver.in_subresource(self.dialect.create_resource(schema)), self.dialect)
        return Part(schema, self.resolver, self.dialect)

    def follow(self, reference: str) -> "Part | None":
        """Return what a reference leads to, or `None` where it leads nowhere inside the document."""
        try:
            resolved = self.resolver.lookup(reference)
        except (Unresolvable, ValueError, TypeError, AttributeError, RecursionError):
            return None
        return Part(resolved.contents, resolved.resolver, self.dialect)

    def named(self, keyword: str) -> dict[str, JSON]:
        """Return the object at a keyword, or an empty one."""
        value = self.schema.get(keyword)
        return value if isinstance(value, dict) else {}

    def listed(self, keyword: str) -> list[JSON]:
        """Return the list at a keyword, or an empty one."""
        value = self.schema.get(keyword)
        return value if isinstance(value, list) else []

    def number(self, keyword: str) -> int | float | None:
        """Return the number at a keyword, or `None`."""
        value = self.schema.get(keyword)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def whole(self, keyword: str) -> int | None:
        """Return the whole number at a keyword, or `None`."""
        value = self.number(keyword)
        return None if value is None or value != value or abs(value) == float("inf") else int(value)


Parts = tuple[Part, ...]


def is_schema(value: JSON) -> bool:
    """Whether a value can stand where a schema is expected."""
    return isinstance(value, bool | dict)


def least(parts: Parts, keyword: str) -> int | None:
    """Return the smallest count that any part sets at a keyword."""
    return min((count for part in parts if (count := part.whole(keyword)) is not None), default=None)


def most(parts: Parts, keyword: str) -> int:
    """Return the largest count that any part sets at a keyword, 0 where none does."""
    return max((count for part in parts if (count := part.whole(keyword)) is not None), default=0)
