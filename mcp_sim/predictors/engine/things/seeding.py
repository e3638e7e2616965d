"""What was there all the time, imagined at the first touch: things whose ids, values and links agree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.numbering import Numbering
from mcp_sim.predictors.engine.words.arguments import snake

_DEEPEST = 4
_ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class Seeding:
    """Imagines things while one call is answered. `open` opens the collection of a resource under some parents."""

    knowledge: Knowledge
    numbering: Numbering
    open: Callable[[Resource, Mapping[str, JSON]], Collection]

    def many(self, resource: Resource, parents: Mapping[str, JSON], parent: str) -> list[Record]:
        """Return the things of one collection."""
        chance = self.numbering.chance
        seeds: dict[str, Record] = {}
        for identifier in self.numbering.first(resource, parents, parent, chance("seeds", resource.name, parent)):
            if id_text(identifier) not in seeds:
                seed = self.one(resource, identifier, parents, chance("thing", resource.name, parent, id_text(identifier)))
                seeds.setdefault(id_text(seed.get(resource.id_key)), seed)
        if resource.style.counts:
            return sorted(seeds.values(), key=lambda record: resource.style.number_of(id_text(record.get(resource.id_key))))
        return list(seeds.values())

    def one(self, resource: Resource, identifier: JSON, parents: Mapping[str, JSON], random: Random) -> Record:
        """Return the thing of an id. What it names of other kinds was there all the time as well."""
        record = self.knowledge.making(resource).seed(identifier, parents, self.numbering.session.world.settings.clock, random)
        told = {snake(name) for name in parents}
        for key, about in resource.links:
            name = next((name for name in record if snake(name) == key and key not in told), None)
            other = self.knowledge.resources[about]
            if name is None or (about > resource.name and self._leads_to(other, resource)):
                continue  # of two that name each other, one is imagined first
            for _ in range(_ATTEMPTS if len(self.knowledge.parents_in(other, parents)) < len(other.scope) else 1):
                own = self._placed(other, parents, random)
                ids = [] if own is None else [thing.get(other.id_key) for thing in self.open(other, own).given.records]
                fitting = [value for value in ids if type(value) is type(record[name])]
                if fitting:
                    record[name] = random.choice(fitting)
                    break
        return record

    def _placed(self, other: Resource, values: Mapping[str, JSON], random: Random, depth: int = 0) -> dict[str, JSON] | None:
        """Return what a thing of another kind may belong to: what is known of it, else something that was there all the time as well."""
        own = self.knowledge.parents_in(other, values)
        for about, key in zip(other.scope, other.scope_keys, strict=True) if len(own) < len(other.scope) else ():
            holder = self.knowledge.resources.get(about)
            if key in own:
                continue
            above = self._placed(holder, values, random, depth + 1) if holder is not None and depth < _DEEPEST else None
            if holder is None or above is None or holder.name == other.name:
                return None
            ids = [value for thing in self.open(holder, above).given.records if isinstance(value := thing.get(holder.id_key), str | int)]
            if not ids:
                return None
            own[key] = random.choice(ids)
        return own

    def _leads_to(self, resource: Resource, other: Resource) -> bool:
        reached, ahead = {resource.name}, [resource]
        while ahead:
            new = {about for _, about in ahead.pop().links} - reached
            reached |= new
            ahead.extend(self.knowledge.resources[name] for name in new)
        return other.name in reached
