"""Every subschema of a schema, with the pointer that leads to it."""

from collections.abc import Iterator

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import DRAFT_2020, dialect_of


def walk(schema: JSON, pointer: str) -> Iterator[tuple[str, JSON]]:
    """Yield each schema in a document after its pointer, the outer before the inner; references are not followed."""
    dialect = dialect_of(schema) or DRAFT_2020
    stack = [(pointer, schema)]
    while stack:
        pointer, node = stack.pop()
        yield pointer, node
        if isinstance(node, dict):
            inner = [(under(pointer, keyword, *path), part) for keyword, path, part in dialect.subschemas(node)]
            stack.extend(reversed(inner))


def under(pointer: str, *steps: str | int) -> str:
    """Return the JSON pointer that leads further down."""
    return "/".join([pointer, *(str(step).replace("~", "~0").replace("/", "~1") for step in steps)])
