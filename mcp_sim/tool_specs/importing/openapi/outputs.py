"""What an operation answers."""

import re
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.media import choose_media, is_json, schema_of
from mcp_sim.tool_specs.importing.openapi.schema import SchemaWriter

_SUCCESS = re.compile(r"2[0-9]{2}|2XX", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """The JSON answer of success: its schema as the document has it, and its examples by name."""

    raw: JSON
    examples: dict[str, JSON]


def read_answer(document: Document, operation: dict[str, JSON]) -> Answer | None:
    """Return the answer of the first success that is JSON; `default` counts where no success is named. `None` where there is no JSON."""
    responses = operation.get("responses")
    if not isinstance(responses, dict):
        return None
    named = sorted(code for code in map(str, responses) if _SUCCESS.fullmatch(code))
    by_code = {str(code): response for code, response in responses.items()}
    for code in named or [code for code in ("default",) if code in by_code]:
        response = document.resolved(by_code[code])
        if document.version == "2.0":
            if isinstance(response.get("schema"), dict):
                examples = response.get("examples")
                found = [value for name, value in examples.items() if is_json(str(name))] if isinstance(examples, dict) else []
                return Answer(response["schema"], {str(number): value for number, value in enumerate(found)})
            continue
        chosen = choose_media(response.get("content"))
        if chosen is not None and is_json(chosen[0]):
            return Answer(schema_of(*chosen), named_examples(document, chosen[1]))
    return None


def named_examples(document: Document, said: dict[str, Any]) -> dict[str, JSON]:
    """Return the examples of a body by name: `examples`, else `example`, else the first one in its schema."""
    examples = said.get("examples")
    if isinstance(examples, dict):
        resolved = {str(name): document.resolved(example) for name, example in examples.items()}
        return {name: example["value"] for name, example in resolved.items() if "value" in example}
    if "example" in said:
        return {"": said["example"]}
    schema = document.resolved(said.get("schema"))
    if "example" in schema:
        return {"": schema["example"]}
    listed = schema.get("examples")
    return {"": listed[0]} if isinstance(listed, list) and listed else {}


def write_output(document: Document, answer: Answer) -> tuple[dict[str, Any] | None, bool, bool]:
    """Return the output schema, whether the answer stands in it as `result`, and whether the schema had to be cut.

    Clients before revision 2026-07-28 want an object at the root, so anything else is wrapped, as the MCP SDKs do for functions.
    An answer that may be anything has no output schema.
    """
    writer = SchemaWriter(document, "response", [answer.raw])
    schema = writer.write(answer.raw)
    if not isinstance(schema, dict) or not schema:
        return None, False, False
    definitions = writer.definitions()
    root = definitions.get(schema["$ref"].removeprefix("#/$defs/"), {}) if "$ref" in schema else schema
    is_wrapped = not (isinstance(root, dict) and root.get("type", "object" if "properties" in root else "") == "object")
    if is_wrapped:
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    else:
        schema = {"type": "object", **root, **{key: value for key, value in schema.items() if key != "$ref"}}
    if definitions:
        schema["$defs"] = definitions
    return schema, is_wrapped, writer.is_cut
