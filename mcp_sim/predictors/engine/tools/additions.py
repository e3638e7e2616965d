"""Tools whose verb could make or delete a thing, but that do something else to one: `append_to_note`, `remove_from_cart`."""

from collections.abc import Sequence
from dataclasses import replace

from mcp_sim.predictors.engine.tools.neighbours import Neighbours, own_name
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.vocabulary import EFFECTS

_WRITING = frozenset({"write", "save", "put", "upsert", "push", "store"})
_TEXTS = (("text",), ("content",))
_ADDING = frozenset({"append", "invite", "add", "attach", "post", "submit", "send", "agregar"})


def without_additions(drafts: Sequence[Sketch], near: Neighbours) -> list[Sketch]:
    """Return the tools again, those that add to a thing, take out of it or send it no longer among those that make or delete one."""

    def read_again(draft: Sketch) -> Sketch:
        return replace(draft, kind="update" if draft.phrase.verb in EFFECTS else "other") if _adds(draft, drafts, near) else draft

    return [read_again(draft) for draft in drafts]


def _adds(draft: Sketch, drafts: Sequence[Sketch], near: Neighbours) -> bool:
    """Whether a tool names a thing that is there already: as what it adds to, or by the id that another tool gave it."""
    if draft.kind not in ("create", "delete") or draft.hint.kind is not None or draft.children or draft.unnamed:
        return False
    verb = draft.phrase.verb
    if not draft.phrase.nouns and draft.phrase.container:
        into = draft.argument(own_name(draft, near.names))
        return verb not in _WRITING or into is None or into.snake.endswith("_id")
    if draft.kind == "delete":
        return False
    if draft.phrase.nouns[-1:] in _TEXTS and not {"get", "list"} & near.kinds.get(draft.resource, set()):  # insert_text
        return True
    named = draft.argument(own_name(draft, near.names))
    if named is None or (draft.phrase.upserts and verb != "push"):
        return False
    makers = [other for other in drafts if other is not draft and other.kind == "create" and other.resource == draft.resource]
    if verb in _ADDING and any(other.phrase.verb not in _ADDING for other in makers):
        return True
    return any(not any(a.required and a.snake == named.snake for a in other.arguments) for other in makers)
