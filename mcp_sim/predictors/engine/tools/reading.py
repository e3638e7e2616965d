"""From tools to what they do: each tool is read alone, then in the light of the others."""

from collections.abc import Mapping

from mcp_sim.core.tool_hint import ToolKind
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.tools.additions import without_additions
from mcp_sim.predictors.engine.tools.batching import batch_argument, made_in_batches, members_in_batches, named_argument
from mcp_sim.predictors.engine.tools.counting import count_up_or_down
from mcp_sim.predictors.engine.tools.doubts import problem_of, settle
from mcp_sim.predictors.engine.tools.filing import file_change_of, folder_of
from mcp_sim.predictors.engine.tools.modes import mode_argument, sketch_modes
from mcp_sim.predictors.engine.tools.neighbours import Neighbours, own_name
from mcp_sim.predictors.engine.tools.overviews import overview_of
from mcp_sim.predictors.engine.tools.rest import method_of
from mcp_sim.predictors.engine.tools.setting import field_set
from mcp_sim.predictors.engine.tools.sketch import Sketch, sketch_tools
from mcp_sim.predictors.engine.tools.statements import states
from mcp_sim.predictors.engine.words.arguments import Argument, concept, snake
from mcp_sim.predictors.engine.words.understanding import Effect, ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import EFFECTS, plural

_LOGGED = frozenset({"commit"})


def read_tools(world: World) -> dict[str, ToolUnderstanding]:
    """Return what each tool of the world does, in the order of the tools."""
    drafts = sketch_tools(world)
    drafts = without_additions(drafts, Neighbours.of(drafts))
    near = Neighbours.of(drafts)
    made = made_in_batches(drafts, near)
    read: dict[str, ToolUnderstanding] = {}
    for draft in drafts:
        mode = mode_argument(draft)
        if mode is not None:
            read[draft.tool.name] = _with_modes(draft, mode, near, world)
            continue
        special = (
            field_set(draft, near, drafts)
            or count_up_or_down(draft, near, drafts)
            or members_in_batches(draft, near)
            or overview_of(draft, made)
            or states(draft, near)
            or folder_of(draft, near)
            or file_change_of(draft, near)
        )
        read[draft.tool.name] = special or _understand(draft, near, world)
    return settle(read, world)


def _with_modes(draft: Sketch, mode: Argument, near: Neighbours, world: World) -> ToolUnderstanding:
    resource, sketches = sketch_modes(draft, mode, near)
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="other",
        resource=resource,
        mode=mode.name,
        modes={value: _understand(inner, beside, world) for value, (inner, beside) in sketches.items()},
        modes_default=str(mode.default) if mode.default is not None else "",
        shape=_shape(draft.tool, world),
        doubts=("what it does hangs on an argument",),
    )


def _understand(draft: Sketch, near: Neighbours, world: World) -> ToolUnderstanding:
    kind, resource, hint, arguments = draft.kind, draft.resource, draft.hint, draft.arguments
    doubts: list[str] = []
    named = _id(draft, near)
    asked = named_argument(draft, near) if kind == "list" and hint.kind is None else None
    kind = "get" if asked is not None else kind
    several = asked or batch_argument(draft) if named is None or kind == "create" else None
    batch = _name(several)
    holds = several is not None and several.holds_objects
    known = near.kinds
    member, members = _membership(draft, near)
    if member and kind in ("create", "delete", "update"):
        whole = next((a for a in reversed(arguments) if a.required and a.is_scalar and a.name != members and _whole(a, known)), None)
        if whole is not None:
            kind = "add-member" if draft.phrase.verb in ("add", "assign") else "remove-member" if kind == "delete" else "update"
            named, resource = whole.name, _whole(whole, known)
            if kind == "update":
                member = members = None
    effect = EFFECTS.get(draft.phrase.verb)
    listing = kind in ("list", "search", "count")
    roles = {argument.role: argument.name for argument in reversed(arguments) if argument.role and listing}
    rest = [a for a in arguments if a.name not in (named, batch, members)]
    parents = _places(draft, near, kind, resource, rest)
    if hint.parents is None and named not in near.everywhere:
        parents = [*(a.name for a in rest if a.name in near.everywhere and a.name not in parents), *parents]
    filters = [a.name for a in rest if a.name not in parents and a.role in ("", "control")] if listing else []
    wrapper = next((a.name for a in rest if a.wraps or (a.snake == resource and "object" in a.types)), None)
    fields = (
        [a.name for a in rest if a.name not in parents and a.name != wrapper and not a.is_control]
        if kind in ("create", "update", "add-member", "remove-member")
        else []
    )
    problem = problem_of(kind, draft, named or batch, [*fields, *([wrapper] if wrapper else [])], effect is not None, known)
    passes_on = method_of(draft.phrase.verb) if draft.unnamed and named is not None and snake(named) == "path" else ""
    if problem:
        doubts.append(problem)
        kind = "other"
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind=kind,
        resource=resource,
        verb=draft.phrase.verb,
        id=named,
        ids=None if holds else batch,
        items=batch if holds else None,
        parents=tuple(parents),
        fields=hint.fields if hint.fields is not None else tuple(fields),
        wrapper=wrapper,
        filters=hint.filters if hint.filters is not None else tuple(filters),
        text=roles.get("text"),
        page=roles.get("page"),
        size=roles.get("size"),
        offset=roles.get("offset"),
        cursor=roles.get("cursor"),
        sort=roles.get("sort"),
        direction=roles.get("direction"),
        member=member,
        members=members,
        effect=Effect(flags=effect[0], word=effect[1]) if effect and kind == "update" else None,
        upserts=draft.phrase.upserts and kind == "create",
        newest_first=kind == "list" and not draft.phrase.verb and resource in _LOGGED,
        idempotent=draft.tool.annotations.get("idempotentHint") is True,
        shape=_shape(draft.tool, world),
        doubts=tuple(doubts),
        rest=passes_on,
        rest_path=named or "" if passes_on else "",
    )


