"""Reading a JSON Schema document: its bounds, the form of its keywords, its patterns and where its references lead."""

from contextlib import suppress
from typing import Any

from referencing import Registry

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import DIALECTS, DRAFT_4, DRAFT_7, DRAFT_2020, REFERENCES, Dialect, dialect_of
from mcp_sim.core.keywords import functions_of
from mcp_sim.core.patterns import Pattern
from mcp_sim.core.pointer import brief, shortened, under
from mcp_sim.core.references import follow
from mcp_sim.core.subschema import Document, Subschema
from mcp_sim.errors import SetupError

DEEPEST = 128
MOST_NODES = 100_000
MOST_CHARACTERS = 2_000_000
MOST_INSTRUCTIONS = 2_000_000
"""How large a document's compiled patterns may be together."""
_TOO_LARGE = 50_000

_FUNCTIONS = {dialect.uri: functions_of(dialect) for dialect in DIALECTS}


def compiled(raw: JSON) -> tuple[Subschema, tuple[str, ...]]:
    """Prepare a schema document. Return its root and notices about what in it is not enforced.

    Raises:
        SetupError: it is no JSON Schema, it is too large, or a reference leads nowhere, elsewhere or round in a circle.
    """
    _measure(raw)
    dialect = dialect_of(raw)
    if dialect is None:
        reader = _Reader(raw, DRAFT_2020)
        reader.notices.append(f"#/$schema: {shortened(raw['$schema'])} is no dialect known here; the schema is read as {DRAFT_2020.uri}.")
    else:
        reader = _Reader(raw, dialect)
    try:
        reader.read(raw, "#")
    except SetupError as error:
        older = _older(raw, error)
        if older is None:
            raise
        reader = older
    document = reader.document
    root = Subschema(raw, Registry().resolver_with_root(document.dialect.specification.create_resource(raw)), document)
    if reader.references:
        document.dynamic = not reader.references.isdisjoint({"$dynamicRef", "$recursiveRef"})
        follow(root, reader.read)
    return root, tuple(reader.notices)


def _older(raw: JSON, error: SetupError) -> "_Reader | None":
    # why: an author who names no dialect may have meant an older one; lists in `items` are what is met most
    if isinstance(raw, dict) and "$schema" not in raw:
        for dialect in (DRAFT_7, DRAFT_4):
            reader = _Reader(raw, dialect)
            reader.notices.append(f"#: names no dialect and is read as {dialect.uri}, because as {DRAFT_2020.uri} it is wrong: {error}")
            with suppress(SetupError):
                reader.read(raw, "#")
                return reader
    return None


class _Reader:
    """Checks the form of every keyword in a document and collects patterns and the kinds of references."""

    def __init__(self, raw: JSON, dialect: Dialect) -> None:
        self.document = Document(dialect, _FUNCTIONS[dialect.uri], _label(raw))
        self.notices: list[str] = []
        self.references: set[str] = set()
        self.seen: set[int] = set()
        self.instructions = 0

    def read(self, schema: JSON, pointer: str) -> None:
        """Read a schema and all below it."""
        dialect = self.document.dialect
        stack = [(schema, pointer)]
        while stack:
            schema, pointer = stack.pop()
            if isinstance(schema, bool) or id(schema) in self.seen:
                continue
            if not isinstance(schema, dict):
                raise SetupError(f"{brief(pointer)}: {shortened(schema)} is no schema. A schema is an object, true or false.")
            self.seen.add(id(schema))
            for keyword, value in schema.items():
                expected = dialect.fault(keyword, value)
                if expected is not None:
                    raise SetupError(
                        f"{brief(under(pointer, keyword))}: must be {expected}, not {shortened(value)}. Correct the schema there."
                    )
                if keyword in REFERENCES and keyword in self.document.functions:
                    self.references.add(keyword)
            if "pattern" in schema:
                self._compile(schema["pattern"], under(pointer, "pattern"))
            for pattern in schema.get("patternProperties", {}):
                self._compile(pattern, under(pointer, "patternProperties", pattern))
            stack.extend((subschema, under(pointer, keyword, *path)) for keyword, path, subschema in dialect.subschemas(schema))

    def _compile(self, pattern: str, pointer: str) -> None:
        if pattern not in self.document.patterns:
            compiled = None
            try:
                compiled = Pattern(pattern)
            except ValueError as error:
                self.notices.append(f"{brief(pointer)}: the pattern {shortened(pattern)} is not enforced, re2 cannot read it ({error}).")
                self.instructions += _TOO_LARGE if "too large" in str(error) else 0
            self.instructions += 100 if compiled is None else 100 + compiled.cost
            if self.instructions > MOST_INSTRUCTIONS:
                raise SetupError(f"{brief(pointer)}: the patterns up to here are too large together. Make them shorter or fewer.")
            self.document.patterns[pattern] = compiled


def _measure(raw: JSON) -> None:
    nodes, characters = 0, 0
    stack: list[tuple[Any, int]] = [(raw, 1)]
    while stack:
        value, depth = stack.pop()
        nodes += 1
        if isinstance(value, dict):
            if not all(isinstance(name, str) for name in value):
                raise SetupError("The schema is not JSON: a key is not a string.")
            characters += sum(map(len, value))
            stack.extend((item, depth + 1) for item in value.values())
        elif isinstance(value, list):
            stack.extend((item, depth + 1) for item in value)
        elif isinstance(value, str):
            characters += len(value)
        elif value is not None and not isinstance(value, bool | int | float):
            raise SetupError(f"The schema is not JSON: it holds a {type(value).__name__}.")
        if depth > DEEPEST:
            raise SetupError(f"The schema is nested more than {DEEPEST} levels deep. Make it flatter.")
        if nodes + len(stack) > MOST_NODES or characters > MOST_CHARACTERS:
            raise SetupError(f"The schema is larger than {MOST_NODES} values or {MOST_CHARACTERS} characters. Make it smaller.")


def _label(raw: JSON) -> str:
    if isinstance(raw, dict):
        for keyword in ("title", "$id"):
            if isinstance(raw.get(keyword), str):
                return f"the schema {shortened(raw[keyword])}"
        if isinstance(raw.get("properties"), dict):
            return shortened("the schema with the properties " + ", ".join(raw["properties"]), str)
    return "the schema"
