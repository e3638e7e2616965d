"""Tools that pass a path on to a REST interface (`jira_get`, `jira_post`): what they do is told by method and path at each call."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import State, lookup
from mcp_sim.core.tool_hint import ToolKind
from mcp_sim.predictors.engine.resources.ids import IdStyle
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import singular

_VERSION = re.compile(r"^(?:rest|api|v?\d+(?:\.\d+)*|latest|wiki)$", re.IGNORECASE)
_NOUN = re.compile(r"^[A-Za-z][A-Za-z_-]{1,40}$")
_METHODS: dict[str, tuple[ToolKind, ToolKind]] = {
    "get": ("get", "list"),
    "post": ("other", "create"),
    "put": ("update", "other"),
    "patch": ("update", "other"),
    "delete": ("delete", "other"),
}
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Route:
    """A path read: nouns and the ids between them. A path that ends in an id means one thing, else all of a kind."""

    nouns: tuple[str, ...]
    ids: tuple[str, ...]

    @classmethod
    def of(cls, path: JSON) -> "Route | None":
        """Read a path; `None` where its segments are not nouns and ids by turns."""
        if not isinstance(path, str) or len(path) > 2000:
            return None
        segments = [unquote(segment) for segment in path.split("?")[0].split("/") if segment]
        while segments and _VERSION.match(segments[0]):
            segments.pop(0)
        nouns, ids = segments[::2], segments[1::2]
        if not nouns or len(nouns) > _DEEPEST or not all(_NOUN.match(noun) for noun in nouns):
            return None
        return cls(tuple(_one(noun) for noun in nouns), tuple(ids))

    @property
    def is_item(self) -> bool:
        """Whether it means one thing."""
        return len(self.nouns) == len(self.ids)

    def gone(self, state: State) -> tuple[str, str] | None:
        """Return the noun and id of what the thing is part of and what was deleted, `None` if all of it is there."""
        for depth in range(min(len(self.nouns) - 1, len(self.ids))):
            kind = "_".join(self.nouns[max(depth - 1, 0) : depth + 1])
            parent = "/".join(quote(own, safe="") for own in self.ids[:depth])
            if lookup(state, "entities", kind, "within", parent, "deleted", self.ids[depth]):
                return self.nouns[depth], self.ids[depth]
        return None

    @property
    def resource(self) -> str:
        """The name of the kind of thing: with what it is part of before it."""
        return "_".join(self.nouns[-2:])


def _one(noun: str) -> str:
    head, _, last = snake(noun).rpartition("_")
    return f"{head}_{singular(last)}" if head else singular(last)


def method_of(verb: str) -> str:
    """Return the HTTP method that a verb names, or the empty string."""
    return verb if verb in _METHODS else ""


def route_key(method: str, path: JSON) -> str:
    """Return what tells apart the forms of a tool's answers: method, kind of thing, and whether it is one or all."""
    route = Route.of(path)
    return "" if route is None else f"{method} {'/'.join(route.nouns)}{'/*' if route.is_item else ''}"


def meant_by(tool: ToolUnderstanding, arguments: dict[str, JSON]) -> tuple[ToolUnderstanding, Resource, dict[str, JSON]] | None:
    """Return what a call means, what it is about, and its arguments with the ids in the path among them; `None` if it cannot be told."""
    route = Route.of(arguments.get(tool.rest_path))
    if route is None:
        return None
    kind = _METHODS[tool.rest][0 if route.is_item else 1]
    if kind == "other":
        return None
    inside = route.nouns[:-1]
    keys = tuple(f"{noun}_id" for noun in inside)
    values: dict[str, JSON] = dict(zip(keys, route.ids, strict=False))
    meaning = tool.model_copy(
        update={
            "kind": kind,
            "resource": route.resource,
            "id": "id" if route.is_item else None,
            "parents": keys,
            "fields": (),
            "doubts": (),
        }
    )
    resource = Resource(
        name=route.resource,
        scope=inside,
        scope_keys=keys,
        id_key="id",
        style=IdStyle("large-number", "10001"),
        wide=False,
        named=False,
        group=(route.resource,),
        fields={},
        filters=frozenset(),
        examples=(),
        camel=True,
        links=(),
        tools=(meaning,),
    )
    return meaning, resource, {**arguments, **values, **({"id": route.ids[-1]} if route.is_item else {})}
