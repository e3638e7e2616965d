"""Tools that move a number of a thing up or down (`adjust_stock`, `deposit`) or from one thing to another, and those that show only it."""

from collections.abc import Iterator, Mapping, Sequence

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.shown.schemas import properties_of, schema_of_thing
from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import Argument, concept, snake
from mcp_sim.predictors.engine.words.understanding import Counts, Effect, ToolUnderstanding

_UP = frozenset("adjust increment increase deposit credit restock replenish receive top topup refill earn award add".split())
_DOWN = frozenset("decrement decrease withdraw debit consume deduct redeem spend remove".split())
_ACROSS = frozenset("transfer move send wire shift relocate reallocate".split())
_MANY_MEANINGS = frozenset({"add", "remove", "move", "send", "receive", "spend", "top"})
"""Verbs that say something else of most nouns: they move a number only where the noun is one."""

_BY = frozenset("delta by amount change adjustment step quantity_change quantity_delta stock_delta increment decrement".split())
_HOW_MANY = frozenset("amount quantity qty units points credits value count number_of_units".split())
_NUMBERS = frozenset("balance quantity stock on_hand qty count amount score points level credits units".split())
_AMOUNTS = frozenset("funds money stock inventory quantity balance units points credits items item".split()) | _NUMBERS
_STOCK = frozenset("quantity stock on_hand qty count units".split())
_AT_FIRST = ("initial_", "opening_", "starting_")
_SOURCES = frozenset({"from", "source", "src", "sender", "origin"})
_TARGETS = frozenset({"to", "target", "destination", "dest", "dst", "recipient", "receiver"})


def count_up_or_down(draft: Sketch, near: Neighbours, drafts: Sequence[Sketch]) -> ToolUnderstanding | None:
    """Return what a tool does that moves or shows a number of a thing; `None` if it is none, or if it is unclear which number of what."""
    if draft.hint.kind is not None:
        return None
    if draft.kind == "get":
        return _facet(draft, near, drafts)
    nouns = draft.phrase.nouns
    verb = draft.phrase.verb or (nouns[0] if nouns else "")
    if verb not in _UP | _DOWN | _ACROSS or draft.tool.annotations.get("readOnlyHint") is True:
        return _marked(draft, near)
    of_its_own = {"get", "list", "search"} & near.kinds.get(draft.resource, set())
    if verb in _MANY_MEANINGS and (not _AMOUNTS & set(nouns) or (of_its_own and draft.kind in ("create", "delete"))):
        return None
    how_many = _BY if verb in ("adjust", "increment", "decrement", "increase", "decrease") else _HOW_MANY
    by = next((a for a in draft.arguments if a.required and a.snake in how_many and a.types & {"integer", "number"}), None)
    if by is None:
        return None
    given = {a.snake: a for a in draft.arguments if a.required and a is not by}
    return _across(draft, verb, by, given, near, drafts) if verb in _ACROSS else _alone(draft, verb, by, given, near, drafts)


def _alone(
    draft: Sketch, verb: str, by: Argument, given: Mapping[str, Argument], near: Neighbours, drafts: Sequence[Sketch]
) -> ToolUnderstanding | None:
    for resource, names in near.names.items():
        named = next((given[name.snake] for name in names if name.snake in given), None)
        places = near.places.get(resource, frozenset())
        field = _number(resource, set(draft.phrase.nouns), near, drafts) if named is not None and places <= set(given) else None
        if named is not None and field is not None:
            return _moving(
                draft,
                verb,
                resource,
                named,
                tuple(given[place].name for place in places),
                Counts(by=by.name, field=field, down=verb in _DOWN),
            )
    return None


def _across(
    draft: Sketch, verb: str, by: Argument, given: Mapping[str, Argument], near: Neighbours, drafts: Sequence[Sketch]
) -> ToolUnderstanding | None:
    """From one thing to another of its kind, or of one thing from one place to another."""
    source = next((a for a in given.values() if _SOURCES & set(a.snake.split("_"))), None)
    target = next((a for a in given.values() if _TARGETS & set(a.snake.split("_"))), None)
    if source is None or target is None:
        return None
    bare = {_bare(source.snake), _bare(target.snake)} - {""}
    for resource, names in near.names.items():
        field = _number(resource, set(draft.phrase.nouns), near, drafts)
        known = {name.snake for name in names} | {resource, f"{resource}_id"}
        if field is None or len(bare) > 1:
            continue
        if bare <= known and (bare or len(near.names) == 1):
            return _moving(draft, verb, resource, source, (), Counts(by=by.name, field=field, down=True, to=target.name))
        place = next((place for place in near.places.get(resource, ()) if bare and concept(place) == concept(next(iter(bare)))), None)
        named = next((given[name.snake] for name in names if name.snake in given), None)
        if place is not None and named is not None and len(near.places[resource]) == 1:
            counts = Counts(by=by.name, field=field, down=True, place=place, from_place=source.name, to_place=target.name)
            return _moving(draft, verb, resource, named, (), counts)
    return None


