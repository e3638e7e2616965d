"""What a search text asks for: words, phrases in quotes, and qualifiers such as `state:open` or `created:>2026-01-01`."""

import re
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.kept.needs import Need, Needing, Test, holds, leaves, needs_of
from mcp_sim.predictors.engine.resources.ranges import compared, resource_has, told_between
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.arguments import field_named, snake

QUALIFIER = re.compile(r'(?<!\S)(-?)([a-z][a-z_-]*):("[^"]*"|[^\s"]\S*)')
_LONGEST = 2000
_ALIASES = {
    "author": ("author", "user", "creator", "owner", "sender", "created_by", "from"),
    "assignee": ("assignee", "assignees", "assigned_to"),
    "stars": ("stargazers_count", "stars"),
    "forks": ("forks_count", "forks"),
    "comments": ("comments", "comments_count", "comment_count"),
    "state": ("state", "status"),
    "type": ("type", "kind"),
}
_TIMED = {"created": True, "updated": False, "pushed": False}
KINDS = {"issue": "issue", "pr": "pull_request", "pull-request": "pull_request"}
_OWNERS = frozenset({"user", "org", "owner"})
_FOREIGN = frozenset(
    "author assignee label milestone mentions involves commenter review reviewed-by review-requested team draft head base filename path "
    "extension archived fork license linked reason sort language topic topics stars forks size followers created updated pushed closed "
    "merged comments reactions interactions project status state type no is in user org repo owner has from to subject before after".split()
)


@dataclass(frozen=True, slots=True)
class Query:
    """What a thing must pass, and the qualifiers that nothing could be made of."""

    tests: tuple[Test, ...]
    unheeded: tuple[str, ...]


def read_query(text: str, resource: Resource) -> Query:
    """Return what a search text asks for of things of a kind."""
    tests: list[Test] = []
    unheeded: list[str] = []
    fields: tuple[str, ...] = ()
    rest, end = "", 0
    text = text[:_LONGEST]
    for found in QUALIFIER.finditer(text):
        negated, name, value = found.group(1) == "-", found.group(2), found.group(3).strip('"')
        known = name in _FOREIGN or resource_has(resource, name.replace("-", "_"))
        if not known or value.startswith("//"):
            continue  # words of another kind: an address, a time
        rest, end = rest + text[end : found.start()], found.end()
        if name == "in":
            fields = tuple(snake(field) for field in value.split(","))
            continue
        test = _qualified(name, value.lower(), resource)
        if test is None:
            unheeded.append(found.group(0))
        else:
            tests.append(_not(test) if negated else test)
            if name in ("is", "type") and value in KINDS and KINDS[value] != resource.name:
                unheeded.append(found.group(0))  # they are things of another kind
    rest += text[end:]
    if rest.strip():
        tests.append(_worded(rest, fields))
    return Query(tuple(tests), tuple(unheeded))


def _qualified(name: str, value: str, resource: Resource) -> Test | None:
    if name in ("is", "type") and value in KINDS:
        return _of_kind(KINDS[value], resource)
    if name == "is":
        if value in ("open", "closed"):
            return _holding(("state", "status"), value)
        return (lambda record: field_named(record, value) is True) if resource_has(resource, value) else None
    if name == "no":
        return (lambda record: field_named(record, value) in (None, [], "", {})) if resource_has(resource, value) else None
    if name in ("repo", "project") and resource.scope_keys:
        return _placed(value, resource)
    if name in ("repo", *_OWNERS):
        return Needing(lambda record: any(_lies_in(leaf.lower(), value) for leaf in leaves(record)), _words_of(value))
    limit = re.fullmatch(r"(>=|<=|>|<)?(.+?)(?:\.\.(.+))?", value)
    names = [one for one in _ALIASES.get(name, (name.replace("-", "_"),)) if resource_has(resource, one)]
    if limit and (limit.group(1) or limit.group(3) or name in _TIMED):
        return _ranged(name, names, limit.group(1) or "", limit.group(2), limit.group(3) or "")
    if name == "state" or names:
        return _holding(tuple(names or _ALIASES["state"]), value)
    return None


def _of_kind(kind: str, resource: Resource) -> Test | None:
    """Issues and pull requests come in one list on some servers, told apart by a field."""
    if kind == resource.name:
        return lambda record: True
    if resource_has(resource, "pull_request"):
        return lambda record: ("pull_request" in record) is (kind == "pull_request")
    return (lambda record: False) if resource.name in KINDS.values() else None


def _ranged(name: str, names: list[str], sign: str, first: str, last: str) -> Test | None:
    """A field from or until a limit (`>10`), between two (`1..5`, `*..5`), or on a day."""
    bounds = [(first, True), (last, False)] if last else [(first, sign[0] == ">")] if sign else [(first, True), (first, False)]
    strict = sign in (">", "<")
    tests: list[Test] = []
    for limit, low in bounds:
        if limit == "*":
            continue
        if name in _TIMED:
            test = told_between(limit.upper(), made=_TIMED[name], low=low, strict=strict)
        else:
            test = compared(names[0], limit, low=low, strict=strict) if names else None
        if test is None:
            return None
        tests.append(test)
    return Needing(lambda record: all(test(record) for test in tests), tuple(needs_of(tests)))


def _holding(names: tuple[str, ...], wanted: str) -> Test:
    need = tuple((f"={name}", wanted) for name in names)
    return Needing(lambda record: any(holds(field_named(record, name), wanted) for name in names), (need,))


def _not(test: Test) -> Test:
    return lambda record: not test(record)


def _lies_in(leaf: str, wanted: str) -> bool:
    return leaf == wanted or leaf.startswith(f"{wanted}/") or f"/{wanted}/" in leaf or leaf.endswith(f"/{wanted}")


def _placed(wanted: str, resource: Resource) -> Test:
    keys = resource.scope_keys
    return lambda record: (
        "/".join(id_text(record.get(key)) for key in keys).lower().endswith(wanted) or not all(key in record for key in keys)
    )


def _worded(text: str, fields: tuple[str, ...]) -> Test:
    phrases = [" ".join(phrase.lower().split()) for phrase in re.findall(r'"([^"]+)"', text)]
    plain = re.sub(r'"[^"]+"', " ", text)
    whole = " ".join(plain.lower().split())
    parts = [part for part in re.findall(r"\w+", whole) if part not in ("and", "or")]

    def test(record: Record) -> bool:
        searched: Any = [field_named(record, field) for field in fields] if fields else record
        hay = "\n".join(leaves(searched)).lower()
        flat = " ".join(hay.split())
        if not all(phrase in flat for phrase in phrases):
            return False
        return all(part in hay for part in parts) if parts else whole in flat

    return Needing(test, tuple(need for part in (*parts, *phrases) for need in _words_of(part)))


def _words_of(text: str) -> tuple[Need, ...]:
    return tuple((("words", part),) for part in re.findall(r"\w+", text))


def places_in(text: str, resource: Resource) -> dict[str, JSON]:
    """Return the parents that a search text names (`repo:acme/api`), by the keys of a record."""
    for _, name, value in QUALIFIER.findall(text[:_LONGEST]):
        parts = value.strip('"').split("/")
        if name in ("repo", "project") and len(parts) == len(resource.scope_keys) and all(parts):
            return dict(zip(resource.scope_keys, parts, strict=True))
    return {}
