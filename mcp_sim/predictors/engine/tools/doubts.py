"""Why a tool is better left alone: by itself, and in the light of the others."""

from collections.abc import Mapping, Sequence

from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.kept.collection import given_collections
from mcp_sim.predictors.engine.tools.left_behind import logbooks_of
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import singular

_USUAL = frozenset("name title status state description body content text assignee priority labels parent archived in_trash".split())
_SETTING = frozenset({"assign", "set"})
_SAID_OF = frozenset("comment note reply review".split())
_ENDS = frozenset("source target from to into destination primary secondary duplicate".split())
_LANGUAGES = frozenset("sql query expression script code".split())


def problem_of(
    kind: ToolKind, draft: Sketch, named: str | None, fields: Sequence[str], has_effect: bool, known: Mapping[str, set[ToolKind]]
) -> str:
    """Return why the tool cannot be followed, in a sentence; the empty string if it can."""
    kinds = known.get(draft.resource, set())
    if kind == "other":
        return "no verb that code can follow" if not draft.phrase.verb else "the verb says nothing that code can follow"
    if not draft.resource and kind != "search":
        return "no noun that says what it is about"
    if draft.hint.kind is not None:
        return ""
    if draft.unnamed and named is not None and snake(named) in ("path", "url", "endpoint"):
        return "what it is about hangs on an argument"
    if draft.unnamed and named is not None and concept(named) not in ("", draft.resource, draft.resource.rsplit("_", maxsplit=1)[-1]):
        return "no noun that says what it is about"
    id_argument = draft.argument(named)
    if id_argument is not None and id_argument.is_position and not {"create", "list"} <= kinds:
        return "its id is a place in a list, which moves"
    required = [argument for argument in draft.arguments if argument.required]
    if kind == "list" and any("array" in a.types and not a.role for a in required):
        return "it asks for several by name"
    if kind in ("create", "update", "get", "list") and required and all(a.snake in _LANGUAGES and a.name != named for a in required):
        return "its argument is written in a language of its own"
    if kind in ("add-member", "remove-member"):
        return ""
    if kind in ("get", "delete", "update"):
        if named is None:
            return "" if draft.phrase.verb == "clear" and kind == "delete" and draft.kind == kind else "no argument names one of them"
        about = concept(named)
        if not kinds & {"create", "list", "delete"} and about and about != draft.resource:
            return f"nothing else is known of the {draft.resource.replace('_', ' ')}"
    if kind == "update" and has_effect and named is not None and snake(named).split("_")[0] in _ENDS:
        return "it does something to two at once"
    if kind == "update" and not fields and not has_effect and not (id_argument is not None and id_argument.is_position):
        return "nothing says what it changes"
    if kind == "create" and not draft.arguments:
        return "nothing says what it makes"
    if kind == "search" and not kinds & {"create", "get", "list", "update", "delete"} and draft.resource:
        return f"nothing else is known of the {draft.resource.replace('_', ' ')}"
    return ""


def settle(read: dict[str, ToolUnderstanding], world: World) -> dict[str, ToolUnderstanding]:
    """Judge each tool in the light of the others: one that nothing else confirms is better left alone, and then confirms nothing either."""
    logbooks = logbooks_of(read)
    for _ in range(3):
        kinds: dict[str, set[ToolKind]] = {}
        for tool in read.values():
            for meant in tool.modes.values() if tool.modes else (tool,):
                for shown in (meant.shows or (meant.resource,)) if meant.kind != "other" else ():
                    kinds.setdefault(shown, set()).add(meant.kind)
        given = {singular(snake(name)) for name in given_collections(world.first_state)} | logbooks
        for tool in read.values():
            if tool.kind in ("create", "list"):
                given |= {about for name in tool.parents if (about := concept(name)) != tool.resource}
        tools: dict[str, list[ToolUnderstanding]] = {}
        for tool in read.values():
            if tool.kind != "other":
                tools.setdefault(tool.resource, []).append(tool)
        settled = {name: _settled(tool, tools, kinds, given, world) for name, tool in read.items()}
        if settled == read:
            break
        read = settled
    return read


