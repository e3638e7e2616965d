"""A conjunction of parts with its alternatives still open, and the walk through them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.instances.budget import Budget
from mcp_sim.predictors.instances.negation import JUDGED, alternatives_to
from mcp_sim.predictors.instances.part import KEYWORD_TYPES, TYPES, Part, Parts, is_schema, listed, named

_MOST_PARTS = 2_000
_CHECKED = frozenset(
    {"type", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "const", "enum", "minContains", "maxContains"}
    | {keyword for keywords in KEYWORD_TYPES.values() for keyword in keywords}
) - {"format", "contentEncoding", "contentMediaType"}
_FIXED = frozenset({"const", "enum"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives of which one must hold. `source` is the identity of the keyword: a choice is made once."""

    source: tuple[int | str, ...]
    alternatives: tuple[Parts, ...]


@dataclass(slots=True)
class Node:
    """Parts that hold together, references and `allOf` already followed, with the choices that are left.

    `judged` says that being built from the parts does not make a value right (`oneOf`, `not`, `unevaluatedProperties`): it must be judged.
    `types` are those that all parts allow; `dead` is why there is no value, where that shows already;
    `values` are all that `enum` and `const` leave.
    """

    parts: Parts
    choices: tuple[Choice, ...]
    made: frozenset[tuple[int | str, ...]]
    judged: bool
    types: tuple[str, ...]
    dead: str | None
    values: list[JSON] | None
    following: dict[int, "Node"] = field(default_factory=dict)
    facts: dict[str, JSON] = field(default_factory=dict)
    """What has been worked out about it, by those who build values."""


def analyse(conjunction: Parts) -> Node:
    """Return the node of a conjunction: every keyword that stands for other schemas in the same place is expanded or becomes a choice."""
    parts: list[Part] = []
    choices: list[Choice] = []
    seen: set[int] = set()
    judged = False
    dead = None
    waiting = list(reversed(conjunction))
    while waiting:
        part = waiting.pop()
        schema = part.schema
        if schema is False:
            dead = "the schema is false here"
            break
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        part = _understood(part)
        schema = part.schema
        if len(seen) > _MOST_PARTS:
            dead = "too many schemas hold here at once"
            break
        parts.append(part)
        for keyword, text in part.references:
            waiting.append(part.target(keyword, text))
            judged = judged or keyword != "$ref"
        if part.references and part.document.dialect.ignores_beside_ref:
            parts.pop()
            continue
        waiting.extend(part.evolve(branch) for branch in reversed(listed(part, "allOf")) if is_schema(branch))
        found, must_judge = _choices(part)
        choices += found
        judged = judged or must_judge
    return _node(tuple(parts), tuple(choices), frozenset(), judged=judged, dead=dead)


def _understood(part: Part) -> Part:
    """Return the part without the keywords that its dialect does not have."""
    foreign = [keyword for keyword in part.schema if keyword in _CHECKED and not part.document.dialect.knows(keyword)]
    if not foreign:
        return part
    return part.evolve({keyword: value for keyword, value in part.schema.items() if keyword not in foreign})


def _node(parts: Parts, choices: tuple[Choice, ...], made: frozenset[tuple[int | str, ...]], *, judged: bool, dead: str | None) -> Node:
    types = _types(parts)
    if dead is None and not types:
        dead = "no type satisfies all that must hold (type, enum and const contradict each other)"
    return Node(parts, choices, made, judged, types, dead, _values(parts))


