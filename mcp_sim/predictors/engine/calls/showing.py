"""Answers that show several things by name, or several kinds of things at once."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.schema import Schema
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.resources.matching import tests_of
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.schemas import matching_properties, properties_of
from mcp_sim.predictors.engine.words.paging import Cut, Window
from mcp_sim.predictors.engine.words.vocabulary import plural, singular

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Showing:
    """Answers one reading call that names many things, or shows things of many kinds."""

    reads: Reads

    def several(self) -> Observation | None:
        """Show the things of one kind that the call names: those that there are, as far as none of them is in doubt."""
        reads = self.reads
        found: list[Record] = []
        for name in self._names():
            one = replace(
                reads, meaning=reads.meaning.model_copy(update={"ids": None, "id": "id"}), arguments={**reads.arguments, "id": name}
            )
            key = id_text(name)
            collection, record = one.found(key)
            if record is None:
                record = one.revealed(key, name, collection)
            reads.things.rest_on(reads.resource, reads.things.again(collection), key)
            if record is None and reads.things.certain_only and not (collection.is_closed or collection.is_deleted(key)):
                return None
            if record is not None:
                found.append(record)
        if not found and self._names():
            return reads.refusals.refuse("missing", reads.meaning, reads.resource, id_text(self._names()[0]), reads.arguments)
        if not all(reads.can_show(record) for record in found):
            return None
        if reads.meaning.verb == "read" and all(isinstance(record.get("content"), str) for record in found):
            return reads.form.told("\n---\n".join(f"{record.get(reads.resource.id_key)}:\n{record['content']}\n" for record in found))
        cut = Cut(Window(0, 10**9, False), len(found), len(found), reads.arguments)
        return reads.form.many(found, cut, reads.things.chance("list", reads.resource.name))

    def overview(self) -> Observation | None:
        """Show things of several kinds: all there are, those that a text is found in, or those named; and what links to them."""
        reads = self.reads
        kinds = [reads.knowledge.resources[name] for name in reads.meaning.shows if name in reads.knowledge.resources]
        if any(kind.scope for kind in kinds) or len(kinds) < len(reads.meaning.shows):
            return None
        collections = [reads.things.open(kind, {}) for kind in kinds]
        if reads.things.certain_only and not all(collection.is_closed for collection in collections):
            return None
        shown: dict[str, list[Record]] = {}
        for kind, collection in zip(kinds, collections, strict=True):
            reads.things.rest_on(kind, collection)
            shown[kind.name] = self._chosen(kind, collection, shown)
        if reads.meaning.kind == "list":
            for collection in collections:
                collection.close(reads.things.draft)
        return self._laid_out(shown)

    def _names(self) -> list[JSON]:
        names = self.reads.arguments.get(self.reads.meaning.ids or "")
        return names[:_MOST] if isinstance(names, list) else []

    def _chosen(self, kind: Resource, collection: Collection, before: dict[str, list[Record]]) -> list[Record]:
        reads = self.reads
        alive = [record for record in islice(collection, _MOST) if not reads.things.is_orphan(kind, record)]
        if reads.meaning.kind == "list":
            return alive
        links = [(key, about) for key, about in kind.links if about in before]
        if links:
            ids = {about: {id_text(r.get(reads.knowledge.resources[about].id_key)) for r in rows} for about, rows in before.items()}
            return [record for record in alive if any(id_text(record.get(key)) in ids[about] for key, about in links)]
        if reads.meaning.ids:
            wanted = {id_text(name) for name in self._names()}
            return [record for record in alive if id_text(record.get(kind.id_key)) in wanted]
        tests = tests_of(reads.meaning, kind, reads.arguments, reads.knowledge.arguments(reads.meaning.tool))
        return [record for record in alive if all(test(record) for test in tests)]

    def _laid_out(self, shown: dict[str, list[Record]]) -> Observation | None:
        schema = self.reads.form.tool.output_schema
        if not isinstance(schema, dict):
            whole: dict[str, JSON] = {plural(name): list(rows) for name, rows in shown.items()}
            return Observation.of_text(json.dumps(whole, indent=2, ensure_ascii=False))
        value: dict[str, JSON] = {
            key: _projected(shown[singular(key)], part) for key, part in properties_of(schema).items() if singular(key) in shown
        }
        if not Schema(schema).is_valid(value):
            return None
        return Observation.of_structured(value, json.dumps(value, indent=2, ensure_ascii=False))


def _projected(records: Sequence[Record], part: JSON) -> list[JSON]:
    items = part.get("items") if isinstance(part, dict) else None
    return [dict(matching_properties(items, record)) for record in records]
