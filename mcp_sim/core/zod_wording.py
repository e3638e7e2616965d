"""Refusals in the words of servers on the official TypeScript SDK (1.32, zod 4.6), as those servers sent them."""

from collections.abc import Iterable

from mcp_sim.core.canonical import JSON
from mcp_sim.core.field_order import LAST, beside_null, missing, part, place, resolved, rule_at, unknown
from mcp_sim.core.schema import Problem
from mcp_sim.core.zod_messages import BOUNDS, bare, discriminator, is_tuple, of_check, of_type, received, unrecognized

Path = tuple[str | int, ...]
_Issue = tuple[tuple[int, ...], Path, str]

_GOES_ON = frozenset(BOUNDS) | {"pattern", "multipleOf"}
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
                yield from ((place(root, inner), inner, message) for message in of_type(root, rule, None, absent=True))
        elif keyword in _TYPE:
            yield from ((place(root, path), path, message) for message in of_type(root, problem.rule, problem.value))
        elif path in stopped:
            continue
        elif keyword in _UNKNOWN and problem.expected is False:
            yield (*place(root, path), LAST), path, unrecognized(unknown(problem))
        elif keyword in ("anyOf", "oneOf"):
            yield from _of_union(root, arguments, problem)
        else:
            tuple_like = is_tuple(problem.rule)
            late = (LAST,) if keyword in ("minItems", "maxItems") and not tuple_like else ()
            if keyword in ("items", "additionalItems") and "maxItems" in problem.rule:
                continue
            yield (*place(root, path), *late), path, of_check(problem)


def _of_union(root: JSON, arguments: JSON, problem: Problem) -> Iterable[_Issue]:
    branches: dict[int, list[Problem]] = {}
    for inner in problem.context:
        branches.setdefault(inner.branch, []).append(inner)
    inner_rule = beside_null(problem.rule)
    if problem.keyword == "anyOf" and inner_rule is not None:
        kept = [branch for branch in branches if problem.expected[branch] is inner_rule]
    elif problem.keyword == "oneOf" and (name := discriminator(root, problem.expected)):
        if not isinstance(problem.value, dict):
            yield place(root, problem.path), problem.path, f"Invalid input: expected object, received {received(problem.value)}"
            return
        tags = [resolved(root, resolved(root, branch)["properties"][name])["const"] for branch in problem.expected]
        kept = [index for index, tag in enumerate(tags) if tag == problem.value.get(name)]
        if not kept:
            where = (*problem.path, name)
            yield place(root, where), where, "Invalid discriminator value. Expected " + " | ".join(f"'{bare(tag)}'" for tag in tags)
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
        return (*place(root, problem.path), LAST), problem.path, unrecognized([problem.value])
    path = (*problem.path, problem.value)
    return place(root, path), path, "Invalid key in record"


def _dotted(path: Path) -> str:
    first, *rest = path
    return str(first) + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
