"""Refusals in the words of servers on the official TypeScript SDK (1.32, zod 4.6), as those servers sent them."""

from collections.abc import Iterable
from math import inf

from mcp_sim.core.canonical import JSON
from mcp_sim.core.field_order import LAST, beside_null, missing, part, place, resolved, rule_at, unknown
from mcp_sim.core.schema import Problem

Path = tuple[str | int, ...]
_Issue = tuple[tuple[int, ...], Path, str]

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
_BOUNDS = {
    "minLength": ("small", "string", ">=", "characters"),
    "maxLength": ("big", "string", "<=", "characters"),
    "minItems": ("small", "array", ">=", "items"),
    "maxItems": ("big", "array", "<=", "items"),
    "minimum": ("small", "number", ">=", ""),
    "maximum": ("big", "number", "<=", ""),
    "exclusiveMinimum": ("small", "number", ">", ""),
    "exclusiveMaximum": ("big", "number", "<", ""),
}
_GOES_ON = frozenset(_BOUNDS) | {"pattern", "multipleOf"}
"""What zod finds in a value of the right type; a union with one such branch reports that branch."""
_TYPE = frozenset({"type", "enum", "const", "required"})
_UNKNOWN = frozenset({"additionalProperties", "unevaluatedProperties"})


def text(root: JSON, tool_name: str, arguments: JSON, problems: Iterable[Problem]) -> str:
    """Return the text of a refusal: one line for each issue, in the order in which zod looks at the fields."""
    issues = sorted(_issues(root, arguments, problems), key=lambda issue: issue[0])
    lines = [f"{message} at {_dotted(path)}" if path else message for _, path, message in dict.fromkeys(issues)]
    return f"MCP error -32602: Input validation error: Invalid arguments for tool {tool_name}: " + "\n".join(lines)


def _issues(root: JSON, arguments: JSON, problems: Iterable[Problem]) -> Iterable[_Issue]:
    problems = list(problems)
    stopped = {problem.path for problem in problems if problem.keyword in _TYPE and problem.keyword != "required"}
    for problem in problems:
        path, keyword = problem.path, problem.keyword
        if isinstance(problem.value, str) and isinstance(part(arguments, path), dict):
            yield _of_key(root, problem)
        elif keyword == "required":
            for name in missing(problem):
                inner = (*path, name)
                rule = problem.rule.get("properties", {}).get(name, rule_at(root, inner))
                yield from ((place(root, inner), inner, message) for message in _of_type(root, rule, None, absent=True))
        elif keyword in _TYPE:
            yield from ((place(root, path), path, message) for message in _of_type(root, problem.rule, problem.value))
        elif path in stopped:
            continue
        elif keyword in _UNKNOWN and problem.expected is False:
            yield (*place(root, path), LAST), path, _unrecognized(unknown(problem))
        elif keyword in ("anyOf", "oneOf"):
            yield from _of_union(root, arguments, problem)
        else:
            tuple_like = _is_tuple(problem.rule)
            late = (LAST,) if keyword in ("minItems", "maxItems") and not tuple_like else ()
            if keyword in ("items", "additionalItems") and "maxItems" in problem.rule:
                continue
            yield (*place(root, path), *late), path, _of_check(problem)


def _of_type(root: JSON, rule: JSON, value: JSON, *, absent: bool = False) -> list[str]:
    rule = resolved(root, rule)
    received = "undefined" if absent else _received(value)
    options = [rule["const"]] if "const" in rule else rule.get("enum")
    if options is not None:
        if len(options) == 1:
            return [f"Invalid input: expected {_spelled(options[0])}"]
        return ["Invalid option: expected one of " + "|".join(map(_spelled, options))]
    if "oneOf" in rule and _discriminator(root, rule["oneOf"]):
        return [f"Invalid input: expected object, received {received}"]
    kinds = rule.get("type")
    if isinstance(kinds, list):
        kinds = [kind for kind in kinds if kind != "null"] or ["null"]
        kinds = kinds[0] if len(kinds) == 1 else None
    if kinds is None:
        unions = "anyOf" in rule or "oneOf" in rule or "type" in rule
        return ["Invalid input" if unions or not absent else "Invalid input: expected nonoptional, received undefined"]
    if kinds == "integer":
        kinds = "int" if received == "number" else "number"
    elif kinds == "array" and _is_tuple(rule):
        kinds = "tuple"
    elif kinds == "object" and "properties" not in rule and ("propertyNames" in rule or isinstance(rule.get("additionalProperties"), dict)):
        kinds = "record"
    return [f"Invalid input: expected {kinds}, received {received}", *_of_length(rule, value)]


