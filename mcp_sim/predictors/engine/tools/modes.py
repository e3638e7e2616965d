"""Tools that do one thing or another by the value of an argument: `git_branch(mode="create")`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import PLACES, Argument, identifying
from mcp_sim.predictors.engine.words.understanding import CHANGING
from mcp_sim.predictors.engine.words.vocabulary import EFFECTS, VERBS

_MODES = frozenset("action mode operation op command".split())
_TAKING = frozenset({"pop"})
_PLACING = frozenset({"select", "switch", "focus", "clear"})
_SPOKEN = re.compile(r"((?:[\w-]+(?:\s*[/,]\s*|\s+(?:or|and)\s+))*[\w-]+)\s+(?:mode|operation|action)s?\b", re.IGNORECASE)
_ABOUT_ONE = frozenset({"get", "update", "delete"})
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
    known = VERBS.keys() | EFFECTS.keys() | _TAKING
    placed = any(argument.is_position for argument in arguments)
    return parts[0] if parts and whole and (parts[0] in known or (placed and parts[0] in _PLACING)) else ""


def sketch_modes(draft: Sketch, mode: Argument, near: Neighbours) -> tuple[str, dict[str, tuple[Sketch, Neighbours]]]:
    """Return what a tool is about, and for each value of the argument that decides a sketch of what it then does, with its neighbours."""
    resource = "_".join(draft.phrase.nouns or tuple(draft.resource.split("_")))
    reads_only = draft.tool.annotations.get("readOnlyHint") is True
    values = [value for value in mode.enum[:_MOST] if isinstance(value, str)]
    places = tuple(argument.name for argument in draft.arguments if argument.snake in PLACES and argument.is_scalar)
    able = [replace(a, required=True) for a in draft.arguments if a is not mode and a.name not in places and a.is_scalar]
    named = identifying(able, resource) or next((a for a in able if a.snake.removesuffix("_ref") == resource or a.snake == "index"), None)
    placed = named is not None and named.is_position
    found = {}
    for value in values:
        verb = _mode_verb(value, draft.arguments)
        kind = _kind_of(verb, placed=placed, reads_only=reads_only)
        own = [a for a in draft.arguments if a is not mode and (a.name in places or _belongs(a, value, values))]
        chosen = named if named is not None and (kind in _ABOUT_ONE or (kind == "create" and not placed and _has(own, named))) else None
        if placed:  # what is made has the place that it gets, and choosing keeps nothing
            own = [a for a in own if a.name in places or (kind == "create" and named is not None and a.name != named.name)]
            chosen = None if verb == "clear" else chosen
        if chosen is not None:
            own = [replace(a, required=a.required or a.name in places) for a in own if a.name != chosen.name]
            own.insert(0, replace(chosen, required=True))
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


def _kind_of(verb: str, *, placed: bool, reads_only: bool) -> ToolKind:
    kind: ToolKind = "delete" if verb in _TAKING else VERBS.get(verb) or ("update" if verb else "other")
    if placed and verb in ("close", "clear"):
        kind = "delete"
    return "other" if kind in CHANGING and reads_only else kind


def _has(arguments: Sequence[Argument], one: Argument) -> bool:
    return any(argument.name == one.name for argument in arguments)


def _hint(hint: ToolHint, named: Argument | None, places: tuple[str, ...]) -> ToolHint:
    said: dict[str, JSON] = {"id": hint.id or (named.name if named else None), "parents": places if hint.parents is None else hint.parents}
    return hint.model_copy(update=said)


def _belongs(argument: Argument, value: str, values: Sequence[str]) -> bool:
    """Whether an argument is for a mode: its description names this one, or none."""
    named = {word.lower() for said in _SPOKEN.findall(argument.description[:1000]) for word in re.findall(r"[\w-]+", said)}
    spoken_of = {other for other in values if other.lower() in named}
    return not spoken_of or value in spoken_of
