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
            own = self.knowledge.parents_in(other, parents)
            if name is None or len(own) < len(other.scope) or (about > resource.name and self._leads_to(other, resource)):
                continue  # of two that name each other, one is imagined first
            ids = [thing.get(other.id_key) for thing in self.open(other, own).given.records]
            fitting = [value for value in ids if type(value) is type(record[name])]
            if fitting:
                record[name] = random.choice(fitting)
        return record

    def _leads_to(self, resource: Resource, other: Resource) -> bool:
        reached, ahead = {resource.name}, [resource]
        while ahead:
            new = {about for _, about in ahead.pop().links} - reached
            reached |= new
            ahead.extend(self.knowledge.resources[name] for name in new)
        return other.name in reached
