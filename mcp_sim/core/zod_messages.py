"""The messages of zod 4.6 for one part of a value, as its `en` locale spells them."""

from collections.abc import Iterable
from math import inf

from mcp_sim.core.canonical import JSON
from mcp_sim.core.field_order import resolved
from mcp_sim.core.schema import Problem

_SAFE = 2**53 - 1
_FORMATS = {
    "email": "email address",
    "uri": "URL",
    "uuid": "UUID",
    "date-time": "ISO datetime",
    "date": "ISO date",
    "time": "ISO time",
    "duration": "ISO duration",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "base64": "base64-encoded string",
    "base64url": "base64url-encoded string",
}
BOUNDS = {
    "minLength": ("small", "string", ">=", "characters"),
    "maxLength": ("big", "string", "<=", "characters"),
    "minItems": ("small", "array", ">=", "items"),
    "maxItems": ("big", "array", "<=", "items"),
    "minimum": ("small", "number", ">=", ""),
    "maximum": ("big", "number", "<=", ""),
    "exclusiveMinimum": ("small", "number", ">", ""),
    "exclusiveMaximum": ("big", "number", "<", ""),
}


def of_type(root: JSON, rule: JSON, value: JSON, *, absent: bool = False) -> list[str]:
    """Return what is said of a value of the wrong type, or of none."""
    rule = resolved(root, rule)
    seen = "undefined" if absent else received(value)
    options = [rule["const"]] if "const" in rule else rule.get("enum")
    if options is not None:
        if len(options) == 1:
            return [f"Invalid input: expected {_spelled(options[0])}"]
        return ["Invalid option: expected one of " + "|".join(map(_spelled, options))]
    if "oneOf" in rule and discriminator(root, rule["oneOf"]):
        return [f"Invalid input: expected object, received {seen}"]
    kinds = rule.get("type")
    if isinstance(kinds, list):
        kinds = [kind for kind in kinds if kind != "null"] or ["null"]
        kinds = kinds[0] if len(kinds) == 1 else None
    if kinds is None:
        unions = "anyOf" in rule or "oneOf" in rule or "type" in rule
        return ["Invalid input" if unions or not absent else "Invalid input: expected nonoptional, received undefined"]
    if kinds == "integer":
        kinds = "int" if seen == "number" else "number"
    elif kinds == "array" and is_tuple(rule):
        kinds = "tuple"
    elif kinds == "object" and "properties" not in rule and ("propertyNames" in rule or isinstance(rule.get("additionalProperties"), dict)):
        kinds = "record"
    return [f"Invalid input: expected {kinds}, received {seen}", *_of_length(rule, value)]


def _of_length(rule: dict[str, JSON], value: JSON) -> Iterable[str]:
    """What zod says of the length of a list where a text is due, and the other way round: it measures whatever has a length."""
    if not isinstance(value, str | list) or is_tuple(rule):
        return
    low, high = (rule.get(edge) for edge in (("minItems", "maxItems") if rule.get("type") == "array" else ("minLength", "maxLength")))
    exact = low == high
    if low is not None and len(value) < low:
        yield _bound("minLength" if isinstance(value, str) else "minItems", low, exact)
    if high is not None and len(value) > high:
        yield _bound("maxLength" if isinstance(value, str) else "maxItems", high, exact)


def _bound(keyword: str, expected: JSON, exact: bool = False, origin: str = "") -> str:
    size, usual, sign, unit = BOUNDS[keyword]
    bound = f"{'exactly ' if exact else sign}{_spelled(expected)}"
    return f"Too {size}: expected {origin or usual} to {'have' if unit else 'be'} {bound}" + (f" {unit}" if unit else "")


def of_check(problem: Problem) -> str:
    """Return what is said of a value of the right type that fails a check."""
    rule, keyword = problem.rule, problem.keyword
    if keyword in BOUNDS:
        if rule.get("type") == "integer" and abs(problem.expected) == _SAFE:
            return _bound(keyword, problem.expected, origin="int")
        opposite = {"minLength": "maxLength", "maxLength": "minLength", "minItems": "maxItems", "maxItems": "minItems"}.get(keyword)
        exact = opposite is not None and rule.get(opposite) == problem.expected and not is_tuple(rule)
        return _bound(keyword, problem.expected, exact)
    if keyword == "pattern":
        named = _FORMATS.get(rule["format"]) if isinstance(rule.get("format"), str) else None
        return f"Invalid {named}" if named else f"Invalid string: must match pattern /{problem.expected}/"
    if keyword == "multipleOf":
        return f"Invalid number: must be a multiple of {_spelled(problem.expected)}"
    if keyword in ("items", "additionalItems") and is_tuple(rule):
        count = len(rule.get("prefixItems", rule.get("items")))
        return f"Too big: expected array to have <={count} items"
    if keyword in ("not", "false"):
        return f"Invalid input: expected never, received {received(problem.value)}"
    return "Invalid input"


def discriminator(root: JSON, branches: list[JSON]) -> str | None:
    """Return the property whose constant tells the branches of a union apart, if there is one."""
    shared: set[str] | None = None
    for branch in branches:
        rule = resolved(root, branch)
        properties = rule.get("properties", {})
        tags = {name for name in rule.get("required", ()) if "const" in resolved(root, properties.get(name))}
        shared = tags if shared is None else shared & tags
    return min(shared) if shared else None


def unrecognized(names: list[str]) -> str:
    """Return what is said of keys that a strict object does not have."""
    return f"Unrecognized key{'s' if len(names) > 1 else ''}: " + ", ".join(map(_spelled, names))


def is_tuple(rule: JSON) -> bool:
    """Whether a rule is one of a tuple."""
    return isinstance(rule, dict) and ("prefixItems" in rule or isinstance(rule.get("items"), list))


def received(value: JSON) -> str:
    """Name the type of a value as JavaScript does."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "number"


def _spelled(value: JSON) -> str:
    return f'"{value}"' if isinstance(value, str) else bare(value)


def bare(value: JSON) -> str:
    """Spell a value as JavaScript's `String` does."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if isinstance(value, float) and abs(value) == inf:
        return "Infinity" if value > 0 else "-Infinity"
    return str(value) if not isinstance(value, dict | list) else "[object Object]"