def _bare(name: str) -> str:
    return "_".join(part for part in name.split("_") if part not in _SOURCES | _TARGETS)


def _moving(draft: Sketch, verb: str, resource: str, named: Argument, parents: tuple[str, ...], counts: Counts) -> ToolUnderstanding:
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="update",
        resource=resource,
        verb=verb,
        id=named.name,
        parents=parents,
        counts=counts,
        idempotent=False,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )


def _facet(draft: Sketch, near: Neighbours, drafts: Sequence[Sketch]) -> ToolUnderstanding | None:
    """What a tool does that shows one number of a thing: the balance of an account."""
    facet = draft.phrase.nouns[-1] if draft.phrase.nouns else ""
    given = {a.snake: a for a in draft.arguments if a.required}
    if facet not in _NUMBERS or {"create", "list", "update", "delete"} & near.kinds.get(draft.resource, set()):
        return None
    shown = properties_of(draft.tool.output_schema)
    if shown and facet not in map(snake, shown):
        return None
    for resource, names in near.names.items():
        named = next((given[name.snake] for name in names if name.snake in given and name.concept != draft.resource), None)
        places = near.places.get(resource, frozenset())
        if named is None or resource == draft.resource or set(given) - {named.snake} != set(places):
            continue
        field = _number(resource, {facet}, near, drafts)
        if field == facet or (field in _STOCK and facet in _STOCK):
            return ToolUnderstanding(
                tool=draft.tool.name,
                kind="get",
                resource=resource,
                verb=draft.phrase.verb,
                id=named.name,
                parents=tuple(given[place].name for place in places),
                facet=field or facet,
                shape="output schema" if shown else "resource",
            )
    return None


def _marked(draft: Sketch, near: Neighbours) -> ToolUnderstanding | None:
    """What a tool does that marks a thing as something."""
    name = words(draft.tool.name)
    if draft.tool.annotations.get("readOnlyHint") is True or name[:1] != ["mark"]:
        return None
    required = [a for a in draft.arguments if a.required]
    for named in required:
        resource = named.concept
        if resource == draft.resource or named.snake not in {one.snake for one in near.names.get(resource, ())}:
            continue
        rest = [a for a in required if a is not named]
        if "as" in name and not rest:
            word = "_".join(name[name.index("as") + 1 :])
            return _marking(draft, resource, named, Effect(flags=(word, f"is_{word}"), word=word))
    return None


def _marking(draft: Sketch, resource: str, named: Argument, effect: Effect) -> ToolUnderstanding:
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="update",
        resource=resource,
        verb="mark",
        id=named.name,
        effect=effect,
        idempotent=draft.tool.annotations.get("idempotentHint") is True,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )


def at_first(field: str) -> str:
    """Return the number that a field tells the beginning of (`initial_deposit`: the balance), or the empty string."""
    bare = next((field.removeprefix(first) for first in _AT_FIRST if field.startswith(first)), "")
    return {"deposit": "balance", "amount": "balance"}.get(bare, bare)


def _number(resource: str, nouns: set[str], near: Neighbours, drafts: Sequence[Sketch]) -> str | None:
    """The number meant: the one that the tool is named after, else the usual one, else the only one."""
    numbers = list(dict.fromkeys(_numbers(resource, near, drafts)))
    if _STOCK & nouns:
        numbers = sorted(numbers, key=lambda field: field not in _STOCK)
        nouns = nouns | _STOCK
    named = [field for field in numbers if field in nouns] or [field for field in numbers if field in _NUMBERS]
    return (named or numbers)[0] if named or len(numbers) == 1 else None


def _has_stock(resource: str, drafts: Sequence[Sketch]) -> bool:
    """Whether things of a kind are made with a number of them, whatever it is called."""
    made = [draft for draft in drafts if draft.resource == resource and draft.kind == "create"]
    return any(argument.snake in _STOCK for draft in made for argument in draft.arguments)


def _numbers(resource: str, near: Neighbours, drafts: Sequence[Sketch]) -> Iterator[str]:
    """The numbers that a kind of thing has: those that it is made with, those that its answers show, those that a tool shows alone."""
    for draft in drafts:
        if draft.resource == resource and draft.kind == "create":
            for argument in draft.arguments:
                if argument.types & {"integer", "number"} and not argument.role and not argument.names_a_thing:
                    yield at_first(argument.snake) or argument.snake
    for draft in drafts:
        shown = (
            schema_of_thing(draft.tool.output_schema, resource, many=draft.kind in ("list", "search"))
            if draft.resource == resource
            else None
        )
        for key, part in properties_of(shown).items():
            if snake(key) in _NUMBERS and isinstance(part, dict) and part.get("type") in ("integer", "number"):
                yield snake(key)
    own = {name.snake for name in near.names.get(resource, ())}
    for draft in drafts:
        alone = draft.kind == "get" and {a.snake for a in draft.arguments if a.required} & own and draft.resource != resource
        if alone and draft.phrase.nouns and draft.phrase.nouns[-1] in _NUMBERS - (_STOCK if _has_stock(resource, drafts) else set()):
            yield draft.phrase.nouns[-1]