def _settled(
    tool: ToolUnderstanding,
    tools: Mapping[str, list[ToolUnderstanding]],
    kinds: Mapping[str, set[ToolKind]],
    given: set[str],
    world: World,
) -> ToolUnderstanding:
    if tool.modes:
        modes = {mode: _settled(meant, tools, kinds, given, world) for mode, meant in tool.modes.items()}
        return tool.model_copy(update={"modes": modes})
    hinted = world.settings.tools.get(tool.tool, ToolHint()).kind is not None
    if tool.kind == "other" or hinted:
        return tool
    siblings = [other for other in tools.get(tool.resource, ()) if other is not tool]
    if (
        tool.kind == "update"
        and not tool.counts
        and not tool.fields
        and not tool.wrapper
        and tool.verb == "close"
        and "create" in kinds[tool.resource]
        and not any(other.verb == "reopen" for other in siblings)
    ):
        fields = {snake(name) for other in siblings for name in (*other.fields, *other.filters)}
        if not fields & {"state", "status", "closed"}:  # a page, a tab: what is closed is gone
            return tool.model_copy(update={"kind": "delete", "effect": None})
    doubt = _doubt(tool, siblings, kinds, given)
    return tool.model_copy(update={"kind": "other", "doubts": (doubt,)}) if doubt else tool


def _doubt(tool: ToolUnderstanding, siblings: list[ToolUnderstanding], kinds: Mapping[str, set[ToolKind]], given: set[str]) -> str:
    thing = tool.resource.replace("_", " ")
    own = kinds.get(tool.resource, set())
    if tool.kind in ("add-member", "remove-member") or tool.shows:
        return ""
    if tool.kind == "search" and not tool.resource:
        return "" if any("list" in have or "get" in have for have in kinds.values()) else "there is nothing to search"
    if tool.resource not in given and (len(own) < 2 or not own & {"get", "list", "search"}):
        return "" if _is_said_of_something(tool, kinds) else f"nothing else is known of the {thing}"
    if tool.kind in ("list", "search") and _lists_inside_one(tool, siblings):
        return f"it lists what is inside one {thing}"
    if tool.kind == "update" and not (tool.effect or tool.counts or tool.wrapper or tool.edits or tool.renames or tool.sets or tool.clears):
        made = {snake(name) for other in siblings if other.kind == "create" for name in (*other.parents, *other.fields)}
        changed = {snake(name) for name in tool.fields}
        goes = tool.verb == "move" and any(concept(name) in kinds for name in (*tool.fields, *tool.parents))
        is_told = goes or tool.verb in _SETTING or any(name.startswith("new_") for name in changed)
        if made and not is_told and not changed & (made | _USUAL):
            return f"what it changes is nothing that a {thing} is made with"
    return ""


def _is_said_of_something(tool: ToolUnderstanding, kinds: Mapping[str, set[ToolKind]]) -> bool:
    """Whether the tool makes or lists comments and the like of a thing that other tools make and show."""
    whole, _, part = tool.resource.rpartition("_")
    if tool.kind not in ("create", "list") or part not in _SAID_OF or not tool.parents:
        return False
    return {"create", "get"} <= kinds.get(whole, set())


def _lists_inside_one(tool: ToolUnderstanding, siblings: list[ToolUnderstanding]) -> bool:
    """Whether the things listed are not the resource itself (what is in a directory), but neither its own kind (blocks in a block)."""
    named = {snake(other.id) for other in siblings if other.id} | {
        snake(name) for other in siblings if other.kind == "create" for name in other.fields
    }
    nested = any(other.kind == "create" and other.parents == tool.parents for other in siblings)
    return not nested and any(snake(name) in named for name in tool.parents)
