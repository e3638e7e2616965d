"""Tools that make, delete or change many things at once, and what their arguments hold."""

from collections.abc import Sequence

from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import Argument
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import plural, singular

_ADDING = frozenset({"add", "append", "assign"})
_REMOVING = frozenset({"delete", "remove", "unassign"})


def batch_argument(draft: Sketch) -> Argument | None:
    """Return the argument that holds the things to make, or that names (or describes) those to delete; `None` if there is none."""
    many = "children" if draft.children else plural(draft.resource.rsplit("_", maxsplit=1)[-1])
    own = (many, "items", plural(draft.resource))
    for argument in draft.arguments:
        if "array" not in argument.types or not argument.required:
            continue
        others = any(a.required for a in draft.arguments if a is not argument)
        lines = argument.snake == "items" != many and not draft.phrase.plural and others
        if draft.kind == "create" and argument.holds_objects and argument.snake in own and not lines:  # what an order is of is part of it
            return argument
        if draft.kind == "delete" and (not argument.holds_objects or argument.snake in own):
            return argument
    return None


def named_argument(draft: Sketch, near: Neighbours) -> Argument | None:
    """Return the argument that names the things to show, where a tool must be told which: `read_multiple_files(paths)`."""
    required = [argument for argument in draft.arguments if argument.required]
    if len(required) != 1 or "array" not in required[0].types or required[0].holds_objects:
        return None
    asked = singular(required[0].snake)
    known = any(asked == name.snake for name in near.names.get(draft.resource, ()))
    return required[0] if known or asked in (f"{draft.resource}_id", f"{draft.resource}_name") else None


def made_in_batches(drafts: Sequence[Sketch], near: Neighbours) -> dict[str, None]:
    """Return the kinds of things that are made many at once, in the order of their tools: a set that has one."""
    makers = (draft for draft in drafts if draft.kind == "create" and batch_argument(draft) is not None)
    return dict.fromkeys(draft.resource for draft in makers if members_in_batches(draft, near) is None)


def members_in_batches(draft: Sketch, near: Neighbours) -> ToolUnderstanding | None:
    """Return what a tool does that adds to lists inside many things at once, or takes out of them: observations of entities.

    Each item names a thing and what to add to it. `None` if the tool does no such thing.
    """
    verb = draft.phrase.verb
    noun = plural(draft.phrase.nouns[-1]) if draft.phrase.nouns else ""
    required = [argument for argument in draft.arguments if argument.required]
    if verb not in _ADDING | _REMOVING or draft.hint.kind is not None or len(required) != 1 or not required[0].holds_objects:
        return None
    parts = [part for part in required[0].parts if part.required]
    named = next((part for part in parts if part.is_scalar and part.concept in near.kinds and part.names_a_thing), None)
    lists = [part for part in parts if "array" in part.types and not part.holds_objects]
    if named is None or len(lists) != 1 or noun not in near.fields.get(named.concept, ()) or len(parts) != 2:
        return None
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="add-member" if verb in _ADDING else "remove-member",
        resource=named.concept,
        verb=verb,
        id=named.name,
        items=required[0].name,
        member=noun,
        members=lists[0].name,
        idempotent=draft.tool.annotations.get("idempotentHint") is True,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )
