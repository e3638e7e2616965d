"""Where the parts of a value stand in its schema: real servers report problems field by field, in the order of declaration."""

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Problem

LAST = 1 << 30
_MOST_STEPS = 64


def resolved(root: JSON, rule: JSON) -> dict[str, JSON]:
    """Follow `$ref` pointers from the root, and the one branch beside `null` of an optional value. What cannot be followed is `{}`."""
    for _ in range(_MOST_STEPS):
        if not isinstance(rule, dict):
            return {}
        reference = rule.get("$ref")
        inner = beside_null(rule)
        if isinstance(reference, str) and reference.startswith("#"):
            rule = _pointed(root, reference)
        elif inner is not None:
            rule = inner
        else:
            return rule
    return {}


def beside_null(rule: dict[str, JSON]) -> JSON:
    """Return the other branch where a rule is `anyOf` something and `null`, else `None`."""
    branches = rule.get("anyOf")
    if not isinstance(branches, list) or len(branches) != 2 or {"type": "null"} not in branches:
        return None
    return branches[0] if branches[1] == {"type": "null"} else branches[1]


def rule_at(root: JSON, path: tuple[str | int, ...]) -> dict[str, JSON]:
    """Return the subschema of the part at a path, as far as names and items lead there."""
    return _walk(root, path)[1]


def place(root: JSON, path: tuple[str | int, ...]) -> tuple[int, ...]:
    """Return a key that sorts paths in the order of declaration."""
    return _walk(root, path)[0]


def part(value: JSON, path: tuple[str | int, ...]) -> JSON:
    """Return the part of a value at a path."""
    for step in path:
        value = value[step]
    return value


def missing(problem: Problem) -> list[str]:
    """The name that a `required` problem misses: jsonschema reports one problem for each."""
    return [name for name in problem.expected if problem.message.startswith(f"{name!r} is a required")][:1]


def unknown(problem: Problem) -> list[str]:
    """The names that an object should not have, where that is the problem."""
    known = problem.rule.get("properties", {})
    return [name for name in problem.value if name not in known and repr(name) in problem.message]


def _walk(root: JSON, path: tuple[str | int, ...]) -> tuple[tuple[int, ...], dict[str, JSON]]:
    rule, places = resolved(root, root), []
    for step in path:
        below: JSON
        if isinstance(step, int):
            places.append(step)
            by_place: JSON = rule.get("prefixItems", rule.get("items"))
            listed = isinstance(by_place, list) and step < len(by_place)
            below = by_place[step] if listed else rule.get("items", rule.get("additionalItems"))
        else:
            properties = rule.get("properties", {})
            places.append(list(properties).index(step) if step in properties else len(properties))
            below = properties.get(step, rule.get("additionalProperties"))
        rule = resolved(root, below)
    return tuple(places), rule


def _pointed(root: JSON, reference: str) -> JSON:
    node = root
    for step in reference.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        node = node.get(name) if isinstance(node, dict) else None
    return node
