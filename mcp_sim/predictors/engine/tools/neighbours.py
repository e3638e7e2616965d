"""What the other tools tell of a tool: what is done to each kind of thing, and by which arguments it is named."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_sim.core.tool_hint import ToolKind
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.arguments import PLACES, Argument, identifying, snake

_FEW = 5
_FOLDERS = frozenset({"directory", "folder"})
_NATURAL = "sku code email isbn slug key handle username login barcode iban ticker symbol name title".split()


def known_kinds(drafts: Sequence[Sketch]) -> dict[str, set[ToolKind]]:
    """Return what is done to each kind of thing."""
    known: dict[str, set[ToolKind]] = {}
    for draft in drafts:
        if draft.resource and draft.kind != "other":
            known.setdefault(draft.resource, set()).add(draft.kind)
    return {resource: kinds for resource, kinds in known.items() if kinds != {"update"}}  # set_price: a price is no kind of thing


@dataclass(frozen=True)
class Neighbours:
    """What the other tools tell: what is done to each kind of thing, by which arguments it is named, and what it is made of.

    `everywhere` are the arguments that say where nearly all of the tools work, if they are told.
    `natural` is the field that a thing is known by where no argument is called its id (a `sku`); `places` are the arguments that say
    where things of a kind are, whatever they are called.
    """

    kinds: Mapping[str, set[ToolKind]]
    names: Mapping[str, list[Argument]]
    fields: Mapping[str, set[str]]
    natural: Mapping[str, str] = field(default_factory=dict)
    everywhere: frozenset[str] = frozenset()
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
        return cls(kinds, identifiers(sketches, kinds, natural), fields, natural, _everywhere(sketches), places)

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


def _everywhere(sketches: Sequence[Sketch]) -> frozenset[str]:
    """The optional arguments that most tools have and that say where they work: the folder of a repository."""
    counts = Counter(a.name for sketch in sketches for a in sketch.arguments if a.snake in PLACES and a.is_scalar and not a.required)
    return frozenset(name for name, count in counts.items() if len(sketches) >= _FEW and count * 3 > len(sketches) * 2)


def natural_names(sketches: Sequence[Sketch], kinds: Mapping[str, set[ToolKind]]) -> dict[str, str]:
    """Return the fields that things are known by where no argument is called their id.

    Such a field must be sent to make one and to read, change or delete one, and is not asked for in a listing.
    """
    places = common_places(sketches)
    found: dict[str, str] = {}
    for resource, every in _made(sketches).items():
        own = [sketch for sketch in every if not sketch.children]
        users = [
            sketch
            for sketch in own
            if sketch.kind in ("get", "update", "delete") and _naming(sketch, kinds, {}) is None and _required(sketch)
        ]
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
    if len(required) == 1 and not alone and "list" in kinds.get(sketch.resource, ()):  # all items of an order, and no one of them
        return None
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


def _is_called(argument: Argument) -> bool:
    return argument.snake.endswith(("_name", "_title"))


def _is_numbered(argument: Argument) -> bool:
    return argument.snake.endswith(("_id", "_number", "_uuid", "_gid", "_iid"))


def own_name(draft: Sketch, peers: Mapping[str, list[Argument]]) -> str | None:
    """Return the argument by which the caller names the thing that a tool makes: the one that the other tools know it by."""
    if draft.children:
        return None
    nouns = (draft.resource, draft.resource.split("_")[-1])
    if nouns[1] in _FOLDERS:
        return next((argument.name for argument in draft.arguments if argument.required and argument.snake == "path"), None)
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
            alike = argument.concept == peer.concept and bool(peer.concept) and not (_is_called(argument) and _is_numbered(peer))
            same = argument.snake == peer.snake or alike
            by_name = argument.snake == "name" and (
                peer.snake.endswith(("name", "slug")) or (peer.concept == peer.snake == draft.resource and not peer.is_id)
            )
            if argument.required and argument.is_scalar and not argument.role and (same or by_name):
                return argument.name
    if any(peer.snake.endswith(("_name", "_title")) for peer in peers.get(draft.resource, ())):
        return next((a.name for a in draft.arguments if a.required and a.snake in ("name", "title", "content", "summary", "subject")), None)
    return None
