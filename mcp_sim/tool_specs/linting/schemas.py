"""What clients take of JSON Schema."""

from collections.abc import Iterator
from itertools import islice

from jsonschema import Draft7Validator

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.json_text import shown
from mcp_sim.tool_specs.linting.finding import Client, Finding
from mcp_sim.tool_specs.linting.walking import under, walk

ROOT_COMBINATORS = ("oneOf", "anyOf", "allOf")
OPENAI_ROOT = (*ROOT_COMBINATORS, "enum", "const", "not")
GEMINI_UNKNOWN = frozenset(
    "$ref $defs definitions oneOf allOf not const if then else patternProperties propertyNames prefixItems contains exclusiveMinimum "
    "exclusiveMaximum multipleOf uniqueItems dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems".split()
)
GEMINI_FORMATS = {"string": ("enum", "date-time"), "integer": ("int32", "int64"), "number": ("float", "double")}
_CLOSING = ("/additionalProperties", "/additionalItems", "/unevaluatedProperties", "/unevaluatedItems")
_DRAFT_7 = Draft7Validator(Draft7Validator.META_SCHEMA)
_MOST_FAULTS = 20


def lint_schema(tool: str, schema: dict[str, JSON]) -> Iterator[Finding]:
    """Find out who refuses a tool's input schema, and why."""

    def finding(clients: tuple[Client, ...], pointer: str, says: str, happens: str, remedy: str, loses: bool) -> Finding:
        return Finding(clients=clients, tool=tool, pointer=pointer, says=says, happens=happens, remedy=remedy, loses=loses)

    for keyword in OPENAI_ROOT:
        if keyword in schema:
            pointer = under("/inputSchema", keyword)
            remedy = "Merge what it says into properties and required, and say the rest in the description."
            if keyword in ROOT_COMBINATORS:
                refused = "The Claude API refuses the whole request (400), or Claude Code drops the tool."
                yield finding(("claude",), pointer, f"{keyword} at the root", refused, remedy, True)
            yield finding(("openai",), pointer, f"{keyword} at the root", "OpenAI's API refuses the whole request (400).", remedy, True)
    if not isinstance(schema.get("properties"), dict):
        missing = 'OpenAI\'s API refuses the whole request: "object schema missing properties" (400).'
        yield finding(("openai",), "/inputSchema", "no properties", missing, 'Add "properties": {}.', True)
    for error in islice(_DRAFT_7.iter_errors(schema), _MOST_FAULTS):
        omitted = "VS Code checks schemas as draft-07 and leaves the tool out."
        yield finding(
            ("vscode",), under("/inputSchema", *error.path), error.message[:120], omitted, "Correct or remove this keyword.", True
        )
    for pointer, node in walk(schema, "/inputSchema"):
        if isinstance(node, bool):
            if pointer.endswith(_CLOSING):
                continue  # OpenAPI 3.0 has these as well, and who sends them to Gemini drops them
            boolean = "Gemini's API knows no true or false as a schema and refuses the request (400) where they reach it."
            yield finding(("gemini",), pointer, shown(node), boolean, "Write {} for true; leave out what is false.", False)
            continue
        if not isinstance(node, dict):
            continue
        if "array" in _types(node) and "items" not in node and "prefixItems" not in node:
            refused = "VS Code's models, OpenAI's and Gemini's APIs refuse the request: an array must have items (400)."
            yield finding(("vscode", "openai", "gemini"), pointer, "an array without items", refused, 'Add "items".', True)
        yield from (finding(("gemini",), pointer, *told, False) for told in _gemini(node, pointer == "/inputSchema"))


def _gemini(node: dict[str, JSON], is_root: bool) -> Iterator[tuple[str, str, str]]:
    """Yield what Gemini's own form of schemas (`parameters`) lacks. SDKs that send `parametersJsonSchema` or sanitise are not concerned."""
    passed_on = "where a framework passes the schema on as parameters"
    unknown = sorted(GEMINI_UNKNOWN & node.keys())
    if unknown:
        yield ", ".join(unknown), f"Gemini's API refuses these keywords (400) {passed_on}.", "Say it with type, properties, enum or anyOf."
    types = [name for name in _types(node) if name != "null"]
    if len(types) > 1:
        yield f"type {shown(node['type'])}", f"Gemini's API refuses lists of types (400) {passed_on}.", "Use anyOf, one type in each."
    allowed = GEMINI_FORMATS.get(types[0] if types else "string")
    if isinstance(node.get("format"), str) and allowed and node["format"] not in allowed:
        yield f"format {shown(node['format'])}", f"Gemini's API refuses this format (400) {passed_on}.", f"Known are {', '.join(allowed)}."
    if isinstance(node.get("enum"), list) and not all(isinstance(value, str) for value in node["enum"]):
        yield "an enum of more than texts", f"Gemini's API takes only texts in an enum (400) {passed_on}.", "Write texts, or leave it out."
    if not is_root and types == ["object"] and not node.get("properties"):
        yield "an object without properties", f"Gemini's API wants properties in an object (400) {passed_on}.", "Name its properties."


def _types(node: dict[str, JSON]) -> list[str]:
    kind = node.get("type")
    return kind if isinstance(kind, list) else [kind] if isinstance(kind, str) else []
