"""How often each reference is used in a few schemas and in all that they refer to."""

from collections import Counter, deque

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.openapi.contents import measure
from mcp_sim.tool_specs.importing.openapi.document import Document


def count_uses(document: Document, roots: list[JSON], most_values: int) -> tuple[Counter[str], int]:
    """Return how often each reference is used, and the size of everything together; the count ends where that exceeds `most_values`."""
    uses: Counter[str] = Counter()
    size = 0
    found: deque[str] = deque()

    def count(references: tuple[str, ...]) -> None:
        for reference in references:
            uses[reference] += 1
            if uses[reference] == 1:
                found.append(reference)

    for root in roots:
        contents = measure(root)
        size += contents.size
        count(contents.references)
    while found and size <= most_values:
        contents = document.contents(found.popleft())
        size += contents.size
        count(contents.references)
    return uses, size
