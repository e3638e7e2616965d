"""One schema object at its place in a document: what jsonschema's keyword functions take for a validator.

jsonschema builds a new validator object for every subschema of every value. Here each subschema is prepared once, and every step
is paid for, so that a check is cheap and always ends.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import ValidationError
from referencing.jsonschema import lookup_recursive_ref

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import Dialect
from mcp_sim.core.patterns import Pattern
from mcp_sim.errors import SchemaBudgetError

Resolver = Any
"""What `referencing.Registry.resolver` returns; the class has no public name."""

_UNSET = ValidationError("").validator

_IS_TYPE: dict[str, Callable[[JSON], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer()),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


class Document:
    """What all subschemas of one document share: dialect, patterns, and the steps that are left for the check at hand."""

    def __init__(self, dialect: Dialect, functions: Mapping[str, Callable[..., Any]], label: str) -> None:
        self.dialect = dialect
        self.functions = functions
        self.label = label
        self.dynamic = False  # where references depend on the way that led to them, no subschema is prepared twice the same
        self.patterns: dict[str, Pattern | None] = {}
        self.identities: dict[int, frozenset[str]] = {}
        self.steps_left = 0

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            SchemaBudgetError: there are none left.
        """
        self.steps_left -= steps
        if self.steps_left < 0:
            raise SchemaBudgetError(
                f"Checking a value against {self.label} takes more steps than allowed. Make the value smaller or the schema simpler."
            )


class Subschema:
    """A prepared subschema. `descend`, `evolve`, `is_valid` and `is_type` are what jsonschema's keyword functions call."""

    __slots__ = ("_children", "_cost", "_keywords", "_resolver", "document", "schema")

    def __init__(self, schema: JSON, resolver: Resolver, document: Document) -> None:
        self.schema = schema
        self.document = document
        self._resolver = resolver
        self._children: dict[int | str, Subschema] = {}
        self._keywords = _keywords(schema, document)
        self._cost = 1 + sum(1 + _size(value) // 32 for _, _, value in self._keywords)

    def errors(self, instance: JSON, path: str | int | None = None, schema_path: str | int | None = None) -> Iterator[ValidationError]:
        """Yield what is wrong with a value. `path` and `schema_path` are the step that led here, if any, and head each error's own."""
        document, schema = self.document, self.schema
        document.spend(self._cost + (len(instance) * self._cost >> 6 if isinstance(instance, str | list | dict) else 0))
        for function, keyword, value in self._keywords:
            for error in function(self, value, instance, schema) or ():
                if error.schema is _UNSET:
                    if error.validator is _UNSET:
                        error.validator, error.validator_value = keyword, value
                    error.instance, error.schema = instance, schema
                    document.spend(4 + (len(error.message) >> 6))
                if path is not None:
                    error.path.appendleft(path)
                if schema_path is not None:
                    error.schema_path.appendleft(schema_path)
                yield error

    def descend(
        self,
        instance: JSON,
        schema: JSON,
        path: str | int | None = None,
        schema_path: str | int | None = None,
        resolver: Resolver | None = None,
    ) -> Iterator[ValidationError]:
        """Yield what is wrong with a part of the value under a subschema of this one."""
        if schema is True:
            return iter(())
        return self.evolve(schema, resolver).errors(instance, path, schema_path)

    def evolve(self, schema: JSON, _resolver: Resolver | None = None) -> "Subschema":
        """Return a subschema of this one, prepared."""
        key = id(schema)  # `raw` keeps every subschema alive as long as this
        child = self._children.get(key)
        if child is None or _resolver is not None:
            resolver = _resolver or self._resolver
            if _resolver is None and isinstance(schema, dict) and ("$id" in schema or "id" in schema):
                resolver = resolver.in_subresource(self.document.dialect.specification.create_resource(schema))
            child = Subschema(schema, resolver, self.document)
            if _resolver is None and not self.document.dynamic:
                self._children[key] = child
        return child

    def target(self, keyword: str, reference: str) -> "Subschema":
        """Return the subschema that a reference of this one leads to.

        Raises:
            referencing.exceptions.Unresolvable: there is none in this document.
        """
        child = self._children.get(reference)
        if child is None:
            found = lookup_recursive_ref(self._resolver) if keyword == "$recursiveRef" else self._resolver.lookup(reference)
            child = Subschema(found.contents, found.resolver, self.document)
            if not self.document.dynamic:
                self._children[reference] = child
        return child

    def is_valid(self, instance: JSON) -> bool:
        """Whether nothing is wrong with a value."""
        return next(self.errors(instance), None) is None

    def is_type(self, instance: JSON, type: str) -> bool:
        """Whether a value is of a JSON Schema type; 1.0 is an integer, true is not."""
        return _IS_TYPE[type](instance)

    @property
    def references(self) -> list[tuple[str, str]]:
        """The references that are followed from here: keyword and text."""
        return [(keyword, value) for _, keyword, value in self._keywords if keyword.endswith("Ref") or keyword == "$ref"]

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords that are checked here."""
        return frozenset(keyword for _, keyword, _ in self._keywords)


def _refuse(validator: Subschema, value: JSON, instance: JSON, schema: JSON) -> Iterator[ValidationError]:
    yield ValidationError(f"False schema does not allow {instance!r}", validator="false", validator_value=False)


def _keywords(schema: JSON, document: Document) -> list[tuple[Callable[..., Any], str, JSON]]:
    if not isinstance(schema, dict):
        return [] if schema else [(_refuse, "false", False)]
    functions = document.functions
    if document.dialect.ignores_beside_ref and "$ref" in schema:
        return [(functions["$ref"], "$ref", schema["$ref"])]
    return [(functions[keyword], keyword, value) for keyword, value in schema.items() if keyword in functions]


def _size(value: JSON) -> int:
    size, stack = 0, [value]
    while stack:
        item = stack.pop()
        size += 1
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            size += len(item)
    return size
