"""The ids that things have: those of what was there all the time, and new ones that were never used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from mcp_sim.core.canonical import JSON, digest
from mcp_sim.core.session import Session
from mcp_sim.core.state import lookup
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.knowledge import Knowledge


class Chance(Random):
    """Random numbers that tell a draft when they are drawn."""

    draft: Draft

    def random(self) -> float:
        """See `Random.random`."""
        self.draft.drawn = True
        return super().random()

    def getrandbits(self, k: int) -> int:
        """See `Random.getrandbits`."""
        self.draft.drawn = True
        return super().getrandbits(k)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Gives ids out while one call is answered. `chance` makes chance that depends on the words it is given."""

    knowledge: Knowledge
    draft: Draft
    session: Session
    chance: Callable[..., Random]

    def first(self, resource: Resource, parents: Mapping[str, JSON], parent: str, random: Random) -> list[JSON]:
        """The ids of what was there all the time: running numbers without a gap (but for those of the group), or a few by chance."""
        if resource.style.counts:
            taken = self._taken(resource, parent)
            top = max(taken, default=0) or self._top(resource, parent)
            members = resource.group
            return [
                self.numbered(resource, number, parents)
                for number in range(max(1, top - 99), top + 1)
                if number not in taken
                and members[self.chance("number", *members, parent, str(number)).randrange(len(members))] == resource.name
            ]
        if resource.style.style == "place":
            return []
        count = random.randint(0, 3) if resource.scope else random.randint(3, 7)
        making, now = self.knowledge.making(resource), self.session.world.settings.clock
        names = [making.name_of(making.imagined(random)) or f"{resource.name}-{n + 1}" for n in range(count)]
        return [resource.style.minted(random, now, name) for name in names]

    def _taken(self, resource: Resource, parent: str) -> set[int]:
        """The numbers that things of the same group are known to have had from the beginning."""
        taken: set[int] = set()
        for name in resource.group:
            member = self.knowledge.resources[name]
            given = self.knowledge.given_under(member, parent)
            facts = self.knowledge.facts.get(name, {}).get(parent, ())
            keys = [*(given.places if given is not None else ()), *(id_text(record.get(member.id_key)) for record in facts)]
            taken.update(member.style.number_of(key) for key in keys)
        return taken

    def _top(self, resource: Resource, parent: str) -> int:
        """The highest number that was used before the session began, where nothing tells it."""
        members = [self.knowledge.resources[name] for name in resource.group]
        pages = any(t.kind == "list" and (t.page or t.offset or t.cursor) for member in members for t in member.tools)
        random = self.chance("top", *resource.group, parent)
        return random.randint(12, 34) if pages else random.randint(3, 8)

    @staticmethod
    def numbered(resource: Resource, number: int, parents: Mapping[str, JSON]) -> JSON:
        """Return the id of a running number; a key takes its prefix from what it belongs to."""
        identifier = resource.style.numbered(number)
        if resource.style.style == "prefixed":
            whole = str(list(parents.values())[-1] if parents else "").upper()
            own = "".join(letter for letter in whole if letter.isascii() and letter.isalnum())
            if len(own) > 10:  # two long names may begin alike
                own = own[:6] + digest(own)[:4].upper()
            return f"{own or resource.style.prefix}-{number}"
        return identifier

    def next(
        self,
        resource: Resource,
        collection: Collection,
        parents: Mapping[str, JSON],
        sent: Record,
        beside: Callable[[], Sequence[Collection]],
    ) -> JSON:
        """Return an id that was never used; `beside` opens the collections that count together with this one."""
        if resource.style.counts:
            group = "+".join(resource.group)
            last = lookup(self.draft.state, "counters", group, collection.parent)
            if not isinstance(last, int):
                last = self._highest(resource, beside())
            self.draft.put(["counters", group, collection.parent], last + 1)
            identifier = self.numbered(resource, last + 1, parents)
            taken = resource.wide and lookup(self.draft.state, "entities", resource.name, "where", id_text(identifier)) is not None
            free = not taken and not collection.knows(id_text(identifier))
            return identifier if free else self.next(resource, collection, parents, sent, beside)
        name = self.knowledge.making(resource).name_of(sent)
        random = self.chance("mint", self.session.fingerprint, resource.name, collection.parent, str(len(self.draft.patch)))
        for attempt in range(100):
            identifier = resource.style.minted(random, self.session.now, name if attempt == 0 else f"{name} {attempt + 1}" if name else "")
            where = lookup(self.draft.state, "entities", resource.name, "where", id_text(identifier)) if resource.wide else None
            if not collection.knows(id_text(identifier)) and where is None:
                return identifier
        return f"{resource.name}-{random.getrandbits(64):x}"

    def _highest(self, resource: Resource, beside: Sequence[Collection]) -> int:
        highest = 0
        for name, collection in zip(resource.group, beside, strict=True):
            style = self.knowledge.resources[name].style
            keys = [*collection.given.places, *collection.node.get("revealed", ()), *collection.node.get("places", ())]
            highest = max([highest, *(style.number_of(key) for key in keys)])
        return highest
