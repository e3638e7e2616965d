"""What a thing made from another has from it: the files of a branch are those of the branch that it comes from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import lookup
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_ORIGINS = ("from", "source", "base", "parent")
_DEEPEST = 5
_REVEALED = 1_000_000


def origin_in(resource: Resource, arguments: Mapping[str, JSON]) -> str:
    """Return the id of what a new thing is made from, as a call names it (`from_branch`), or the empty string."""
    for name, value in arguments.items():
        first, _, rest = snake(name).partition("_")
        if first in _ORIGINS and rest and concept(rest) == resource.name and isinstance(value, str | int):
            return id_text(value)
    return ""


@dataclass(frozen=True, slots=True)
class Inherited:
    """Keeps where things come from, and looks there for what is inside them."""

    things: Things

    def note(self, meaning: ToolUnderstanding, resource: Resource, arguments: dict[str, JSON]) -> None:
        """Keep what the thing that a call just made was made from."""
        knowledge = self.things.knowledge
        named = {snake(name) for name in knowledge.arguments(meaning.tool)}
        usual = "main" if resource.name == "branch" and "from_branch" in named else ""
        origin, key = origin_in(resource, arguments) or usual, arguments.get(meaning.id or "")
        if origin and isinstance(key, str | int):
            holder = knowledge.parent_key(resource, knowledge.parents_of(meaning, resource, arguments))
            self.things.draft.put(["origins", resource.name, holder, id_text(key)], origin)

    def kept(self, resource: Resource, here: Collection, parents: Mapping[str, JSON], key: str) -> Record | None:
        """Return the thing of that id that is known to be where this place comes from, and keep it here from now on."""
        record = None if here.knows(key) else self.found(resource, parents, key, reveals=False)
        if record is not None:
            here.reveal(self.things.draft, key, record, _REVEALED)
        return record

    def found(self, resource: Resource, parents: Mapping[str, JSON], key: str, *, reveals: bool = True, depth: int = 0) -> Record | None:
        """Return the thing of that id that was there where this place comes from, as one that is here.

        With `reveals` one may come to light that nobody spoke of yet.
        """
        for name, origin in self._before(resource, parents) if depth < _DEEPEST else ():
            before = {**parents, name: origin}
            other = self.things.open(resource, before)
            record = other.find(key)
            if record is None and not other.is_deleted(key):
                record = self.found(resource, before, key, reveals=reveals, depth=depth + 1)
                record = record or (self._revealed(resource, other, before, key) if reveals else None)
            if record is not None:
                here = id_text(parents[name])
                own = {**record, **{name: here for name in (name,) if name in record}}
                return {field: _moved(item, origin, here) for field, item in own.items()}
        return None

    def _before(self, resource: Resource, parents: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
        """The parents that were made from others, each with the id of the other."""
        knowledge = self.things.knowledge
        for about, name in zip(resource.scope, resource.scope_keys, strict=True):
            owner = knowledge.owner(about)
            if owner is None or name not in parents:
                continue
            holder = knowledge.parent_key(owner, knowledge.parents_in(owner, parents))
            origin = lookup(self.things.draft.state, "origins", owner.name, holder, id_text(parents[name]))
            if isinstance(origin, str):
                yield name, origin

    def _revealed(self, resource: Resource, place: Collection, parents: Mapping[str, JSON], key: str) -> Record | None:
        things = self.things
        if things.certain_only or place.is_closed or place.knows(key) or not resource.style.fits(key):
            return None
        if (resource.name, place.parent, key) in things.knowledge.absent or things.is_new(resource, parents):
            return None
        record = things.imagine(resource, key, parents, things.chance("thing", resource.name, place.parent, key))
        place.reveal(things.draft, key, record, _REVEALED)
        return record


def _moved(value: JSON, old: str, new: str) -> JSON:
    return value.replace(f"/{old}/", f"/{new}/") if isinstance(value, str) and "://" in value else value
