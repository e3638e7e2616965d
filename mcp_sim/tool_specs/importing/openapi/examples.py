"""Examples in a document as calls that were answered."""

import json
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Schema
from mcp_sim.errors import SchemaBudgetError, SetupError
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.inputs import Argument, Body
from mcp_sim.tool_specs.importing.openapi.outputs import Answer, named_examples

_MOST = 4


def demonstrate(
    document: Document,
    tool: dict[str, JSON],
    parameters: list[Argument],
    body: Body,
    names: dict[tuple[str, str], str],
    answer: Answer,
    is_wrapped: bool,
) -> list[dict[str, JSON]]:
    """Return demonstrations of a tool: each example of its answer with the request's example of the same name, else with its first.

    A required argument without an example takes the value of the same name in the answer. Pairs that break the tool's own schemas, as
    examples in documents often do, are left out.
    """
    requests = named_examples(document, body.said)
    found: list[dict[str, JSON]] = []
    for name, example in list(answer.examples.items())[:_MOST]:
        request = requests.get(name, next(iter(requests.values()), None))
        arguments = _arguments(document, parameters, body, names, request, example)
        structured = {"result": example} if is_wrapped else example
        if arguments is None or not _fits(tool, arguments, structured):
            continue
        result: dict[str, JSON] = {"content": [{"type": "text", "text": json.dumps(example, indent=2, ensure_ascii=False)}]}
        if "outputSchema" in tool:
            result["structuredContent"] = structured
        found.append({"name": tool["name"], "arguments": arguments, "result": result})
    return found


def _arguments(
    document: Document, parameters: list[Argument], body: Body, names: dict[tuple[str, str], str], request: JSON, answer: JSON
) -> dict[str, JSON] | None:
    arguments: dict[str, JSON] = {}
    for argument in [*parameters, *body.arguments]:
        name = names[argument.place, argument.name]
        if argument.place == "body" and request is not None:
            if not body.is_flat:
                arguments[name] = request
                continue
            if isinstance(request, dict) and argument.name in request:
                arguments[name] = request[argument.name]
                continue
        if argument.place == "body" and not argument.is_required:
            continue
        value = _told_value(document, argument)
        if value is None and argument.is_required and isinstance(answer, dict):
            value = _like(answer, argument.name)
        if value is not None:
            arguments[name] = value
        elif argument.is_required:
            return None
    return arguments


def _told_value(document: Document, argument: Argument) -> JSON:
    if argument.example is not None:
        return argument.example
    schema = document.resolved(argument.raw)
    if "example" in schema:
        return schema["example"]
    examples = schema.get("examples")
    if isinstance(examples, list) and examples:
        return examples[0]
    if not argument.is_required:
        return None
    enum: Any = schema.get("enum")
    return schema.get("default", enum[0] if isinstance(enum, list) and enum else None)


def _like(answer: dict[str, JSON], name: str) -> JSON:
    """Return the value that an answer has for an argument: under its name, or as `id` for something like `petId`."""
    if name in answer:
        return answer[name]
    return answer.get("id") if name.lower().replace("_", "").endswith("id") else None


def _fits(tool: dict[str, JSON], arguments: dict[str, JSON], structured: JSON) -> bool:
    try:
        if not Schema(tool["inputSchema"]).is_valid(arguments):
            return False
        return "outputSchema" not in tool or Schema(tool["outputSchema"]).is_valid(structured)
    except (SetupError, SchemaBudgetError):
        return False