def _of_length(rule: dict[str, JSON], value: JSON) -> Iterable[str]:
    """What zod says of the length of a list where a text is due, and the other way round: it measures whatever has a length."""
    if not isinstance(value, str | list) or _is_tuple(rule):
        return
    low, high = (rule.get(edge) for edge in (("minItems", "maxItems") if rule.get("type") == "array" else ("minLength", "maxLength")))
    exact = low == high
    if low is not None and len(value) < low:
        yield _bound("minLength" if isinstance(value, str) else "minItems", low, exact)
    if high is not None and len(value) > high:
        yield _bound("maxLength" if isinstance(value, str) else "maxItems", high, exact)


def _bound(keyword: str, expected: JSON, exact: bool = False, origin: str = "") -> str:
    size, usual, sign, unit = _BOUNDS[keyword]
    bound = f"{'exactly ' if exact else sign}{_spelled(expected)}"
    return f"Too {size}: expected {origin or usual} to {'have' if unit else 'be'} {bound}" + (f" {unit}" if unit else "")


def _of_union(root: JSON, arguments: JSON, problem: Problem) -> Iterable[_Issue]:
    branches: dict[int, list[Problem]] = {}
    for inner in problem.context:
        branches.setdefault(inner.branch, []).append(inner)
    inner_rule = beside_null(problem.rule)
    if problem.keyword == "anyOf" and inner_rule is not None:
        kept = [branch for branch in branches if problem.expected[branch] is inner_rule]
    elif problem.keyword == "oneOf" and (name := _discriminator(root, problem.expected)):
        if not isinstance(problem.value, dict):
            yield place(root, problem.path), problem.path, f"Invalid input: expected object, received {_received(problem.value)}"
            return
        tags = [resolved(root, resolved(root, branch)["properties"][name])["const"] for branch in problem.expected]
        kept = [index for index, tag in enumerate(tags) if tag == problem.value.get(name)]
        if not kept:
            where = (*problem.path, name)
            yield place(root, where), where, "Invalid discriminator value. Expected " + " | ".join(f"'{_bare(tag)}'" for tag in tags)
            return
    else:
        kept = [branch for branch, inner in branches.items() if all(each.keyword in _GOES_ON for each in inner)]
    if len(kept) == 1 and kept[0] in branches:
        issues = list(_issues(root, arguments, branches[kept[0]]))
        yield from issues
    else:
        more = problem.keyword == "oneOf" and not problem.context
        yield place(root, problem.path), problem.path, "Invalid input: more than one option matched" if more else "Invalid input"


def _of_key(root: JSON, problem: Problem) -> _Issue:
    if problem.keyword == "enum":
        return (*place(root, problem.path), LAST), problem.path, _unrecognized([problem.value])
    path = (*problem.path, problem.value)
    return place(root, path), path, "Invalid key in record"


def _of_check(problem: Problem) -> str:
    rule, keyword = problem.rule, problem.keyword
    if keyword in _BOUNDS:
        if rule.get("type") == "integer" and abs(problem.expected) == _SAFE:
            return _bound(keyword, problem.expected, origin="int")
        opposite = {"minLength": "maxLength", "maxLength": "minLength", "minItems": "maxItems", "maxItems": "minItems"}.get(keyword)
        exact = opposite is not None and rule.get(opposite) == problem.expected and not _is_tuple(rule)
        return _bound(keyword, problem.expected, exact)
    if keyword == "pattern":
        named = _FORMATS.get(rule["format"]) if isinstance(rule.get("format"), str) else None
        return f"Invalid {named}" if named else f"Invalid string: must match pattern /{problem.expected}/"
    if keyword == "multipleOf":
        return f"Invalid number: must be a multiple of {_spelled(problem.expected)}"
    if keyword in ("items", "additionalItems") and _is_tuple(rule):
        count = len(rule.get("prefixItems", rule.get("items")))
        return f"Too big: expected array to have <={count} items"
    if keyword in ("not", "false"):
        return f"Invalid input: expected never, received {_received(problem.value)}"
    return "Invalid input"


def _discriminator(root: JSON, branches: list[JSON]) -> str | None:
    shared: set[str] | None = None
    for branch in branches:
        rule = resolved(root, branch)
        properties = rule.get("properties", {})
        tags = {name for name in rule.get("required", ()) if "const" in resolved(root, properties.get(name))}
        shared = tags if shared is None else shared & tags
    return min(shared) if shared else None


def _unrecognized(names: list[str]) -> str:
    return f"Unrecognized key{'s' if len(names) > 1 else ''}: " + ", ".join(map(_spelled, names))


def _is_tuple(rule: JSON) -> bool:
    return isinstance(rule, dict) and ("prefixItems" in rule or isinstance(rule.get("items"), list))


def _received(value: JSON) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "number"


def _spelled(value: JSON) -> str:
    return f'"{value}"' if isinstance(value, str) else _bare(value)


def _bare(value: JSON) -> str:
    """Spell a value as JavaScript's `String` does."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if isinstance(value, float) and abs(value) == inf:
        return "Infinity" if value > 0 else "-Infinity"
    return str(value) if not isinstance(value, dict | list) else "[object Object]"


def _dotted(path: Path) -> str:
    first, *rest = path
    return str(first) + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
