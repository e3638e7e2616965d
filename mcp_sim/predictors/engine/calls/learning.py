"""What another predictor's answer adds to the things of a session."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rpds import HashTrieMap

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, State, lookup
from mcp_sim.core.transition import Demonstration, Transition
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.kept.needs import Test
from mcp_sim.predictors.engine.resources.matching import means_all, tests_of
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.resources.swapping import tokens
from mcp_sim.predictors.engine.shown.observed import json_of, records_in, tells_end, things_in
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.paging import Window, window_of
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_LONGEST_FORM = 20_000
_MOST_FORMS = 4
_LAST = 1_000_000
_MOST = 1_000


def learned_examples(state: State, tool: str, mode: str) -> tuple[Demonstration, ...]:
    """Return the answers of a tool that a session kept for their form."""
    kept = lookup(state, "forms", tool, mode)
    found = [kept.get(str(number)) for number in range(_MOST_FORMS)] if isinstance(kept, HashTrieMap) else []
    return tuple(
        Demonstration(action=Action.call(tool, entry[0]), observation=Observation.of_result(entry[1]))
        for entry in found
        if isinstance(entry, list) and len(entry) == 2
    )


@dataclass(frozen=True)
class Learning:
    """Reads one answered call. What is looked at more than once is worked out once."""

    knowledge: Knowledge
    session: Session
    transition: Transition
    meaning: ToolUnderstanding
    resource: Resource
    mode: str
    arguments: dict[str, JSON]

    def things(self) -> Things:
        """Return the things as they are before the call, nothing imagined."""
        return Things(self.knowledge, self.session, Draft(self.session.state), certain_only=True)

    @cached_property
    def records(self) -> list[Record]:
        """The things that the answer shows and that have an id."""
        many = self.meaning.kind in ("list", "search") or bool(self.meaning.items)
        found = records_in(self.transition.observation, self.resource.name, many=many)
        return [record for record in found[:_MOST] if self.id_of(record) is not None]

    def id_of(self, record: Record) -> JSON:
        """Return a record's id, `None` if it has none."""
        value = record.get(self.resource.id_key)
        return value if isinstance(value, str | int) and not isinstance(value, bool) else None

    @cached_property
    def parents(self) -> dict[str, JSON]:
        """What the thing that the call is about belongs to."""
        return self.knowledge.parents_of(self.meaning, self.resource, self.arguments)

    def changes(self) -> list[Change]:
        """Return what the answer adds to the state."""
        if self.transition.observation.is_error:
            return []
        things = self.things()
        kind = self.meaning.kind
        if kind == "create":
            self._made(things)
        elif kind == "get":
            self._shown(things, self.records[:1], self.parents, _LAST)
        elif kind in ("list", "search"):
            self._listed(things)
        elif kind in ("update", "add-member", "remove-member"):
            self._changed(things)
        elif kind == "delete":
            self._deleted(things)
        self._keep_form(things.draft)
        return things.draft.patch

    def _keep_form(self, draft: Draft) -> None:
        """Keep the answer as an example of the tool's form, where it shows what none before it showed."""
        name = self.transition.action.name
        if self.knowledge.form(self.meaning, self.resource, self.mode).is_known:
            return
        before = learned_examples(draft.state, name, self.mode)
        if self.meaning.kind in ("list", "search") and not self.records:
            return
        known = self.knowledge.form(self.meaning, self.resource, self.mode, before)
        new = {key for record in self.records for key in record} - set(known.shown_keys)
        result = self.transition.observation.to_result()
        if len(before) < _MOST_FORMS and (not before or new) and len(canonical(result)) <= _LONGEST_FORM:
            draft.put(["forms", name, self.mode, str(len(before))], [self.transition.action.arguments, result])

    def _sent(self) -> Record:
        sent = {name: self.arguments[name] for name in self.meaning.fields if name in self.arguments}
        wrapped = self.arguments.get(self.meaning.wrapper) if self.meaning.wrapper else None
        return {**sent, **wrapped} if isinstance(wrapped, dict) else sent

    def _made(self, things: Things) -> None:
        parents = self.parents
        shown = self.records
        own = self.arguments.get(self.meaning.id) if self.meaning.id else None
        if not shown:
            identifier = own if own is not None else self._id_in_text()
            shown = [{self.resource.id_key: identifier}] if isinstance(identifier, str | int) else []
        for record in shown if self.meaning.items else shown[:1]:
            key = id_text(self.id_of(record))
            collection = things.open(self.resource, parents)
            sent = self._sent() if not self.meaning.items else {}
            named = {snake(name) for name in record}
            whole = {**{k: v for k, v in {**parents, **sent}.items() if snake(k) not in named}, **record}
            if not collection.knows(key):
                collection.create(things.draft, key, whole)
                self._place(things, key, collection)
            elif collection.is_deleted(key):  # the name was free again
                collection.revive(things.draft, key, whole)

    def _id_in_text(self) -> JSON:
        """The id that a sentence tells: `Created issue #15`."""
        given = {id_text(value) for value in self.arguments.values()}
        style = self.resource.style
        for word in tokens(self.transition.observation.text):
            if word not in given and style.fits(word) and any(letter.isdigit() for letter in word):
                return int(word) if style.style in ("number", "large-number") and not style.textual else word
        return None

    def _shown(self, things: Things, records: list[Record], parents: Mapping[str, JSON], at: int) -> None:
        opened: dict[tuple[JSON, ...], Collection] = {}
        for place, record in enumerate(records):
            key = id_text(self.id_of(record))
            own = {**parents, **self.knowledge.parents_in(self.resource, record, exact=True)}
            if len(own) < len(self.resource.scope):
                collection = things.holding(self.resource, key, own)
            else:
                under = tuple(own.values())
                collection = opened[under] if under in opened else opened.setdefault(under, things.open(self.resource, own))
            if collection.find(key) is not None:
                collection.add_more(things.draft, key, record)
            elif not collection.knows(key):
                missing = {name: value for name, value in own.items() if snake(name) not in {snake(k) for k in record}}
                collection.reveal(things.draft, key, {**missing, **record}, min(at + place, _LAST))
                self._place(things, key, collection)

    def _place(self, things: Things, key: str, collection: Collection) -> None:
        if self.resource.wide:
            things.draft.put(["entities", self.resource.name, "where", key], collection.parent)

    def _listed(self, things: Things) -> None:
        parents, window = self.parents, self.window
        self._shown(things, self.records, parents, (window.offset if window else 0) if self.meaning.kind == "list" else _LAST)
        if len(parents) == len(self.resource.scope):
            collection = things.open(self.resource, parents)
            if self.is_whole() or self._end() == len(collection):
                collection.close(things.draft)

    def _end(self) -> int | None:
        """How many things there are in all, where the answer is the last page of an unfiltered list."""
        answer = json_of(self.transition.observation)
        window = self.window
        if self.meaning.kind != "list" or answer is None or window is None or self.tests or not self._asks_for_all:
            return None
        shown = len(things_in(answer.value, self.resource.name, many=True))
        last = tells_end(answer.value, window.offset + shown) and 0 < shown < window.size
        return window.offset + shown if last else None

    def is_whole(self) -> bool:
        """Whether the answer lists all there is: nothing was filtered out and no page is missing."""
        return self._asks_for_all and self.is_complete(filtered=True) and not self.tests

    @property
    def _asks_for_all(self) -> bool:
        """Whether no filter was asked for, of those that nothing could be made of either."""
        return all(means_all(self.arguments.get(name)) for name in self.meaning.filters)

    @cached_property
    def window(self) -> Window | None:
        """The part of a list that the call asks for; `None` where its cursor is none of ours."""
        return window_of(self.meaning, self.arguments, self.knowledge.arguments(self.meaning.tool))

    @cached_property
    def tests(self) -> list[Test]:
        """What a thing must pass to be listed by the call."""
        return tests_of(self.meaning, self.resource, self.arguments, self.knowledge.arguments(self.meaning.tool))

    def is_complete(self, *, filtered: bool = False) -> bool:
        """Whether the answer lists all that was asked for: no page is missing, and (unless `filtered`) no filter was asked for."""
        answer = json_of(self.transition.observation)
        if self.meaning.kind != "list" or answer is None:
            return False
        if not filtered and not self._asks_for_all:
            return False
        window = self.window
        if window is None or window.offset:
            return False
        shown = things_in(answer.value, self.resource.name, many=True)
        return tells_end(answer.value, len(shown)) and len(shown) < window.size

    def _subject(self, things: Things) -> tuple[str, Collection]:
        key = id_text(self.arguments.get(self.meaning.id or ""))
        return key, things.holding(self.resource, key, self.parents)

    def _changed(self, things: Things) -> None:
        key, collection = self._subject(things)
        shown = next((record for record in self.records if id_text(self.id_of(record)) == key), {})
        record = collection.find(key)
        if record is None:
            if not collection.knows(key):
                identifier = self.arguments.get(self.meaning.id or "")
                collection.reveal(things.draft, key, {self.resource.id_key: identifier, **self._sent(), **shown}, _LAST)
            return
        sent = self._sent() if self.meaning.kind == "update" else {}
        changed = self.knowledge.making(self.resource).changed(record, sent, self.session.now)
        collection.change(things.draft, key, {**changed, **shown})

    def _deleted(self, things: Things) -> None:
        many = self.arguments.get(self.meaning.ids) if self.meaning.ids else None
        for item in many if isinstance(many, list) else [self.arguments.get(self.meaning.id or "")]:
            key = id_text(item)
            collection = things.holding(self.resource, key, self.parents)
            if collection.find(key) is not None:
                collection.delete(things.draft, key)
            elif not collection.is_deleted(key):
                collection.bury(things.draft, key)
