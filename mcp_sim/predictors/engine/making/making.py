"""Making things: what was sent, and what else such a thing has."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Schema
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.kept.blobs import of_file
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.making.imagining import STATES, TITLES, Imagining
from mcp_sim.predictors.engine.making.likeness import Likeness
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.coherence import corrections, scheduled
from mcp_sim.predictors.engine.shown.schemas import matching_properties, properties_of, schema_of_thing
from mcp_sim.predictors.engine.tools.counting import at_first
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.background import Background
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker
from mcp_sim.predictors.instances.moments import is_moment, moment_like, tells_change, tells_creation, tells_end


@dataclass(frozen=True)
class Making:
    """Makes records of one resource in one world."""

    resource: Resource
    world: World
    background: Background
    seen: Mapping[tuple[str, JSON], Record]

    def fresh(
        self, identifier: JSON, parents: Mapping[str, JSON], sent: Record, now: datetime, random: Random, *, old: bool = False
    ) -> Record:
        """Return the record of a thing just made: what was sent, its id, its times, and what a new one has besides.

        One that is `old` was there all the time: it has what things come to have.
        """
        resource = self.resource
        record: Record = {}
        example = next((example for example in resource.examples if example.kind == "create"), None)
        best = resource.best_example
        if example is not None:
            record = self._likeness.adapted(example, identifier, parents, sent, now, random, made=True)
        if best is not None:
            whole = self._likeness.adapted(best, identifier, parents, sent, now, random, made=best.kind == "create", known=record)
            record = {**{key: record.get(key, whole.get(key)) for key in best.record}, **whole, **record}
        if not record:
            record = {resource.id_key: identifier, **parents}
            record.update({key: value for key, value in sent.items() if key != resource.id_key})
            record = self._counted(record, random, old=old)
            for key in self._state_keys(sent):
                record[key] = self._imagining.first_state(key)
            if resource.schema is not None:
                return self._completed(record, now, random, old=old)
            record[resource.spelled("created", "at")] = moment_like(None, now)
            record[resource.spelled("updated", "at")] = moment_like(None, now)
            return record
        known = {snake(key) for key in record}
        record.update({key: value for key, value in (*parents.items(), *sent.items()) if snake(key) not in known and self._is_shown(key)})
        return record

    def _counted(self, record: Record, random: Random, *, old: bool) -> Record:
        """Return a record with the numbers that tools move: what it begins with is what it has, else a new one has none."""
        shown = {snake(key) for key in properties_of(self.resource.schema)}
        moved = {tool.counts.field for tool in self.resource.tools if tool.counts is not None}
        moved |= {tool.facet for tool in self.resource.tools if tool.facet}
        if not moved:
            return record
        found = {
            at_first(snake(key)) if snake(key) not in shown and at_first(snake(key)) in moved else key: value
            for key, value in record.items()
        }
        for field in sorted(moved - {snake(key) for key in found} - (shown if old else set())):
            found[field] = random.randint(5, 400) if old else 0
        return found

    def _completed(self, record: Record, now: datetime, random: Random, *, old: bool) -> Record:
        """Return the record with everything that the output schemas show of such a thing, as far as they allow what is known."""
        assert self._schema_maker is not None
        maker, checker = self._schema_maker
        try:
            base: Any = maker.make(random, Hints(arguments=record, now=now, subject=self.resource.name.replace("_", " ")))
        except McpSimError:
            base = {}
        shown: Record = dict(base) if isinstance(base, dict) else {}
        for key, value in shown.items():
            if (tells_creation(key) or tells_change(key)) and (is_moment(value) or isinstance(value, str)):
                shown[key] = moment_like(value if is_moment(value) else None, now)
        for key, value in matching_properties(self.resource.schema, record):
            if checker.is_valid({**shown, key: value}):
                shown[key] = value
        kept = {snake(key) for key, _ in matching_properties(self.resource.schema, record)}
        for key, value in corrections(shown, {snake(self.resource.id_key)} if old else kept, random):
            if checker.is_valid({**shown, key: value}):
                shown[key] = value
        if not old:
            shown = self._unadorned(shown, record, checker)
            for key, value in corrections(shown, kept, random):  # what was sent makes sums as well
                if key in shown and checker.is_valid({**shown, key: value}):
                    shown[key] = value
        names = {snake(key) for key in shown}
        return {**{key: value for key, value in record.items() if snake(key) not in names}, **shown}

    def _unadorned(self, shown: Record, record: Record, checker: Schema) -> Record:
        """Return a new thing without what nobody said of it, as far as the output schemas allow."""
        known = {snake(key) for key, _ in matching_properties(self.resource.schema, record)}
        for key, part in properties_of(self.resource.schema).items():
            if key not in shown or snake(key) in known or tells_creation(key) or tells_change(key):
                continue
            value = self._imagining.unsaid(key, part)
            without = {name: item for name, item in shown.items() if name != key}
            if value is not None and checker.is_valid({**shown, key: value}):
                shown = {**shown, key: value}
            elif key not in self._needed and checker.is_valid(without):
                shown = without
            elif checker.is_valid({**shown, key: None}):
                shown = {**shown, key: None}
        return shown

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The fields that any of the tools must show of such a thing."""
        shown = [
            schema_of_thing(self.world.tools_by_name[tool.tool].output_schema, self.resource.name, many=tool.kind in ("list", "search"))
            for tool in self.resource.tools
        ]
        required = [schema.get("required") for schema in shown if schema is not None]
        return frozenset(name for names in required if isinstance(names, list) for name in names if isinstance(name, str))

    @cached_property
    def _imagining(self) -> Imagining:
        return Imagining(self.resource, self.world, self.background)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.resource, self._imagining, self.seen)

    @cached_property
    def _schema_maker(self) -> tuple[InstanceMaker, Schema] | None:
        schema = self.resource.schema
        return None if schema is None else (InstanceMaker(schema), Schema(schema))

    def changed(self, record: Record, sent: Record, now: datetime) -> Record:
        """Return a record after an update: exactly what was sent, and the time of the last change."""
        by_snake = {snake(key): key for key in record}
        result = dict(record)
        for key, value in sent.items():
            own = by_snake.get(snake(key), key)
            before = record.get(own)
            merged = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value  # as a PATCH does
            result[own] = self._likeness.fitted(own, merged, before)
        content = next((value for key, value in sent.items() if snake(key) == "content"), None)
        if content is not None:
            result.update(of_file(result, content))
        sent_names = {snake(name) for name in sent}
        sample = next((value for value in record.values() if is_moment(value) and isinstance(value, str)), None)
        words_now = {str(value).lower() for key, value in result.items() if snake(key) in STATES or value is True}
        words_now |= {snake(key) for key, value in result.items() if value is True}
        for key, value in record.items():
            if snake(key) in sent_names:
                continue
            if tells_change(key):
                result[key] = moment_like(value, now)
            elif tells_end(key) and snake(key).endswith("_at"):
                over = snake(key).removesuffix("_at") in words_now
                result[key] = value if over and value else moment_like(sample, now) if over else None
        return result

    def seed(self, identifier: JSON, parents: Mapping[str, JSON], now: datetime, random: Random) -> Record:
        """Return the record of a thing that was there all the time."""
        made = now - timedelta(days=random.randint(3, 240), seconds=random.randrange(86_400))
        touched = made + (now - made) * (random.random() * 0.95)
        sent = self._imagining.imagined(random)
        resource = self.resource
        if resource.named or resource.style.style == "slug":
            sent[resource.id_key] = identifier
        if resource.best_example is not None:
            record = self._likeness.adapted(resource.best_example, identifier, parents, sent, made, random, made=False, touched=touched)
        else:
            record = self.fresh(identifier, parents, sent, made, random, old=True)
        for key, value in record.items():
            if tells_change(key) and is_moment(value):
                record[key] = moment_like(value, touched)
        if resource.best_example is None and resource.schema is None:
            record.update(corrections(record, {snake(key) for key in (resource.id_key, *parents)}, random))
            record.update(scheduled(record, now, random))
        return record

    def imagined(self, random: Random) -> Record:
        """Return values for the fields that the resource is made with, where nobody gives any."""
        return self._imagining.imagined(random)

    def name_of(self, sent: Record) -> str:
        """Return what a thing is called, to make a slug of."""
        return next((value for key, value in sent.items() if snake(key) in TITLES and isinstance(value, str)), "")

    def _is_shown(self, key: str) -> bool:
        """Whether a field that no example shows is shown all the same: where no demonstration tells what servers leave out."""
        return False if self.resource.examples else bool(key)

    def _state_keys(self, sent: Record) -> list[str]:
        sent_keys = {snake(key) for key in sent}
        return [key for key in (*self.resource.fields, *sorted(self.resource.filters)) if key in STATES and key not in sent_keys][:1]
