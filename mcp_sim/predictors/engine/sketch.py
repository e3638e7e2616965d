"""Tools while they are being read: their names taken apart, and their nouns brought to agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.arguments import Argument, arguments_of, identifying, snake
from mcp_sim.predictors.engine.understanding import CHANGING
from mcp_sim.predictors.engine.vocabulary import Phrase, common_prefix, read_phrase, singular

_DETAILS = frozenset("details detail info information metadata data content contents profile record summary text item".split())
_NATURAL = "sku code email isbn slug key handle username login barcode iban name title".split()
_LISTS = frozenset("history list feed listing log".split())


@dataclass(frozen=True)
class Sketch:
    """A tool while it is being read. `children` are things of the same kind inside one; `unnamed` has no noun but the server's name."""

    tool: ToolSpec
    arguments: tuple[Argument, ...]
    phrase: Phrase
    kind: ToolKind
    resource: str
    hint: ToolHint
    children: bool = False
    unnamed: bool = False

    def argument(self, name: str | None) -> Argument | None:
        """Return the argument of that name."""
        return next((argument for argument in self.arguments if argument.name == name), None)


def sketch_tools(world: World) -> list[Sketch]:
    """Return the tools of a world taken apart, in their order, with one noun for each kind of thing."""
    names = {tool.name: [word for word in words(tool.name) if word != "api"] for tool in world.tools}
    prefix = common_prefix(list(names.values()))
    sketches = [_draft(tool, names[tool.name], prefix, world.settings.tools.get(tool.name, ToolHint())) for tool in world.tools]
    return _agree_on_resources(sketches)


def _draft(tool: ToolSpec, name: list[str], prefix: tuple[str, ...], hint: ToolHint) -> Sketch:
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
    return Sketch(tool, arguments, phrase, hint.kind or kind, hint.resource or resource, hint, unnamed=unnamed)


def _agree_on_resources(drafts: list[Sketch]) -> list[Sketch]:
    """Give one name to what two tools call differently (`comment` and `issue_comment`, `user` and `user_profile`)."""
    makers = {draft.resource for draft in drafts if draft.kind in ("create", "list", "delete") and draft.resource}
    counts = Counter(draft.resource for draft in drafts)
    drafts = [_without_container(draft, counts) for draft in drafts]
    named = {draft.resource for draft in drafts}
    created = {draft.resource for draft in drafts if draft.kind == "create"}
    inside = {(argument.concept, draft.resource) for draft in drafts for argument in draft.arguments}
    made_in: dict[str, list[str]] = {}
    for draft in drafts:
        for about in {argument.concept for argument in draft.arguments if argument.required} if draft.kind == "create" else ():
            made_in.setdefault(about, []).append(draft.resource)
    agreed = []
    for draft in drafts:
        resource, kind = draft.resource, draft.kind
        parts = resource.split("_")
        if draft.hint.resource is None and len(parts) > 1:
            if parts[-1] in _LISTS and kind in ("get", "list"):
                about = "_".join(parts[:-1])
                child = next((made for made in made_in.get(about, ()) if made != about), "")  # the message of a channel's history
                resource, kind = (child, "list") if child else (resource, kind)
            elif parts[-1] == "child" and "_".join(parts[:-1]) in named:
                agreed.append(replace(draft, resource="_".join(parts[:-1]), children=True))
                continue
            elif parts[-1] in _DETAILS and "_".join(parts[:-1]) in makers:
                resource = "_".join(parts[:-1])
                kind = "get" if kind == "list" and identifying(draft.arguments, resource) else kind
            elif parts[-1] in makers and resource not in created:
                resource = parts[-1] if len(parts) == 2 and (parts[0], parts[-1]) in inside else resource
        unnamed = draft.phrase.verb == "" and identifying(draft.arguments, resource) is None
        if kind == "get" and (_is_listing(draft, resource) or (unnamed and resource in created)):  # git_branch beside git_create_branch
            kind = "list"
        agreed.append(replace(draft, resource=resource, kind=draft.hint.kind or kind))
    return agreed


def _without_container(draft: Sketch, counts: Mapping[str, int]) -> Sketch:
    """A card that is added to a list is the card that other tools speak of; `counts` says how many speak of each thing."""
    plain = "_".join(draft.phrase.nouns)
    is_alone = counts[draft.resource] == 1 and plain != draft.resource
    if draft.hint.resource is None and draft.phrase.container and is_alone and counts.get(plain):
        return replace(draft, resource=plain)
    return draft


def _is_listing(draft: Sketch, resource: str) -> bool:
    """Whether a tool named in the singular lists all the same: it has pages, and its identifier is that of something else."""
    named = identifying(draft.arguments, resource)
    pages = any(argument.role in ("page", "offset", "cursor") for argument in draft.arguments)
    return pages and (named is None or (named.concept not in ("", resource, resource.split("_")[-1])))


def known_kinds(drafts: Sequence[Sketch]) -> dict[str, set[ToolKind]]:
    """Return what is done to each kind of thing."""
    known: dict[str, set[ToolKind]] = {}
    for draft in drafts:
        if draft.resource and draft.kind != "other":
            known.setdefault(draft.resource, set()).add(draft.kind)
    return known