def _id(draft: Sketch, near: Neighbours) -> str | None:
    """The argument that names the thing which a tool is about."""
    if draft.kind not in ("get", "update", "delete", "create"):
        return None
    if draft.hint.id is not None:
        return draft.hint.id
    return own_name(draft, near.names) if draft.kind == "create" else _name(near.naming(draft))


def _places(draft: Sketch, near: Neighbours, kind: ToolKind, resource: str, rest: list[Argument]) -> list[str]:
    """The arguments that say what the thing belongs to, outermost first."""
    if draft.hint.parents is not None:
        return list(draft.hint.parents)
    needed = [a for a in rest if a.required and a.is_scalar]
    if kind in ("list", "search", "count"):
        return [a.name for a in needed if a.role == "" and not a.enum and not a.selects]
    parents = [a.name for a in needed if a.names_a_thing or _is_parent(a, draft, near)]
    if draft.phrase.verb == "move":  # where it goes is no place that it is in
        parents = [name for name in parents if concept(name) not in near.kinds]
    return [name for name in parents if not _names_itself(name, resource, near)] if kind == "create" else parents


def _names_itself(name: str, resource: str, near: Neighbours) -> bool:
    """Whether an argument of a tool that makes something says what that is called: `slug`, `branch_name`, `last_name`."""
    bare = snake(name)
    if bare in ("name", "key", "slug", "path", "number"):
        return True
    about, places = concept(name), near.places.get(resource, ())
    others = about in near.kinds or bare in places
    return bare.endswith("_name") and (about in (resource, resource.rpartition("_")[2]) or not others)


def _name(argument: Argument | None) -> str | None:
    return None if argument is None else argument.name


def _membership(draft: Sketch, near: Neighbours) -> tuple[str | None, str | None]:
    """Which list inside a thing a tool adds to or removes from, and the argument that says what: labels of an issue."""
    if draft.phrase.verb not in ("add", "remove", "assign", "unassign", "set", "delete") or not draft.phrase.nouns:
        return None, None
    noun = draft.phrase.nouns[-1]
    wholes = {argument.concept for argument in draft.arguments if argument.required}
    marked = any(a.required and a.names_one in near.kinds and a.snake != noun for a in draft.arguments)
    is_field = any(plural(noun) in near.fields.get(whole, ()) for whole in wholes)
    for argument in draft.arguments:
        several = "array" in argument.types and not argument.parts
        fits = (several and "create" not in near.kinds.get(noun, set())) or ((is_field or marked) and (several or argument.is_scalar))
        if argument.required and fits and argument.snake in (noun, plural(noun), f"{noun}_name"):
            return plural(noun), argument.name
    return None, None


def _whole(argument: Argument, known: Mapping[str, set[ToolKind]]) -> str:
    """The kind of thing that an argument names, by its name or its description."""
    return next((about for about in (argument.names_one, argument.concept) if about in known), "")


def _is_parent(argument: Argument, draft: Sketch, near: Neighbours) -> bool:
    """Whether an argument without the ending of an identifier names what the thing belongs to all the same: `owner`, `repo`."""
    usual = argument.snake in ("owner", "repo", "org", "workspace", "project", "namespace", "repo_path")
    return (
        usual
        or argument.snake in near.places.get(draft.resource, ())
        or (argument.concept in near.kinds and argument.concept != draft.resource and not argument.enum and draft.kind != "update")
    )


def _shape(tool: ToolSpec, world: World) -> str:
    if isinstance(tool.output_schema, dict):
        return "output schema"
    examples = world.demonstrations_by_tool.get(tool.name, ())
    return "demonstration" if any(not example.observation.is_error for example in examples) else "resource"
