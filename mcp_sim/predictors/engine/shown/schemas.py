"""Where output schemas speak of things."""

from collections.abc import Mapping

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.shown.observed import Path
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.vocabulary import plural

_ALSO: dict[str, tuple[str, ...]] = {
    "message": ("subject", "description", "summary"),
    "title": ("name", "subject", "summary"),
    "name": ("title",),
    "body": ("description", "content", "text"),
    "content": ("body", "text"),
    "text": ("content", "body", "message"),
}
"""What else the text of a field is shown as, by servers that take it under one name and show it under another."""
_SHORT = 7


def properties_of(schema: JSON) -> dict[str, JSON]:
    """Return the properties of an object schema, none where it has none."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def matching_properties(schema: JSON, record: Record) -> list[tuple[str, JSON]]:
    """Return the properties of a schema that a record has a value for, with those values."""
    by_snake = {snake(key): value for key, value in record.items()}
    properties = properties_of(schema)
    if not properties:
        return list(record.items())
    found = [(key, by_snake[snake(key)]) for key in properties if snake(key) in by_snake]
    return found + _called_otherwise(properties, by_snake)


def _called_otherwise(properties: Mapping[str, JSON], by_snake: Record) -> list[tuple[str, JSON]]:
    """What a thing has under one name and is shown under another: a commit's message as its subject."""
    open_keys = {snake(key): key for key, part in properties.items() if snake(key) not in by_snake and _takes_text(part)}
    shown = {snake(key) for key in properties}
    found: list[tuple[str, JSON]] = []
    for name, others in _ALSO.items():
        value = by_snake.get(name)
        key = next((open_keys.pop(other) for other in others if other in open_keys), None) if isinstance(value, str) else None
        if key is not None and name not in shown:
            found.append((key, value))
    for name, key in open_keys.items():
        whole = by_snake.get(name.removeprefix("short_"))
        if name.startswith("short_") and isinstance(whole, str):
            found.append((key, whole[:_SHORT]))
    return found


def _takes_text(part: JSON) -> bool:
    return isinstance(part, dict) and part.get("type") == "string" and not {"enum", "format", "pattern", "const"} & set(part)


def schema_of_thing(schema: JSON, resource: str, *, many: bool) -> dict[str, JSON] | None:
    """Return what an output schema says of one thing, with the definitions it refers to; `None` if it says nothing of any."""
    if not isinstance(schema, dict):
        return None
    found = list_in_schema(schema, resource) if many else thing_in_schema(schema, resource)
    if found is None or not properties_of(found[1]):
        return None
    return {**{key: schema[key] for key in ("$defs", "definitions") if key in schema}, **found[1]}


def thing_in_schema(schema: dict[str, JSON], resource: str) -> tuple[Path, dict[str, JSON]]:
    """Return where in an answer one thing is, and its schema."""
    last = resource.rsplit("_", maxsplit=1)[-1]
    for key, part in properties_of(schema).items():
        if isinstance(part, dict) and properties_of(part) and snake(key) in (resource, last, "result", "data", "item"):
            return (key,), part
    return (), schema


def list_in_schema(schema: dict[str, JSON], resource: str, depth: int = 0) -> tuple[Path, dict[str, JSON]] | None:
    """Return where in an answer the list of things is, and the schema of its items; `None` if there is no such list."""
    if schema.get("type") == "array":
        items = schema.get("items")
        return (), items if isinstance(items, dict) else {}
    arrays = {
        key: part for key, part in properties_of(schema).items() if isinstance(part, dict) and isinstance(part.get("items"), dict | bool)
    }
    many = {plural(resource), plural(resource.rsplit("_", maxsplit=1)[-1]), "items", "results", "data", "result"}
    key = next((key for key in arrays if snake(key) in many), next(iter(arrays), None) if len(arrays) == 1 else None)
    if key is not None:
        items = arrays[key]["items"]
        return (key,), items if isinstance(items, dict) else {}
    for name, part in properties_of(schema).items():
        if isinstance(part, dict) and depth < 3 and (inner := list_in_schema(part, resource, depth + 1)):
            return (name, *inner[0]), inner[1]
    return None
