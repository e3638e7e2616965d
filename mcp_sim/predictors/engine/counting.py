"""Tools that move a number of a thing up or down: `adjust_stock(sku, delta)`."""

from collections.abc import Sequence

from mcp_sim.predictors.engine.arguments import Argument
from mcp_sim.predictors.engine.neighbours import Neighbours
from mcp_sim.predictors.engine.sketch import Sketch
from mcp_sim.predictors.engine.understanding import Counts, ToolUnderstanding

_VERBS = frozenset("adjust increment decrement increase decrease".split())
_DOWN = frozenset({"decrement", "decrease"})
_BY = frozenset("delta by amount change adjustment step quantity_change quantity_delta stock_delta increment decrement".split())
_NUMBERS = frozenset("quantity stock count balance amount on_hand score points level".split())


def count_up_or_down(draft: Sketch, near: Neighbours, drafts: Sequence[Sketch]) -> ToolUnderstanding | None:
    """Return what a tool does that moves a number of a thing; `None` if it is none, or if it is unclear which number of what."""
    nouns = draft.phrase.nouns
    verb = draft.phrase.verb or (nouns[0] if nouns else "")
    by = next((a for a in draft.arguments if a.required and a.snake in _BY and a.types & {"integer", "number"}), None)
    if draft.hint.kind is not None or verb not in _VERBS or by is None or draft.tool.annotations.get("readOnlyHint") is True:
        return None
    given = {a.snake: a for a in draft.arguments if a.required and a is not by}
    for resource, names in near.names.items():
        named = next((given[name.snake] for name in names if name.snake in given), None)
        places = near.places.get(resource, frozenset())
        if named is None or not places <= set(given):
            continue
        field = _number(resource, set(nouns), drafts)
        if field is None:
            continue
        return ToolUnderstanding(
            tool=draft.tool.name,
            kind="update",
            resource=resource,
            verb=verb,
            id=named.name,
            parents=tuple(a.name for a in draft.arguments if a.snake in places),
            counts=Counts(by=by.name, field=field.name, down=verb in _DOWN),
            idempotent=False,
            shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
        )
    return None


def _number(resource: str, nouns: set[str], drafts: Sequence[Sketch]) -> Argument | None:
    """The number meant: the one that the tool is named after, else the usual one, else the only one."""
    made = [a for draft in drafts if draft.resource == resource and draft.kind == "create" for a in draft.arguments]
    numbers = [a for a in made if a.types & {"integer", "number"} and not a.role and not a.names_a_thing]
    named = [a for a in numbers if a.snake in nouns] or [a for a in numbers if a.snake in _NUMBERS]
    return (named or numbers)[0] if named or len(numbers) == 1 else None