@dataclass(frozen=True)
class Neighbours:
    """What the other tools tell: what is done to each kind of thing, by which arguments it is named, and what it is made of.

    `natural` is the field that a thing is known by where no argument is called its id (a `sku`); `places` are the arguments that say
    where things of a kind are, whatever they are called.
    """

    kinds: Mapping[str, set[ToolKind]]
    names: Mapping[str, list[Argument]]
    fields: Mapping[str, set[str]]
    natural: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, sketches: Sequence[Sketch]) -> "Neighbours":
        """Look at all tools of a world."""
        kinds = known_kinds(sketches)
        fields: dict[str, set[str]] = {}
        for sketch in sketches:
            if sketch.kind in ("create", "update"):
                own = fields.setdefault(sketch.resource, set())
                own.update(argument.snake for argument in sketch.arguments)
                own.update(part.snake for argument in sketch.arguments if argument.required for part in argument.parts)
        natural, places = natural_names(sketches, kinds), common_places(sketches)
        return cls(kinds, identifiers(sketches, kinds, natural), fields, natural, places)

    def naming(self, sketch: Sketch) -> Argument | None:
        """Return the argument by which a tool that reads, changes or deletes one thing is told which."""
        return _naming(sketch, self.kinds, self.natural)


def _required(sketch: Sketch) -> dict[str, Argument]:
    return {a.snake: a for a in sketch.arguments if a.required and a.is_scalar and not a.role and not a.enum}


def _made(sketches: Sequence[Sketch]) -> dict[str, list[Sketch]]:
    """The tools of each kind of thing that can be made."""
    found: dict[str, list[Sketch]] = {}
    for sketch in sketches:
        found.setdefault(sketch.resource, []).append(sketch)
    return {resource: own for resource, own in found.items() if any(sketch.kind == "create" for sketch in own)}


def common_places(sketches: Sequence[Sketch]) -> dict[str, frozenset[str]]:
    """Return the arguments that whoever lists, makes or reads things of a kind must give: they say where the things are."""
    found: dict[str, frozenset[str]] = {}
    for resource, own in _made(sketches).items():
        listings = [set(_required(sketch)) for sketch in own if sketch.kind in ("list", "count")]
        makers = [set(_required(sketch)) for sketch in own if sketch.kind == "create"]
        others = [set(_required(sketch)) for sketch in own if sketch.kind in ("get", "update", "delete")]
        if listings and others:
            found[resource] = frozenset.intersection(*map(frozenset, (*listings, *makers, *others)))
    return found


def natural_names(sketches: Sequence[Sketch], kinds: Mapping[str, set[ToolKind]]) -> dict[str, str]:
    """Return the fields that things are known by where no argument is called their id.

    Such a field must be sent to make one and to read, change or delete one, and is not asked for in a listing.
    """
    places = common_places(sketches)
    found: dict[str, str] = {}
    for resource, every in _made(sketches).items():
        own = [sketch for sketch in every if not sketch.children]
        users = [sketch for sketch in own if sketch.kind in ("get", "update", "delete") and _naming(sketch, kinds, {}) is None]
        makers = [sketch for sketch in own if sketch.kind == "create"]
        if not users or not {"get", "delete"} & {sketch.kind for sketch in users}:
            continue
        shared = [set(_required(sketch)) for sketch in (*users, *makers)]
        listed = {name for sketch in own if sketch.kind in ("list", "count") for name in _required(sketch)}
        texts = {name for name, a in _required(users[0]).items() if "string" in a.types or not a.types}
        common = (set.intersection(*shared) & texts) - places.get(resource, frozenset()) - listed
        common = {name for name in common if _required(users[0])[name].concept not in kinds}
        usual = [name for name in _NATURAL if name in common]
        if usual or len(common) == 1:
            found[resource] = (usual or sorted(common))[0]
    return found


def _naming(sketch: Sketch, kinds: Mapping[str, set[ToolKind]], natural: Mapping[str, str]) -> Argument | None:
    own = (sketch.resource, sketch.resource.split("_")[-1])
    others = frozenset(a.concept for a in sketch.arguments if a.concept in kinds and a.concept not in own)
    named = identifying(sketch.arguments, sketch.resource, others)
    if named is not None:
        return named
    known_by = _required(sketch).get(natural.get(sketch.resource, ""))
    if known_by is not None:
        return known_by
    required = [argument for argument in sketch.arguments if argument.required and not argument.role and argument.is_scalar]
    if not required or not all(argument.names_a_thing for argument in required):
        return None
    alone = len(required) == 1 and required[0].concept not in others
    return required[-1] if alone or sketch.kind in ("update", "delete") else None


def identifiers(drafts: Sequence[Sketch], kinds: Mapping[str, set[ToolKind]], natural: Mapping[str, str]) -> dict[str, list[Argument]]:
    """Return the arguments that name one thing of each resource, in the tools that read, change or delete it."""
    peers: dict[str, list[Argument]] = {}
    for draft in drafts:
        if draft.kind in ("get", "update", "delete") and not draft.children:
            named = draft.argument(draft.hint.id) or _naming(draft, kinds, natural)
            if named is not None:
                peers.setdefault(draft.resource, []).append(named)
    return peers


def own_name(draft: Sketch, peers: Mapping[str, list[Argument]]) -> str | None:
    """Return the argument by which the caller names the thing that a tool makes: the one that the other tools know it by."""
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
    if any(peer.snake.endswith(("_name", "_title")) for peer in peers.get(draft.resource, ())):
        return next((a.name for a in draft.arguments if a.required and a.snake in ("name", "title", "content", "summary", "subject")), None)
    return None
