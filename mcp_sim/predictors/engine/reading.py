"""From tools to what they do: each tool is read alone, then in the light of the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.arguments import Argument, arguments_of, concept, identifying, snake
from mcp_sim.predictors.engine.collection import given_collections
from mcp_sim.predictors.engine.understanding import CHANGING, Effect, ToolUnderstanding
from mcp_sim.predictors.engine.vocabulary import EFFECTS, VERBS, Phrase, common_prefix, plural, read_phrase, singular

_DETAILS = frozenset("details detail info information metadata data content contents profile record summary text item".split())
_LISTS = frozenset("history list feed listing log".split())
_MODES = frozenset("action mode operation op command".split())
_USUAL = frozenset("name title status state description body content text assignee priority labels parent".split())
_LANGUAGES = frozenset("sql query expression script code".split())


@dataclass(frozen=True)
class _Draft:
    """A tool while it is being read."""

    tool: ToolSpec
    arguments: tuple[Argument, ...]
    phrase: Phrase
    kind: ToolKind
    resource: str
    hint: ToolHint
    children: bool = False
    unnamed: bool = False

    def argument(self, name: str | None) -> Argument | None:
        return next((argument for argument in self.arguments if argument.name == name), None)


def read_tools(world: World) -> dict[str, ToolUnderstanding]:
    """Return what each tool of the world does, in the order of the tools."""
    names = {tool.name: [word for word in words(tool.name) if word != "api"] for tool in world.tools}
    prefix = common_prefix(list(names.values()))
    drafts = [_draft(tool, names[tool.name], prefix, world.settings.tools.get(tool.name, ToolHint())) for tool in world.tools]
    drafts = _agree_on_resources(drafts)
    known = _known(drafts)
    peers = _peers(drafts)
    read: dict[str, ToolUnderstanding] = {}
    for draft in drafts:
        mode = _mode(draft)
        read[draft.tool.name] = _with_modes(draft, mode, known, world) if mode else _understand(draft, known, peers, world)
    return _settle(read, world)


def _draft(tool: ToolSpec, name: list[str], prefix: tuple[str, ...], hint: ToolHint) -> _Draft:
    rest = name[len(prefix) :] if prefix and tuple(name[: len(prefix)]) == prefix else name
    phrase, unnamed = read_phrase(rest), False
    if not phrase.nouns and rest is not name:  # task_create among task_list and task_get: the prefix is the thing itself
        phrase = replace(phrase, nouns=(*prefix[:-1], singular(prefix[-1])))
        unnamed = True
    arguments = arguments_of(tool)
    kind = phrase.kind
    reads_only = tool.annotations.get("readOnlyHint") is True
    if kind is None:
        kind = "other"
        if not tool.mutates and phrase.nouns:
            kind = "list" if phrase.plural else "get"
    if phrase.nouns == ("search",) and any(argument.role == "text" for argument in arguments):
        kind = "search"
        phrase = replace(phrase, nouns=())
    if kind == "get" and phrase.nouns and phrase.nouns[-1] == "count" and len(phrase.nouns) > 1:
        kind, phrase = "count", replace(phrase, nouns=(*phrase.nouns[:-2], singular(phrase.nouns[-2])))
    if kind == "update" and phrase.verb in ("patch", "append") and phrase.plural:
        kind = "create"
    if kind in CHANGING and reads_only:
        kind = "other"
    resource = phrase.resource
    return _Draft(tool, arguments, phrase, hint.kind or kind, hint.resource or resource, hint, unnamed=unnamed)


def _agree_on_resources(drafts: list[_Draft]) -> list[_Draft]:
    """Give one name to what two tools call differently (`comment` and `issue_comment`, `user` and `user_profile`)."""
    makers = {draft.resource for draft in drafts if draft.kind in ("create", "list", "delete") and draft.resource}
    agreed = []
    for draft in drafts:
        resource, kind = draft.resource, draft.kind
        parts = resource.split("_")
        if draft.hint.resource is None and len(parts) > 1:
            if parts[-1] in _LISTS and kind in ("get", "list"):
                child = _child_of(parts[:-1], drafts)
                resource, kind = (child, "list") if child else (resource, kind)
            elif parts[-1] == "child" and any(other.resource == "_".join(parts[:-1]) for other in drafts):
                agreed.append(replace(draft, resource="_".join(parts[:-1]), children=True))
                continue
            elif parts[-1] in _DETAILS and "_".join(parts[:-1]) in makers:
                resource = "_".join(parts[:-1])
                kind = "get" if kind == "list" and identifying(draft.arguments, resource) else kind
            elif parts[-1] in makers and not any(draft.kind == "create" and draft.resource == resource for draft in drafts):
                resource = parts[-1] if len(parts) == 2 and _belongs(parts[0], parts[-1], drafts) else resource
        unnamed = draft.phrase.verb == "" and identifying(draft.arguments, resource) is None
        made = any(other.kind == "create" and other.resource == resource for other in drafts)
        if kind == "get" and (_is_listing(draft, resource) or (unnamed and made)):  # git_branch beside git_create_branch
            kind = "list"
        agreed.append(replace(draft, resource=resource, kind=draft.hint.kind or kind))
    return agreed


def _is_listing(draft: _Draft, resource: str) -> bool:
    """Whether a tool named in the singular lists all the same: it has pages, and its identifier is that of something else."""
    named = identifying(draft.arguments, resource)
    pages = any(argument.role in ("page", "offset", "cursor") for argument in draft.arguments)
    return pages and (named is None or (named.concept not in ("", resource, resource.split("_")[-1])))


def _child_of(nouns: list[str], drafts: list[_Draft]) -> str:
    """What is made inside the thing: the message of a channel's history."""
    about = "_".join(nouns)
    return next(
        (
            draft.resource
            for draft in drafts
            if draft.kind == "create" and draft.resource != about and any(a.required and a.concept == about for a in draft.arguments)
        ),
        "",
    )