def _choices(part: Part) -> tuple[list[Choice], bool]:
    schema = part.schema
    choices: list[Choice] = []
    judged = "unevaluatedProperties" in schema or "unevaluatedItems" in schema
    if branches := [branch for branch in listed(part, "anyOf") if is_schema(branch)]:
        choices.append(Choice((id(schema), "anyOf"), tuple((part.evolve(branch),) for branch in branches)))
    if branches := [branch for branch in listed(part, "oneOf") if is_schema(branch)]:
        alone: list[Parts] = [(part.evolve(branch),) for branch in branches]
        if len(branches) > 1:  # where judging keeps throwing values away, the other branches are ruled out by construction
            judged = True
            if len(branches) <= 12:
                for branch in branches:
                    others = (part.evolve({"not": other}) for other in branches if other is not branch)
                    alone.append((part.evolve(branch), *others))
        choices.append(Choice((id(schema), "oneOf"), tuple(alone)))
    if is_schema(schema.get("if")) and ("then" in schema or "else" in schema):
        judged = True
        met = (part.evolve(schema["if"]), part.evolve(schema.get("then", True)))
        missed = (part.evolve({"not": schema["if"]}), part.evolve(schema.get("else", True)))
        choices.append(Choice((id(schema), "if"), (met, missed)))
    if is_schema(schema.get("not")):
        judged = True
        alternatives = None if schema.get("$comment") == JUDGED else alternatives_to(schema["not"])
        if isinstance(schema["not"], dict) and isinstance(schema["not"].get("$ref"), str):
            alternatives = [{"not": part.evolve(schema["not"]).target("$ref", schema["not"]["$ref"]).schema}]
        if alternatives is not None:
            choices.append(Choice((id(schema), "not"), tuple((part.evolve(alternative),) for alternative in alternatives)))
    for keyword in ("dependentSchemas", "dependentRequired", "dependencies"):
        for name, needed in named(part, keyword).items():
            if isinstance(needed, list):
                needed = {"required": needed}
            present = (part.evolve({"required": [name]}), part.evolve(needed))
            absent = (part.evolve({"properties": {name: False}}),)
            choices.append(Choice((id(schema), keyword, name), (present, absent)))
    return choices, judged


def choose(node: Node, index: int) -> Node:
    """Return the node after the first choice was made."""
    if index not in node.following:
        choice = node.choices[0]
        taken = analyse(choice.alternatives[index])
        made = node.made | {choice.source}
        known = {id(part.schema) for part in node.parts}
        parts = node.parts + tuple(part for part in taken.parts if id(part.schema) not in known)
        open_choices = {other.source: other for other in node.choices[1:] + taken.choices if other.source not in made}
        judged = node.judged or taken.judged
        dead = node.dead or taken.dead
        node.following[index] = _node(parts, tuple(open_choices.values()), made, judged=judged, dead=dead)
    return node.following[index]


def leaves(node: Node, order: Callable[[Choice], list[int]], budget: Budget) -> Iterator[Node]:
    """Yield the nodes without choices, in the wished order, and only those that do not show to be dead."""
    budget.spend(1 + len(node.parts) // 4)
    if node.dead is not None:
        return
    if not node.choices or node.values is not None:  # the few values of an enum are judged one by one: no need to choose
        yield node
        return
    for index in order(node.choices[0]):
        yield from leaves(choose(node, index), order, budget)


def _types(parts: Parts) -> tuple[str, ...]:
    """Return the types that all parts allow, the ones meant first: those named by keywords that speak of one type."""
    allowed = set(TYPES)
    typed = False
    for part in parts:
        kinds = part.schema.get("type")
        if isinstance(kinds, str | list):
            typed = True
            wanted = {kinds} if isinstance(kinds, str) else set(kinds)
            if "number" in wanted:
                wanted.add("integer")
            allowed &= wanted
        values = part.schema.get("enum")
        if isinstance(values, list):
            allowed &= {kind for value in values for kind in types_of(value)}
        if "const" in part.schema:
            allowed &= set(types_of(part.schema["const"]))
    if "number" in allowed:
        allowed.discard("integer")
    if typed:
        return tuple(kind for kind in TYPES if kind in allowed)
    meant: list[str] = [
        kind
        for kind, keywords in KEYWORD_TYPES.items()
        if kind in allowed and any(word in part.schema for part in parts for word in keywords)
    ]
    rest: list[str] = [
        kind for kind in ("string", "integer", "number", "boolean", "object", "array", "null") if kind in allowed and kind not in meant
    ]
    return tuple(meant + rest)


def _values(parts: Parts) -> list[JSON] | None:
    lists = [[part.schema["const"]] if "const" in part.schema else part.schema["enum"] for part in parts if _FIXED & part.schema.keys()]
    return min(lists, key=len, default=None)


def types_of(value: JSON) -> tuple[str, ...]:
    """Return the schema types of a value: a whole number has two."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return ("integer", "number")
    return ({str: "string", float: "number", list: "array", dict: "object"}[type(value)],)
