"""Reading calls: get, list, search and count."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.kept.needs import Needing
from mcp_sim.predictors.engine.making.forms import Form
from mcp_sim.predictors.engine.resources.matching import selection_of
from mcp_sim.predictors.engine.resources.orders import Order, order_of, relevance
from mcp_sim.predictors.engine.resources.queries import places_in
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.inherited import Inherited
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.listing import Listing, passing
from mcp_sim.predictors.engine.things.refusals import Refusals
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.things.ways import ways_asked
from mcp_sim.predictors.engine.words.paging import Cut, window_of
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_REVEALED_BY_GET = 1_000_000


@dataclass(frozen=True, slots=True)
class Reads:
    """Answers one reading call; what it brings to light goes into the draft of `things`.

    `lenient` answers are wanted in any form, so long as what they say is known.
    """

    knowledge: Knowledge
    refusals: Refusals
    things: Things
    meaning: ToolUnderstanding
    resource: Resource
    form: Form
    arguments: dict[str, JSON]
    lenient: bool = False

    def get(self) -> Observation | None:
        """Answer with one thing. `None`: only imagination could tell."""
        identifier = self.arguments.get(self.meaning.id or "")
        if identifier is None:
            return None
        key = id_text(identifier)
        collection, record = self.found(key)
        if record is None and (lost := self._lost_owner(self.knowledge.parents_of(self.meaning, self.resource, self.arguments))):
            return lost
        if record is None and self.resource.id_key == "path" and self._is_folder(key, collection):
            return None
        if record is None:
            record = self._revealed(key, identifier, collection)
            if record is None and self.things.certain_only and not self._is_certainly_missing(collection, key):
                return None
        self.things.rest_on(self.resource, self.things.again(collection), key)
        if record is None:
            return self.refusals.refuse("missing", self.meaning, self.resource, key, self.arguments)
        if not self.can_show(record):
            return None
        shown = self.form.one(record, self.arguments, self.things.chance("form", self.resource.name, collection.parent, key))
        return None if self._says_nothing(shown, record) else shown

    def _says_nothing(self, shown: Observation, record: Record) -> bool:
        """Whether an answer is empty where the demonstrations are not, and nothing that is known is an empty text."""
        if shown.text.strip() or not shown.content or "" in record.values():
            return False
        return any(example.observation.text.strip() for example in self.form.examples if not example.observation.is_error)

    def _is_folder(self, key: str, collection: Collection) -> bool:
        """Whether things lie below a path: what is asked for is then no thing of this kind."""
        folder = key.rstrip("/")
        below = Needing(lambda record: id_text(record.get("path")).startswith(f"{folder}/"), ((("folders", folder),),))
        return next(passing(self.things, self.resource, collection, below), None) is not None

    def found(self, key: str) -> tuple[Collection, Record | None]:
        """Return the thing of an id and the collection that it is in, or would be in."""
        parents = self.knowledge.parents_of(self.meaning, self.resource, self.arguments)
        collection = self.things.holding(self.resource, key, parents)
        record = collection.find(key)
        if record is not None and self.things.is_orphan(self.resource, {**record, **parents}):
            record = None
        return collection, record

    def _is_certainly_missing(self, collection: Collection, key: str) -> bool:
        return collection.is_closed or collection.is_deleted(key)

    def can_show(self, record: Record) -> bool:
        """Whether the answer follows from state: its form is known, and so is everything that the form shows."""
        if not self.things.certain_only or self.lenient:
            return True
        return self.form.is_known and self.form.shows(record)

    def revealed(self, key: str, identifier: JSON, collection: Collection) -> Record | None:
        """Bring a thing to light that may well exist: nothing says that it does not, and its id could be one."""
        return self._revealed(key, identifier, collection)

    def _revealed(self, key: str, identifier: JSON, collection: Collection) -> Record | None:
        resource = self.resource
        if self.things.certain_only or collection.is_closed or collection.knows(key) or not resource.style.fits(key):
            return None
        if (resource.name, collection.parent, key) in self.knowledge.absent:
            return None
        parents = self.knowledge.parents_of(self.meaning, resource, self.arguments)
        if self.things.is_orphan(resource, parents):
            return None
        inherited = Inherited(self.things).found(resource, parents, key)
        if inherited is not None:
            collection.reveal(self.things.draft, key, inherited, _REVEALED_BY_GET)
            return inherited
        if self.things.is_new(resource, parents):
            return None
        if resource.style.counts and len(resource.group) > 1 and self._is_of_another(key, parents):
            return None
        style_of_id = resource.style.numbered(resource.style.number_of(key)) if resource.style.style == "number" else identifier
        random = self.things.chance("thing", resource.name, collection.parent, key)
        record = self.things.imagine(resource, style_of_id, parents, random)
        collection.reveal(self.things.draft, key, record, _REVEALED_BY_GET)
        if resource.wide:
            self.things.draft.put(["entities", resource.name, "where", key], collection.parent)
        return record

    def _is_of_another(self, key: str, parents: dict[str, JSON]) -> bool:
        for name in self.resource.group:
            if name != self.resource.name:
                other = self.knowledge.resources[name]
                keys = dict(zip(other.scope, other.scope_keys, strict=True))
                own = dict(zip(self.resource.scope_keys, self.resource.scope, strict=True))
                if self.things.open(other, {keys[own[k]]: v for k, v in parents.items() if own[k] in keys}).knows(key):
                    return True
        return False

    def listing(self) -> Observation | None:
        """Answer with a list of things, or how many there are. `None`: only imagination could tell."""
        if self.form.is_foreign or (self.things.certain_only and not self.lenient and not self.form.is_known):
            return None
        schema = self.knowledge.arguments(self.meaning.tool)
        window = window_of(self.meaning, self.arguments, schema)
        if window is None:
            return self.refusals.refuse(
                "cursor", self.meaning, self.resource, str(self.arguments.get(self.meaning.cursor or "")), self.arguments
            )
        parents = self.knowledge.parents_of(self.meaning, self.resource, self.arguments)
        if lost := self._lost_owner(parents):
            return lost
        collections = self._collections(parents)
        given = self.resource.name in self.knowledge.given
        whole = len(parents) == len(self.resource.scope) or given
        told = given or all(c.is_closed or (self.meaning.rest and self.lenient and "created" in c.node) for c in collections or ())
        if self.things.certain_only and not (whole and self.meaning.resource and told):
            return None
        self._rest_on(collections)
        self.things.draft.imagined |= not whole or not self.meaning.resource
        selection = selection_of(self.meaning, self.resource, self.arguments, schema)
        if selection.unheeded:
            if self.things.certain_only and not self.lenient:
                return None
            self.things.draft.imagined = True
            self.things.draft.notes.append(f"Did not heed {', '.join(f'`{asked}`' for asked in selection.unheeded)}.")
        newest_first = self.knowledge.is_newest_first(self.meaning, self.resource)
        described = self.knowledge.world.tools_by_name[self.meaning.tool].description
        order = order_of(self.meaning, self.arguments, schema, self.resource, newest_first, described)
        text = self.arguments.get(self.meaning.text or "")
        if order.key is None and not self.arguments.get(self.meaning.sort or "") and isinstance(text, str):
            order = Order(relevance(text), False)
        above = ways_asked(self.meaning, self.resource, self.arguments)
        part_hidden = (
            bool(above) or len(parents) < len(self.resource.scope) or collections is None or len(collections) > 1 or self._has_links()
        )
        only = collections[0] if collections is not None and len(collections) == 1 else None
        if only is not None and not (selection.tests or order.key or part_hidden) and only.has_few_revealed:
            total = len(only)
            shown = only.page(window.offset, window.size, newest_first=order.down)
        else:
            listing = Listing(
                self.things,
                self.resource,
                collections,
                selection.tests,
                order.key,
                order.down,
                part_hidden,
                self._question(),
                order.ties_down,
                above,
            )
            total, shown = listing.cut(window.offset, window.size)
        unasked = not (selection.narrows or above or self.meaning.rest)
        placed = len(parents) == len(self.resource.scope)  # else they are those that happen to be known
        if unasked and ((self.meaning.kind == "list" and (placed or window.ends(total))) or (self.meaning.kind == "count" and placed)):
            for collection in self.things.known(self.resource) if collections is None else collections:
                collection.close(self.things.draft)
        if self.meaning.kind == "count":
            return self.form.counted(total, self.arguments, self.things.chance("count", self.resource.name))
        if not all(self.can_show(record) for record in shown):
            return None
        cut = Cut(window, total, len(shown), self.arguments)
        return self.form.many(shown, cut, self.things.chance("list", self.resource.name))

    def _lost_owner(self, parents: dict[str, JSON]) -> Observation | None:
        """The refusal where what the things belong to is not there."""
        gone = self.things.is_orphan(self.resource, parents) if parents else ""
        if not gone:
            return None
        places = zip(self.resource.scope, self.resource.scope_keys, strict=True)
        named = (k for a, k in places if (of := self.knowledge.owner(a)) is not None and of.name == gone and k in parents)
        key = next((id_text(parents[k]) for k in named), "")
        owner = self.knowledge.resources[gone]
        holding = self.things.holding(owner, key, self.knowledge.parents_in(owner, parents))
        self.things.rest_on(owner, holding, holding.key_of(key))
        return self.refusals.refuse("missing", self.meaning, owner, key, self.arguments)

    def _question(self) -> str:
        """What is asked for, whichever part of the answer is to be shown."""
        paging = (self.meaning.page, self.meaning.size, self.meaning.offset, self.meaning.cursor)
        asked = {name: value for name, value in self.arguments.items() if name not in paging}
        return canonical([self.meaning.tool, self.meaning.kind, self.meaning.resource, asked])

    def _rest_on(self, collections: list[Collection] | None) -> None:
        for collection in collections or ():
            self.things.rest_on(self.resource, collection)
        if collections is None and self.resource.name in self.knowledge.given and self.things.has_any(self.resource, "revealed"):
            self.things.draft.imagined = True

    def _collections(self, parents: dict[str, JSON]) -> list[Collection] | None:
        """The collections to look in, `None` for all of the resource where they are many."""
        if not self.meaning.resource:
            every = [other for other in self.knowledge.resources.values() if not other.scope]
            return [self.things.open(other, {}) for other in every] if every else self._known()
        text = self.arguments.get(self.meaning.text or "")
        if len(parents) < len(self.resource.scope) and isinstance(text, str):
            parents = places_in(text, self.resource) or parents
        if len(parents) == len(self.resource.scope):
            return [self.things.open(self.resource, parents)]
        return self._known()

    def _known(self) -> list[Collection] | None:
        return None if self.things.is_vast(self.resource) else list(self.things.known(self.resource))

    def _has_links(self) -> bool:
        """Whether some of the things may be hidden because what they name, or what that belongs to, is gone."""
        kinds = {about for _, about in self.resource.links} | {kind for kind in self.resource.above if self.resource.links}
        return any(self.things.has_any(self.knowledge.resources[about], "deleted") for about in sorted(kinds))
