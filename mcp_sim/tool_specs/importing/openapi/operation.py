"""One operation as a tool."""

from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.naming import Names
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.examples import demonstrate
from mcp_sim.tool_specs.importing.openapi.inputs import read_body, read_parameters, write_input
from mcp_sim.tool_specs.importing.openapi.outputs import read_answer, write_output
from mcp_sim.tool_specs.importing.openapi.resource import Route

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
# What a method promises (RFC 9110, section 9.2); a POST may do anything, so its tool's name tells.
_ANNOTATIONS: dict[str, dict[str, JSON]] = {
    **{method: {"readOnlyHint": True} for method in ("get", "head", "options", "trace", "query")},
    "put": {"readOnlyHint": False, "idempotentHint": True},
    "delete": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
    "patch": {"readOnlyHint": False},
}


@dataclass(frozen=True)
class Tool:
    """A tool, the route that it stands for, and demonstrations of it."""

    definition: dict[str, JSON]
    route: Route
    demonstrations: list[dict[str, JSON]]


def read_operation(
    document: Document, names: Names, secrets: frozenset[tuple[str, str]], path: str, item: dict[str, JSON], method: str
) -> Tool:
    """Return the tool of an operation; a name that is taken gets a number."""
    operation: dict[str, Any] = item[method]
    name = names.tool(_wanted_name(operation, method, path))
    raw_parameters = [*_listed(item.get("parameters")), *_listed(operation.get("parameters"))]
    parameters = read_parameters(document, raw_parameters, secrets)
    body = read_body(document, operation, raw_parameters)
    schema, names_by_place, is_cut = write_input(document, parameters, body)
    definition: dict[str, JSON] = {"name": name}
    if summary := _text(operation, "summary"):
        definition["title"] = summary
    definition["description"] = _description(operation, method, path)
    definition["inputSchema"] = schema
    answer = read_answer(document, operation)
    output, is_wrapped = None, False
    if answer is not None:
        output, is_wrapped, answer_is_cut = write_output(document, answer)
        is_cut = is_cut or answer_is_cut
    if output is not None:
        definition["outputSchema"] = output
    if annotations := annotations_of(method):
        definition["annotations"] = annotations
    if is_cut:
        document.notice(f"{name}: its schemas are very large; what is far from the root accepts anything.")
    route = Route(
        name,
        method,
        path,
        {in_place: argument for (place, in_place), argument in names_by_place.items() if place == "path"},
        tuple(argument for (place, _), argument in names_by_place.items() if place == "body"),
    )
    examples = [] if answer is None else demonstrate(document, definition, parameters, body, names_by_place, answer, is_wrapped)
    return Tool(definition, route, examples)


def annotations_of(method: str) -> dict[str, JSON]:
    """Return what an HTTP method (in lower case) promises, as a tool's annotations."""
    return dict(_ANNOTATIONS.get(method, {}))


def _wanted_name(operation: dict[str, Any], method: str, path: str) -> str:
    said = operation.get("operationId")
    return said if isinstance(said, str) and said.strip() else f"{method}/{path}"


def _description(operation: dict[str, Any], method: str, path: str) -> str:
    summary, description = _text(operation, "summary"), _text(operation, "description")
    parts = ["Deprecated."] if operation.get("deprecated") is True else []
    if summary and not description.startswith(summary):
        parts.append(summary)
    if description:
        parts.append(description)
    return "\n\n".join(parts) if summary or description else f"{' '.join(parts)} {method.upper()} {path}".strip()


def _text(said: dict[str, Any], key: str) -> str:
    return said[key].strip() if isinstance(said.get(key), str) else ""


def _listed(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []
