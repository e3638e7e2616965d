"""Tools that set one field of a thing: `set_price(sku, price)`, `tickets_assign(id, agent)`, `moveCard(cardId, targetColumnId)`."""

from collections.abc import Iterator, Mapping, Sequence

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import Argument, concept, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import long, singular

_SETTING = frozenset({"set", "change", "update"})
_MOVING = frozenset({"move", "transfer", "shift", "reassign", "relocate"})
_DESTINATIONS = frozenset({"to", "target", "new", "destination", "dest"})
_ASSIGNEES = ("assignee", "assignee_id", "assigned_to", "assigned_to_id", "assignee_email", "assignee_name")
_MANY = "assignees"
_SECRETS = frozenset("password passphrase secret token credentials".split())
_VALUES = frozenset({"value"})
_NAMES = frozenset({"name", "title"})


def field_set(draft: Sketch, near: Neighbours, drafts: Sequence[Sketch]) -> ToolUnderstanding | None:
    """Return what a tool does that sets one field of a thing; `None` if it does not, or if it is unclear which field of what."""
    if draft.hint.kind is not None or draft.children or draft.tool.annotations.get("readOnlyHint") is True:
        return None
    parts = words(draft.tool.name)
    verbs = _SETTING | _MOVING | {"rename", "assign", "unassign"}
    at = next((at for at, word in enumerate(parts) if word in verbs), None)
    if at is None:
        return None
    for resource, named, field in _meanings(draft, parts, at, near):
        places = [a for a in draft.arguments if a.required and a.snake in near.places.get(resource, ()) and a is not named]
        rest = [a for a in draft.arguments if a.required and a is not named and a not in places]
        known = _known(resource, drafts)
        assigned = [known[name] for name in _ASSIGNEES if name in known]
        clears = assigned[0] if parts[at] == "unassign" and len(assigned) == 1 and not field and not rest else ""
        sets = {} if clears else _sets(parts[at], field, rest, known, resource, named)
        if sets is not None:
            whole = ToolUnderstanding(
                tool=draft.tool.name,
                kind="update",
                resource=resource,
                verb=parts[at],
                id=named.name,
                parents=tuple(a.name for a in draft.arguments if a in places),
                fields=tuple(sets),
                sets=sets,
                clears=clears,
                idempotent=draft.tool.annotations.get("idempotentHint") is True,
                shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
            )
            if sets and parts[at] == "assign" and _MANY in known:  # one of several
                return whole.model_copy(update={"kind": "add-member", "member": _MANY, "members": rest[0].name, "fields": (), "sets": {}})
            return whole
    return None


def _meanings(draft: Sketch, parts: list[str], at: int, near: Neighbours) -> Iterator[tuple[str, Argument, str]]:
    """The things that may be meant, each with the argument that names one and what else the tool's name says: the field."""
    for begin in range(at + 1):
        said = long([*parts[begin:at], *(word for word in parts[at + 1 :] if word not in ("the", "a", "an", "of", "to"))])
        for resource, names in near.names.items():
            nouns = resource.split("_")
            head = [*said[: len(nouns) - 1], *(singular(word) for word in said[len(nouns) - 1 : len(nouns)])]
            own = {name.snake for name in names}
            named = next((a for a in draft.arguments if a.required and a.is_scalar and a.snake in own), None)
            if named is None:
                continue
            if head == nouns:
                yield resource, named, "_".join(said[len(nouns) :])
            noun = "_".join([*said[:-1], singular(said[-1])]) if said else ""
            if begin == at and noun and not _is_thing(noun, near) and _is_meant(resource, named, near):  # set_price(sku, price)
                yield resource, named, "_".join(said)


def _is_thing(resource: str, near: Neighbours) -> bool:
    return not {"create", "get", "list", "delete"}.isdisjoint(near.kinds.get(resource, ()))


def _is_meant(resource: str, named: Argument, near: Neighbours) -> bool:
    """Whether an argument tells by itself what kind of thing it names."""
    others = [other for other, names in near.names.items() if _is_thing(other, near) and named.snake in {name.snake for name in names}]
    return named.concept == resource or near.natural.get(resource) == named.snake or others == [resource]


def _known(resource: str, drafts: Sequence[Sketch]) -> dict[str, str]:
    """The fields that things of a kind have, as the tools that make, change and list them spell them."""
    found: dict[str, str] = {}
    for kinds in (("create",), ("update",), ("list", "search")):
        for draft in drafts:
            if draft.resource == resource and draft.kind in kinds:
                for argument in draft.arguments:
                    if argument.role == "" and _place(argument.snake) == "":
                        found.setdefault(argument.snake, argument.name)
    return found


def _sets(verb: str, field: str, rest: list[Argument], known: Mapping[str, str], resource: str, named: Argument) -> dict[str, str] | None:
    """Return the arguments that are kept, each with the field that it sets."""
    if verb in _MOVING:
        going = [a for a in rest if _place(a.snake)]
        own = {concept(name): spelled for name, spelled in known.items()}
        into = own.get(concept(_place(going[0].snake))) or known.get(_place(going[0].snake)) if len(going) == 1 and len(rest) == 1 else None
        return {going[0].name: into} if into is not None and not field else None
    if verb == "unassign" or len(rest) != 1 or "object" in rest[0].types or rest[0].holds_objects:
        return None
    sent = rest[0]
    if verb == "assign":
        assigned = [known[name] for name in _ASSIGNEES if name in known]
        if field or ("array" in sent.types and _MANY not in known) or len(assigned) > 1:
            return None
        return {sent.name: assigned[0] if assigned else sent.name}
    bare = sent.snake.removeprefix("new_").removeprefix(f"{resource}_")
    if verb == "rename":
        return {sent.name: known.get(bare, bare)} if not field and bare in (*_NAMES, named.snake) and bare in known else None
    if not field or not _SECRETS.isdisjoint(field.split("_")):
        return None
    if bare == field or sent.snake == field:
        return {sent.name: known.get(field, sent.name if sent.snake == field else field)}
    return {sent.name: known[field]} if field in known and (sent.snake in _VALUES or field.endswith(f"_{bare}")) else None


def _place(name: str) -> str:
    """What an argument says where a thing goes to names: `column_id`, of `target_column_id`; the empty string if it does not."""
    first, _, rest = snake(name).partition("_")
    return rest if first in _DESTINATIONS else ""
