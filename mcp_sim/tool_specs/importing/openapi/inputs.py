"""What an operation takes: its parameters and its body as one object of arguments."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.importing.naming import Names
from mcp_sim.tool_specs.importing.openapi.document import Document
from mcp_sim.tool_specs.importing.openapi.flattening import flatten_object
from mcp_sim.tool_specs.importing.openapi.media import choose_media, schema_of
from mcp_sim.tool_specs.importing.openapi.schema import SchemaWriter
from mcp_sim.tool_specs.importing.openapi.security import is_credential

_PLACES = ("path", "query", "header", "cookie", "querystring")
_SAID_OF_FORMS = ("name", "in", "required", "description", "collectionFormat", "allowEmptyValue")


@dataclass(frozen=True)
class Argument:
    """One argument of a tool: where it came from (`path`, ..., `body`), its name there, its schema as the document has it, an example."""

    place: str
    name: str
    raw: JSON
    is_required: bool
    example: JSON = None
    description: str = ""


@dataclass(frozen=True)
class Body:
    """A request body: its arguments, whether they are the properties of its one object, and what else the document says of it."""

    arguments: list[Argument] = field(default_factory=list)
    is_flat: bool = False
    is_closed: bool = False
    said: dict[str, Any] = field(default_factory=dict)


def read_parameters(document: Document, raw_parameters: list[JSON], secrets: frozenset[tuple[str, str]]) -> list[Argument]:
    """Return the parameters in their order; of two with one name and place the later counts, so that an operation overrides its path."""
    found: dict[tuple[str, str], Argument] = {}
    for raw in raw_parameters:
        said = document.resolved(raw)
        name, place = said.get("name"), said.get("in")
        if place in ("body", "formData"):
            continue
        if not isinstance(name, str) or not name or place not in _PLACES:
            document.notice(f"A parameter without a name, or in {place!r}, was passed over.")
            continue
        if not is_credential(place, name, secrets):
            found[(place, name)] = Argument(
                place, name, _parameter_schema(said), said.get("required") is True or place == "path", _example(said), _text(said)
            )
    return list(found.values())


def read_body(document: Document, operation: dict[str, JSON], raw_parameters: list[JSON]) -> Body:
    """Return an operation's request body; an empty one where it has none."""
    if document.version == "2.0":
        return _swagger_body(document, [document.resolved(raw) for raw in raw_parameters])
    body = document.resolved(operation.get("requestBody"))
    chosen = choose_media(body.get("content"))
    if chosen is None:
        return Body()
    media_type, said = chosen
    return _body_of(document, schema_of(media_type, said), body.get("required") is True, _text(body), said)


def write_input(document: Document, parameters: list[Argument], body: Body) -> tuple[dict[str, Any], dict[tuple[str, str], str], bool]:
    """Return the input schema, the name of each argument in it by its place and name, and whether the schema had to be cut.

    A name in two places: the body's keeps it, parameters get their place behind it (`id__path`), as generators do.
    """
    arguments = [*parameters, *body.arguments]
    writer = SchemaWriter(document, "request", [argument.raw for argument in arguments])
    clashes = {name for name, count in Counter(argument.name for argument in arguments).items() if count > 1}
    names, names_by_place = Names(), dict[tuple[str, str], str]()
    for argument in [*body.arguments, *parameters]:  # the body first: it keeps its names
        in_place = f"{argument.name}__{argument.place}" if argument.name in clashes and argument.place != "body" else argument.name
        name = names.argument(in_place)
        names_by_place[argument.place, argument.name] = name
    properties: dict[str, Any] = {}
    required: list[str] = []
    for argument in arguments:
        name = names_by_place[argument.place, argument.name]
        properties[name] = _described(writer.write(argument.raw), argument)
        if argument.is_required:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if body.is_closed:
        schema["additionalProperties"] = False
    definitions = writer.definitions()
    if definitions:
        schema["$defs"] = definitions
    return schema, names_by_place, writer.is_cut


def _described(schema: Any, argument: Argument) -> Any:
    if isinstance(schema, bool):
        schema = {} if schema else {"not": {}}
    if argument.description:
        schema = {**schema, "description": argument.description}
    if argument.example is not None and "examples" not in schema:
        schema = {**schema, "examples": [argument.example]}
    return schema


def _parameter_schema(said: dict[str, Any]) -> JSON:
    if isinstance(said.get("schema"), dict | bool):
        return said["schema"]
    chosen = choose_media(said.get("content"))
    if chosen is not None:
        return schema_of(*chosen)
    return {key: value for key, value in said.items() if key not in _SAID_OF_FORMS and key not in ("example", "examples")}


def _body_of(document: Document, raw: JSON, is_required: bool, description: str, said: dict[str, Any]) -> Body:
    flat = flatten_object(document, raw)
    if flat is None:
        return Body([Argument("body", "body", raw, is_required, None, description)], said=said)
    told = flat.get("required")
    needed = told if is_required and isinstance(told, list) else []
    arguments = [
        Argument("body", name, part, name in needed)
        for name, part in flat["properties"].items()
        if document.resolved(part).get("readOnly") is not True
    ]
    return Body(arguments, is_flat=True, is_closed=flat.get("additionalProperties") is False, said=said)


def _swagger_body(document: Document, parameters: list[dict[str, Any]]) -> Body:
    for said in parameters:
        if said.get("in") == "body":
            schema = said.get("schema") if isinstance(said.get("schema"), dict | bool) else {}
            return _body_of(document, schema, said.get("required") is True, _text(said), {})
    fields = {
        said["name"]: Argument("body", said["name"], _parameter_schema(said), said.get("required") is True, _example(said), _text(said))
        for said in parameters
        if said.get("in") == "formData" and isinstance(said.get("name"), str)
    }
    return Body(list(fields.values()), is_flat=True) if fields else Body()


def _example(said: dict[str, Any]) -> JSON:
    if "example" in said:
        return said["example"]
    if "x-example" in said:
        return said["x-example"]
    examples = said.get("examples")
    first = next(iter(examples.values()), None) if isinstance(examples, dict) else None
    return first.get("value") if isinstance(first, dict) else None


def _text(said: dict[str, Any]) -> str:
    return said["description"].strip() if isinstance(said.get("description"), str) else ""
