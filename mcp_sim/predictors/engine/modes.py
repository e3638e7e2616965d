"""Tools that do one thing or another by the value of an argument: `git_branch(mode="create")`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.arguments import PLACES, Argument, identifying
from mcp_sim.predictors.engine.neighbours import Neighbours
from mcp_sim.predictors.engine.sketch import Sketch
from mcp_sim.predictors.engine.understanding import CHANGING
from mcp_sim.predictors.engine.vocabulary import EFFECTS, VERBS

_MODES = frozenset("action mode operation op command".split())
_TAKING = frozenset({"pop"})
_SPOKEN = re.compile(r"((?:[\w-]+(?:\s*[/,]\s*|\s+(?:or|and)\s+))*[\w-]+)\s+(?:mode|operation|action)s?\b", re.IGNORECASE)
_MOST = 30


def mode_argument(draft: Sketch) -> Argument | None:
    """Return the argument that decides what a tool does, `None` if it has none such."""
    if draft.hint.kind is not None:
        return None
    for argument in draft.arguments:
        if argument.snake in _MODES and any(_mode_verb(value, draft.arguments) for value in argument.enum):
            return argument
    return None


def _mode_verb(value: object, arguments: Sequence[Argument]) -> str:
    """The verb that a value names: `create`, or `set-url` where there is an argument `url`."""
    parts = words(value) if isinstance(value, str) else []
    whole = len(parts) == 1 or (len(parts) == 2 and parts[0] in ("get", "set") and any(a.snake == parts[1] for a in arguments))
    return parts[0] if parts and whole and (parts[0] in VERBS or parts[0] in EFFECTS or parts[0] in _TAKING) else ""


def sketch_modes(draft: Sketch, mode: Argument, near: Neighbours) -> tuple[str, dict[str, tuple[Sketch, Neighbours]]]:
    """Return what a tool is about, and for each value of the argument that decides a sketch of what it then does, with its neighbours."""
    resource = "_".join(draft.phrase.nouns or tuple(draft.resource.split("_")))
    reads_only = draft.tool.annotations.get("readOnlyHint") is True
    values = [value for value in mode.enum[:_MOST] if isinstance(value, str)]
    places = tuple(argument.name for argument in draft.arguments if argument.snake in PLACES and argument.is_scalar)
    able = [replace(a, required=True) for a in draft.arguments if a is not mode and a.name not in places and a.is_scalar]
    named = identifying(able, resource) or next((a for a in able if a.snake.removesuffix("_ref") == resource or a.snake == "index"), None)
    found = {}
    for value in values:
        verb = _mode_verb(value, draft.arguments)
        kind: ToolKind = "delete" if verb in _TAKING else VERBS.get(verb) or ("update" if verb else "other")
        if (kind in CHANGING and reads_only) or (named is not None and named.is_position):
            kind = "other"
        own = [a for a in draft.arguments if a is not mode and (a.name in places or _belongs(a, value, values))]
        chosen = (
            named
            if named is not None and (kind not in ("create", "list", "count", "search") or named.name in {a.name for a in own})
            else None
        )
        if chosen is not None and kind in ("create", "get", "update", "delete"):
            own = [replace(a, required=a.required or a.name in (*places, chosen.name)) for a in own if a.name != chosen.name]
            own.insert(0, replace(chosen, required=True))
        else:
            chosen = None
        kinds: dict[str, set[ToolKind]] = {**near.kinds, resource: {"create", "list", "delete"}}
        sketch = replace(
            draft,
            kind=kind,
            resource=resource,
            phrase=replace(draft.phrase, verb=verb, kind=kind, container=(), plural=False),
            hint=_hint(draft.hint, chosen, places),
            arguments=tuple(own),
        )
        found[value] = (sketch, Neighbours(kinds, {resource: [named] if named else []}, near.fields))
    return resource, found


def _hint(hint: ToolHint, named: Argument | None, places: tuple[str, ...]) -> ToolHint:
    said: dict[str, JSON] = {"id": hint.id or (named.name if named else None), "parents": places if hint.parents is None else hint.parents}
    return hint.model_copy(update=said)


def _belongs(argument: Argument, value: str, values: Sequence[str]) -> bool:
    """Whether an argument is for a mode: its description names this one, or none."""
    named = {word.lower() for said in _SPOKEN.findall(argument.description[:1000]) for word in re.findall(r"[\w-]+", said)}
    spoken_of = {other for other in values if other.lower() in named}
    return not spoken_of or value in spoken_of