def _belongs(container: str, resource: str, drafts: list[_Draft]) -> bool:
    return any(draft.resource == resource and any(argument.concept == container for argument in draft.arguments) for draft in drafts)


def _known(drafts: Sequence[_Draft]) -> dict[str, set[ToolKind]]:
    known: dict[str, set[ToolKind]] = {}
    for draft in drafts:
        if draft.resource and draft.kind != "other":
            known.setdefault(draft.resource, set()).add(draft.kind)
    return known


def _peers(drafts: Sequence[_Draft]) -> dict[str, list[Argument]]:
    """The arguments that name one thing of each resource, in the tools that read, change or delete it."""
    peers: dict[str, list[Argument]] = {}
    for draft in drafts:
        if draft.kind in ("get", "update", "delete") and not draft.children:
            named = draft.argument(draft.hint.id) or identifying(draft.arguments, draft.resource)
            if named is not None:
                peers.setdefault(draft.resource, []).append(named)
    return peers


def _own_name(draft: _Draft, peers: Mapping[str, list[Argument]]) -> str | None:
    """The argument by which the caller names the thing that a tool makes: the one that the other tools know it by."""
    if draft.children:
        return None
    nouns = (draft.resource, draft.resource.split("_")[-1])
    if draft.resource not in peers:
        for argument in draft.arguments:
            if (
                argument.required
                and argument.is_scalar
                and argument.concept in nouns
                and snake(argument.name) in (*nouns, f"{nouns[1]}_name")
            ):
                return argument.name
    for peer in peers.get(draft.resource, ()):
        for argument in draft.arguments:
            same = argument.snake == peer.snake or (argument.concept == peer.concept and bool(peer.concept))
            by_name = argument.snake == "name" and (peer.snake.endswith(("name", "slug")) or peer.concept == peer.snake == draft.resource)
            if argument.required and argument.is_scalar and not argument.role and (same or by_name):
                return argument.name
    return None


def _mode(draft: _Draft) -> Argument | None:
    if draft.hint.kind is not None:
        return None
    for argument in draft.arguments:
        if argument.snake in _MODES and any(_mode_verb(value) for value in argument.enum):
            return argument
    return None


def _mode_verb(value: object) -> str:
    parts = words(value) if isinstance(value, str) else []
    return parts[0] if len(parts) == 1 and (parts[0] in VERBS or parts[0] in EFFECTS) else ""


