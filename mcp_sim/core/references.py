"""Where the references of a schema document lead."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter

from referencing.exceptions import CannotDetermineSpecification, NoSuchResource, Unresolvable

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import HERE
from mcp_sim.core.pointer import brief, shortened, under
from mcp_sim.core.subschema import Subschema
from mcp_sim.errors import SetupError


def follow(root: Subschema, read: Callable[[JSON, str], None]) -> None:
    """Follow every reference that can be reached, and `read` the schemas that they lead to.

    Raises:
        SetupError: one leads nowhere, out of the document, or in a circle at one place of a value.
    """
    dialect = root.document.dialect
    graph: dict[int, set[int]] = {}
    pointers: dict[int, str] = {}
    stack = [(root, "#")]
    while stack:
        here, pointer = stack.pop()
        key = id(here.schema)
        if key in graph or not isinstance(here.schema, dict):
            continue
        graph[key], pointers[key] = set(), pointer
        steps = []
        for keyword, text in here.references:
            where = under(pointer, keyword)
            target = _target(here, keyword, text, where)
            read(target.schema, where)
            steps.append((target, where, True))
        if not (dialect.ignores_beside_ref and here.references):
            for keyword, path, subschema in dialect.subschemas(here.schema):
                if keyword not in ("$defs", "definitions"):
                    steps.append((here.evolve(subschema), under(pointer, keyword, *path), keyword in HERE))
        for target, where, stays in steps:
            if stays:
                graph[key].add(id(target.schema))
            stack.append((target, where))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = ", ".join(sorted({brief(pointers.get(key, "#")) for key in error.args[1]}))
        raise SetupError(f"{circle}: the schema refers back to itself without looking deeper into the value. Break that circle.") from None


def _target(here: Subschema, keyword: str, text: str, pointer: str) -> Subschema:
    try:
        return here.target(keyword, text)
    except (Unresolvable, NoSuchResource, CannotDetermineSpecification, ValueError, TypeError, AttributeError) as error:
        raise SetupError(
            f"{brief(pointer)}: {shortened(text)} leads to nothing in this schema ({type(error).__name__}). Only references "
            "within the document are followed, nothing is fetched: put the definition under $defs and point to it there."
        ) from None
