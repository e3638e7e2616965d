"""An input schema as the named clients take it."""

from collections.abc import Callable
from typing import Any

from jsonschema import Draft7Validator

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import DRAFT_2020, dialect_of
from mcp_sim.tool_specs.linting.finding import Client
from mcp_sim.tool_specs.linting.mended_gemini import mend_for_gemini
from mcp_sim.tool_specs.linting.schemas import OPENAI_ROOT, ROOT_COMBINATORS

_DRAFT_7 = Draft7Validator(Draft7Validator.META_SCHEMA)
_MOST_FAULTS = 100
Mend = Callable[[dict[str, Any]], dict[str, Any]]
Choice = tuple[str, tuple[tuple[str, ...], ...]]
"""How many of several groups of arguments are to be given (`exactly one`), and the groups."""


def mend_schema(schema: dict[str, Any], clients: tuple[Client, ...]) -> tuple[dict[str, Any], list[str], list[Choice]]:
    """Return the schema after mending, what was changed in sentences, and which choices only the description can tell now."""
    remarks: list[str] = []
    choices: list[Choice] = []
    if "vscode" in clients:
        schema = _without_faults(schema, remarks)
    refused = OPENAI_ROOT if "openai" in clients else ROOT_COMBINATORS if "claude" in clients or "gemini" in clients else ()
    found = [keyword for keyword in refused if keyword in schema]
    if found:
        schema = _flatten_root(schema, found, choices)
        remarks.append(f"{', '.join(found)} at the root became plain properties; the description says what goes together.")
    if "gemini" in clients:
        schema = mend_for_gemini(schema, remarks)
    if any(client in clients for client in ("vscode", "openai", "gemini")):
        mended = change_everywhere(schema, _with_items)
        if mended != schema:
            remarks.append("arrays without items got items that may be anything.")
            schema = mended
    if "openai" in clients and not isinstance(schema.get("properties"), dict):
        schema = {**schema, "properties": {}}
        remarks.append("properties: {} was added.")
    return schema, remarks, choices


def change_everywhere(schema: Any, mend: Mend) -> Any:
    """Return the schema with a change made in every schema in it, the inner before the outer."""
    if not isinstance(schema, dict):
        return schema
    changed = dict(schema)
    dialect = dialect_of(schema) or DRAFT_2020
    for keyword, path, part in dialect.subschemas(schema):
        new = change_everywhere(part, mend)
        if new is part or new == part:
            continue
        if not path:
            changed[keyword] = new
        else:
            container: Any = changed[keyword]
            changed[keyword] = container = dict(container) if isinstance(container, dict) else list(container)
            container[path[0]] = new
    return mend(changed)


def _with_items(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    is_array = kind == "array" or (isinstance(kind, list) and "array" in kind)
    return {**schema, "items": {}} if is_array and "items" not in schema and "prefixItems" not in schema else schema


def _without_faults(schema: dict[str, Any], remarks: list[str]) -> dict[str, Any]:
    for _ in range(_MOST_FAULTS):
        error = next(_DRAFT_7.iter_errors(schema), None)
        if error is None or not error.path:
            break
        path = list(error.path)
        # why the keyword and not what is wrong in it: a part of a list of types, say, means nothing by itself
        depth = next((number for number, step in enumerate(path) if step not in _containers(path, number)), len(path) - 1)
        schema = _removed(schema, path[: depth + 1])
        remarks.append(f"{'/'.join(map(str, path[: depth + 1]))} was removed: {error.message[:100]}.")
    return schema


def _containers(path: list[Any], number: int) -> tuple[Any, ...]:
    """The step at this place of a path, where it only leads to another schema and is no faulty keyword itself."""
    step, before = path[number], path[number - 1] if number else None
    if number + 1 == len(path):
        return ()
    named = (
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "allOf",
        "anyOf",
        "oneOf",
        "prefixItems",
        "items",
    )
    single = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems")
    return (step,) if step in named or step in single or before in named else ()


def _removed(node: Any, path: list[Any]) -> Any:
    if len(path) == 1:
        if isinstance(node, dict):
            return {key: value for key, value in node.items() if key != path[0]}
        return [value for number, value in enumerate(node) if number != path[0]]
    if isinstance(node, dict):
        return {key: _removed(value, path[1:]) if key == path[0] else value for key, value in node.items()}
    return [_removed(value, path[1:]) if number == path[0] else value for number, value in enumerate(node)]


def _flatten_root(schema: dict[str, Any], found: list[str], choices: list[Choice]) -> dict[str, Any]:
    """Write combinators at the root as properties and required; which arguments go together is added to `choices`."""
    flat = {key: value for key, value in schema.items() if key not in found}
    properties: dict[str, Any] = dict(flat.get("properties") or {})
    required: list[str] = list(flat.get("required") or [])
    for keyword in (keyword for keyword in ROOT_COMBINATORS if keyword in found):
        branches = [_opened(part, schema) for part in schema[keyword]]
        for branch in branches:
            for name, part in (branch.get("properties") or {}).items():
                known = properties.get(name)
                properties[name] = part if known is None or known == part else {"anyOf": [*_branches(known), part]}
        needed = [[name for name in branch.get("required") or () if isinstance(name, str)] for branch in branches]
        if keyword == "allOf":
            required += [name for names in needed for name in names]
        else:
            required += [name for name in needed[0] if all(name in names for names in needed)] if needed else []
            groups = tuple(dict.fromkeys(tuple(names) for names in needed if names))
            if len(groups) > 1:
                choices.append(("exactly one" if keyword == "oneOf" else "at least one", groups))
    flat["properties"] = properties
    if required:
        flat["required"] = list(dict.fromkeys(required))
    return flat


def _branches(schema: Any) -> list[JSON]:
    only = isinstance(schema, dict) and list(schema) == ["anyOf"]
    return list(schema["anyOf"]) if only else [schema]


def _opened(branch: Any, root: dict[str, Any]) -> dict[str, Any]:
    """Return a branch as an object schema: a reference into the document followed, its own `allOf` merged; nothing else is known of it."""
    for _ in range(10):
        reference = branch.get("$ref") if isinstance(branch, dict) else None
        if not isinstance(reference, str):
            break
        kept, name = reference.removeprefix("#/").partition("/")[::2]
        branch = (root.get(kept) or {}).get(name, {}) if kept in ("$defs", "definitions") else {}
    return branch if isinstance(branch, dict) else {}