def _with_modes(draft: _Draft, mode: Argument, known: Mapping[str, set[ToolKind]], world: World) -> ToolUnderstanding:
    nouns = draft.phrase.nouns or tuple(draft.resource.split("_"))
    resource = "_".join(nouns)
    reads_only = draft.tool.annotations.get("readOnlyHint") is True
    places = ("path", "repo_path", "cwd", "owner", "repo", "project", "workspace")
    able = [replace(a, required=a.is_scalar) for a in draft.arguments if a is not mode and a.snake not in places]
    named = identifying(able, resource)
    modes = {}
    for value in mode.enum[:30]:
        verb = _mode_verb(value)
        kind: ToolKind = VERBS.get(verb) or ("update" if verb else "other")
        if kind in CHANGING and reads_only:
            kind = "other"
        inner = replace(
            draft,
            kind=kind,
            resource=resource,
            phrase=replace(draft.phrase, verb=verb, kind=kind, container=(), plural=False),
            hint=draft.hint.model_copy(update={"id": draft.hint.id or named.name}) if named else draft.hint,
            arguments=tuple(
                replace(argument, required=True) if argument.snake in places or (named and argument.name == named.name) else argument
                for argument in draft.arguments
                if argument is not mode
            ),
        )
        modes[str(value)] = _understand(
            inner, {**known, resource: {"create", "list", "delete"}}, {resource: [named] if named else []}, world
        )
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="other",
        resource=resource,
        mode=mode.name,
        modes=modes,
        modes_default=str(mode.default) if mode.default is not None else "",
        shape=_shape(draft.tool, world),
        doubts=("what it does hangs on an argument",),
    )


def _understand(draft: _Draft, known: Mapping[str, set[ToolKind]], peers: Mapping[str, list[Argument]], world: World) -> ToolUnderstanding:
    kind, resource, hint, arguments = draft.kind, draft.resource, draft.hint, draft.arguments
    doubts: list[str] = []
    roles = {argument.role: argument.name for argument in reversed(arguments) if argument.role}
    named = hint.id
    if named is None and kind in ("get", "update", "delete"):
        named = _name(identifying(arguments, resource)) or (_last_identifier(arguments) if kind != "get" else None)
    elif named is None and kind == "create":
        named = _own_name(draft, peers)
    elif kind not in ("get", "update", "delete", "create"):
        named = None
    batch = _batch(draft) if named is None or kind == "create" else None
    member, members = _membership(draft, known)
    if member and kind in ("create", "delete", "update"):
        whole = next((a for a in reversed(arguments) if a.required and a.concept in known and a.is_scalar and a.name != members), None)
        if whole is not None:
            kind = "add-member" if draft.phrase.verb in ("add", "assign") else "remove-member" if kind == "delete" else "update"
            named, resource = whole.name, whole.concept
            if kind == "update":
                member = members = None
    effect = EFFECTS.get(draft.phrase.verb)
    listing = kind in ("list", "search", "count")
    rest = [a for a in arguments if a.name not in (named, batch, members)]
    if hint.parents is not None:
        parents = list(hint.parents)
    elif listing:
        parents = [a.name for a in rest if a.required and a.is_scalar and a.role == "" and not a.enum]
    else:
        parents = [a.name for a in rest if a.required and a.is_scalar and (a.names_a_thing or _is_parent(a, draft, known))]
        if kind == "create":
            parents = [name for name in parents if snake(name) not in ("name", "key", "slug", "path", "number")]
    filters = [a.name for a in rest if a.name not in parents and a.role in ("", "control")] if listing else []
    wrapper = next((a.name for a in rest if a.wraps or (a.snake == resource and "object" in a.types)), None)
    fields = (
        [a.name for a in rest if a.name not in parents and a.name != wrapper and not a.is_control]
        if kind in ("create", "update", "add-member", "remove-member")
        else []
    )
    problem = _problem(kind, draft, named or batch, [*fields, *([wrapper] if wrapper else [])], effect is not None, known)
    if problem:
        doubts.append(problem)
        kind = "other"
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind=kind,
        resource=resource,
        verb=draft.phrase.verb,
        id=named,
        ids=batch if kind != "create" else None,
        items=batch if kind == "create" else None,
        parents=tuple(parents),
        fields=hint.fields if hint.fields is not None else tuple(fields),
        wrapper=wrapper,
        filters=hint.filters if hint.filters is not None else tuple(filters),
        text=roles.get("text") if listing else None,
        page=roles.get("page") if listing else None,
        size=roles.get("size") if listing else None,
        offset=roles.get("offset") if listing else None,
        cursor=roles.get("cursor") if listing else None,
        sort=roles.get("sort") if listing else None,
        direction=roles.get("direction") if listing else None,
        member=member,
        members=members,
        effect=Effect(flags=effect[0], word=effect[1]) if effect and kind == "update" else None,
        upserts=draft.phrase.upserts and kind == "create",
        idempotent=draft.tool.annotations.get("idempotentHint") is True,
        shape=_shape(draft.tool, world),
        doubts=tuple(doubts),
    )


