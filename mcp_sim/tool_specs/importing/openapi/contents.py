"""What is in one schema, without following its references."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.dialect import HERE

_DATA = frozenset(("example", "examples", "enum", "const", "default"))
_NAMED = frozenset(("properties", "patternProperties"))


@dataclass(frozen=True, slots=True)
class Contents:
    """How many values a schema holds, and the references in it, each as often as it stands there.

    `here` are those that apply to the very same value, rather than to a part of it; `needed` are those of which a value must hold one.
    """

    size: int
    references: tuple[str, ...]
    here: tuple[str, ...]
    needed: tuple[str, ...]


def measure(schema: JSON) -> Contents:
    """Return the contents of a schema; what stands in examples and enums are no references."""
    size, references = 0, []
    stack = [schema]
    while stack:
        node = stack.pop()
        size += 1
        if isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                references.append(node["$ref"])
            for key, value in node.items():
                if key in _NAMED and isinstance(value, dict):
                    stack.extend(value.values())
                elif key not in _DATA and isinstance(value, dict | list):
                    stack.append(value)
                else:
                    size += 1
    return Contents(size, tuple(references), tuple(_here(schema)), tuple(_needed(schema)))


def _here(schema: JSON) -> Iterator[str]:
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for key in HERE & node.keys():
            stack.extend(node[key] if isinstance(node[key], list) else [node[key]])


def _needed(schema: JSON) -> Iterator[str]:
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict) or node.get("nullable") is True:
            continue
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        stack.extend(node["allOf"] if isinstance(node.get("allOf"), list) else ())
        required, properties = node.get("required"), node.get("properties")
        if isinstance(required, list) and isinstance(properties, dict):
            stack.extend(properties[name] for name in required if isinstance(name, str) and name in properties)
        if isinstance(node.get("minItems"), int) and node["minItems"] > 0:
            stack.append(node.get("items"))