def _name(argument: Argument | None) -> str | None:
    return None if argument is None else argument.name


def _last_identifier(arguments: Sequence[Argument]) -> str | None:
    required = [argument for argument in arguments if argument.required and not argument.role and argument.is_scalar]
    return required[-1].name if required and all(argument.names_a_thing for argument in required) else None


def _batch(draft: _Draft) -> str | None:
    """The argument that names or holds many things at once."""
    many = "children" if draft.children else plural(draft.resource.rsplit("_", maxsplit=1)[-1])
    for argument in draft.arguments:
        if "array" not in argument.types:
            continue
        items = argument.schema.get("items")
        holds_objects = isinstance(items, dict) and (
            items.get("type") == "object" or not {"$ref", "properties", "anyOf", "oneOf"}.isdisjoint(items)
        )
        if draft.kind == "create" and holds_objects and argument.required and argument.snake in (many, "items", plural(draft.resource)):
            return argument.name
        if draft.kind == "delete" and argument.required and not holds_objects:
            return argument.name
    return None


def _membership(draft: _Draft, known: Mapping[str, set[ToolKind]]) -> tuple[str | None, str | None]:
    """Which list inside a thing a tool adds to or removes from, and the argument that says what: labels of an issue."""
    if draft.phrase.verb not in ("add", "remove", "assign", "unassign", "set", "delete") or not draft.phrase.nouns:
        return None, None
    noun = draft.phrase.nouns[-1]
    for argument in draft.arguments:
        scalars = "array" in argument.types and not isinstance(_items(argument).get("properties"), dict)
        if argument.required and scalars and argument.snake in (noun, plural(noun)) and known.get(noun, set()) & {"create"} == set():
            return plural(noun), argument.name
    return None, None


def _items(argument: Argument) -> dict[str, object]:
    items = argument.schema.get("items")
    return items if isinstance(items, dict) else {}


def _is_parent(argument: Argument, draft: _Draft, known: Mapping[str, set[ToolKind]]) -> bool:
    """Whether an argument without the ending of an identifier names what the thing belongs to all the same: `owner`, `repo`."""
    return argument.snake in ("owner", "repo", "org", "workspace", "project", "namespace", "repo_path") or (
        argument.concept in known and argument.concept != draft.resource and not argument.enum and draft.kind != "update"
    )


def _problem(
    kind: ToolKind, draft: _Draft, named: str | None, fields: Sequence[str], has_effect: bool, known: Mapping[str, set[ToolKind]]
) -> str:
    """Why the tool cannot be followed, in a sentence; the empty string if it can."""
    kinds = known.get(draft.resource, set())
    if kind == "other":
        return "no verb that code can follow" if not draft.phrase.verb else "the verb says nothing that code can follow"
    if not draft.resource and kind != "search":
        return "no noun that says what it is about"
    if draft.hint.kind is not None:
        return ""
    if draft.unnamed and named is not None and snake(named) in ("path", "url", "endpoint"):
        return "what it is about hangs on an argument"
    required = [argument for argument in draft.arguments if argument.required]
    if kind == "list" and any("array" in a.types and not a.role for a in required):
        return "it asks for several by name"
    if kind in ("create", "update", "get", "list") and required and all(a.snake in _LANGUAGES for a in required):
        return "its argument is written in a language of its own"
    if kind in ("add-member", "remove-member"):
        return ""
    if kind in ("get", "delete", "update"):
        if named is None:
            return "no argument names one of them"
        about = concept(named)
        if not kinds & {"create", "list", "delete"} and about and about != draft.resource:
            return f"nothing else is known of the {draft.resource.replace('_', ' ')}"
    if kind == "update" and not fields and not has_effect:
        return "nothing says what it changes"
    if kind == "create" and not draft.arguments:
        return "nothing says what it makes"
    if kind == "search" and not kinds & {"create", "get", "list", "update", "delete"} and draft.resource:
        return f"nothing else is known of the {draft.resource.replace('_', ' ')}"
    return ""


def _settle(read: dict[str, ToolUnderstanding], world: World) -> dict[str, ToolUnderstanding]:
    """Judge each tool in the light of the others: one that nothing else confirms is better left alone, and then confirms nothing either."""
    for _ in range(3):
        kinds: dict[str, set[ToolKind]] = {}
        for tool in read.values():
            for meant in tool.modes.values() if tool.modes else (tool,):
                if meant.kind != "other":
                    kinds.setdefault(meant.resource, set()).add(meant.kind)
        given = {singular(snake(name)) for name in given_collections(world.first_state)}
        for tool in read.values():
            if tool.kind in ("create", "list"):
                given |= {about for name in tool.parents if (about := concept(name)) != tool.resource}
        settled = {name: _settled(tool, list(read.values()), kinds, given, world) for name, tool in read.items()}
        if settled == read:
            break
        read = settled
    return read


def _settled(
    tool: ToolUnderstanding, tools: list[ToolUnderstanding], kinds: Mapping[str, set[ToolKind]], given: set[str], world: World
) -> ToolUnderstanding:
    if tool.modes:
        modes = {mode: _settled(meant, tools, kinds, given, world) for mode, meant in tool.modes.items()}
        return tool.model_copy(update={"modes": modes})
    hinted = world.settings.tools.get(tool.tool, ToolHint()).kind is not None
    if tool.kind == "other" or hinted:
        return tool
    siblings = [other for other in tools if other.resource == tool.resource and other.kind != "other" and other is not tool]
    if tool.kind == "update" and not tool.fields and not tool.wrapper and tool.verb == "close" and "create" in kinds[tool.resource]:
        fields = {snake(name) for other in siblings for name in (*other.fields, *other.filters)}
        if not fields & {"state", "status", "closed"}:  # a page, a tab: what is closed is gone
            return tool.model_copy(update={"kind": "delete", "effect": None})
    doubt = _doubt(tool, siblings, kinds, given)
    return tool.model_copy(update={"kind": "other", "doubts": (doubt,)}) if doubt else tool


def _doubt(tool: ToolUnderstanding, siblings: list[ToolUnderstanding], kinds: Mapping[str, set[ToolKind]], given: set[str]) -> str:
    thing = tool.resource.replace("_", " ")
    own = kinds.get(tool.resource, set())
    if tool.kind in ("add-member", "remove-member"):
        return ""
    if tool.kind == "search" and not tool.resource:
        return "" if any("list" in have or "get" in have for have in kinds.values()) else "there is nothing to search"
    if tool.resource not in given and (len(own) < 2 or not own & {"get", "list", "search"}):
        return f"nothing else is known of the {thing}"
    if tool.kind in ("list", "search") and _lists_inside_one(tool, siblings):
        return f"it lists what is inside one {thing}"
    if tool.kind == "update" and not tool.effect and not tool.wrapper:
        made = {snake(name) for other in siblings if other.kind == "create" for name in other.fields}
        changed = {snake(name) for name in tool.fields}
        if made and not changed & (made | _USUAL) and not any(name.startswith("new_") for name in changed):
            return f"what it changes is nothing that a {thing} is made with"
    return ""


def _lists_inside_one(tool: ToolUnderstanding, siblings: list[ToolUnderstanding]) -> bool:
    """Whether the things listed are not the resource itself (what is in a directory), but neither its own kind (blocks in a block)."""
    named = {snake(other.id) for other in siblings if other.id} | {
        snake(name) for other in siblings if other.kind == "create" for name in other.fields
    }
    nested = any(other.kind == "create" and other.parents == tool.parents for other in siblings)
    return not nested and any(snake(name) in named for name in tool.parents)


def _shape(tool: ToolSpec, world: World) -> str:
    if isinstance(tool.output_schema, dict):
        return "output schema"
    examples = world.demonstrations_by_tool.get(tool.name, ())
    return "demonstration" if any(not example.observation.is_error for example in examples) else "resource"
