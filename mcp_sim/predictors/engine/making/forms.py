"""The form of answers: the output schema first, else the nearest demonstration with its values replaced, else the thing as JSON text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from random import Random

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.making.filling import Filling
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.resources.swapping import swapped, swaps_of, text_swapped
from mcp_sim.predictors.engine.shown.observed import PLAIN, Answer, at, json_of, list_path, records_in, replaced, thing_path, things_in
from mcp_sim.predictors.engine.shown.schemas import properties_of
from mcp_sim.predictors.engine.shown.texts import Text, read_text, recounted
from mcp_sim.predictors.engine.words.arguments import field_named, snake
from mcp_sim.predictors.engine.words.hashes import hashes_in
from mcp_sim.predictors.engine.words.paging import Cut, told
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_HASH = re.compile(r"\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{12,64}\b")
_LONGEST = 20_000


@dataclass(frozen=True)
class Form:
    """How one tool answers about one resource, in a world whose time is `clock` when nothing has happened yet.

    `examples` are true answers of the tool, or `borrowed` from one that shows the same; `learned` ones are a
    session's own: what they do not show may be shown all the same.
    """

    tool: ToolSpec
    meaning: ToolUnderstanding
    resource: Resource
    examples: tuple[Demonstration, ...]
    clock: datetime
    borrowed: bool = False
    learned: bool = False

    @cached_property
    def _text_key(self) -> str | None:
        """The one property that the answer's text stands in, where the output schema asks for nothing but a text."""
        properties = properties_of(self.tool.output_schema)
        key, part = next(iter(properties.items()), ("", None))
        only_text = len(properties) == 1 and isinstance(part, dict) and part.get("type") == "string"
        return key if only_text and key in ("result", "content", "text", "output", "message") else None

    def told(self, text: str) -> Observation:
        """Return the answer that is this text."""
        return self._boxed(Observation.of_text(text))

    def _boxed(self, observation: Observation) -> Observation:
        if self._text_key is None:
            return observation
        return Observation.of_structured({self._text_key: observation.text}, observation.text)

    @cached_property
    def _filling(self) -> Filling | None:
        if not isinstance(self.tool.output_schema, dict) or self._text_key is not None:
            return None
        filling = Filling(self.tool.output_schema, self.meaning, self.resource, self.clock)
        return filling if filling.is_usable else None

    @cached_property
    def _answers(self) -> list[tuple[Demonstration, Answer]]:
        return [(example, answer) for example in self.examples if (answer := json_of(example.observation)) is not None]

    @property
    def is_known(self) -> bool:
        """Whether the form follows from a schema or an example, and is not a guess."""
        return self._filling is not None or (bool(self.examples) and not self.borrowed)

    @property
    def fills(self) -> bool:
        """Whether an output schema is filled, which may ask for more than is known."""
        return self._filling is not None

    def borrows_hashes(self, observation: Observation, arguments: dict[str, JSON]) -> bool:
        """Whether an answer shows a hash that an example shows and nobody sent: no new thing can have it by right."""
        sent = canonical(arguments)
        hashes = {found for found in _HASH.findall(observation.text[:_LONGEST]) if found not in sent}
        return any(found in example.observation.text[:_LONGEST] for found in hashes for example in self.examples)

    @cached_property
    def shown_hashes(self) -> frozenset[str]:
        """The hashes that the examples show, of answers and of things."""
        things = [canonical(example.record) for example in self.resource.examples[:50]]
        return hashes_in([*things, *(example.observation.text for example in self.examples)])

    @property
    def is_foreign(self) -> bool:
        """Whether the examples show text of a kind that code cannot write."""
        legible = bool(self._answers) or self._text is not None
        return self._filling is None and bool(self.examples) and not legible and self.meaning.kind in ("get", "list", "search", "count")

    @cached_property
    def _text(self) -> Text | None:
        """The example in labelled lines that shows most, where the tool answers in such."""
        many = self.meaning.kind in ("list", "search")
        texts = [read_text(example.observation.text, many=many) for example in self.examples]
        legible = [text for text in texts if text is not None and any(self.resource.id_key in record for record in text.records)]
        return max(legible, key=lambda text: len(text.blocks), default=None)

    @cached_property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys of a thing that the examples show, in their order."""
        many = self.meaning.kind in ("list", "search")
        keys: dict[str, None] = {}
        for example in self.examples:
            for record in records_in(example.observation, self.resource.name, many=many):
                keys.update(dict.fromkeys(record))
        return tuple(keys)

    @cached_property
    def needed_keys(self) -> frozenset[str]:
        """The keys that every thing has in every example."""
        many = self.meaning.kind in ("list", "search")
        records = [record for example in self.examples for record in records_in(example.observation, self.resource.name, many=many)]
        return frozenset.intersection(*map(frozenset, records)) if records else frozenset()

    def shows(self, record: Record) -> bool:
        """Whether the examples tell how a thing with these fields is shown."""
        if not self.needed_keys <= record.keys():
            return False
        free = any(tool.wrapper for tool in self.resource.tools)  # may have been given fields of any name
        own = {k for k, v in record.items() if (free or snake(k) in self.resource.fields) and v not in (None, [], "")}
        return not self.learned or own <= set(self.shown_keys)

    def projected(self, record: Record) -> Record:
        """Return a thing as this tool shows it."""
        if not self.shown_keys:
            return record
        shown = {key: record[key] for key in self.shown_keys if key in record}
        return shown or record

    def one(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that shows one thing: of a get, or after it was made or changed."""
        if self.meaning.facet and field_named(record, self.meaning.facet) is not None:
            record = self._of_facet(record)
        bare = self._text_key is not None or (self.resource.id_key == "path" and not self.examples and self.tool.output_schema is None)
        if self.meaning.verb == "read" and bare and isinstance(record.get("content"), str):
            return self.told(_part_of(record["content"], arguments))
        return self._boxed(self._one(record, arguments, random))

    def _of_facet(self, record: Record) -> Record:
        """Return of a thing its id, the one field that is asked for, and what that is measured in."""
        beside = {key: value for key, value in record.items() if snake(key) in ("currency", "unit", "name", "updated_at")}
        key = self.meaning.id or self.resource.id_key
        return {key: record.get(self.resource.id_key), self.meaning.facet: field_named(record, self.meaning.facet), **beside}

    def _one(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        if self._filling is not None:
            return self._structured(self._filling.filled(record, arguments, random))
        example, answer = self._nearest(arguments)
        if example is not None and answer is None:
            if self._text is not None:
                return Observation.of_text(self._text.written([record]))
            return text_swapped(example, record, arguments, self.resource)
        if answer is None:
            return _written(PLAIN, record)
        path = thing_path(answer.value, self.resource.name)
        if path is None:
            return _written(answer, [self.projected(record)] if isinstance(answer.value, list) else record)
        thing = at(answer.value, path)
        if self.resource.id_key in thing or len(set(thing) & set(record)) * 2 > len(thing) or path:
            return _written(answer, replaced(answer.value, path, self.projected(record)))
        return self._acknowledged(record, arguments)

    def many(self, records: Sequence[Record], cut: Cut, random: Random) -> Observation:
        """Return the answer that lists things."""
        return self._boxed(self._many(records, cut, random))

    def _many(self, records: Sequence[Record], cut: Cut, random: Random) -> Observation:
        if self._filling is not None:
            return self._structured(self._filling.filled_list(records, cut, random))
        answer = self._nearest_list()
        if answer is None and self._text is not None:
            return Observation.of_text(self._text.written(records)) if records else self._nothing()
        items: JSON = [self.projected(record) for record in records]
        if answer is None:
            return _written(PLAIN, self._plain_list(items, cut))
        path = list_path(answer.value, self.resource.name)
        if path is None and self.meaning.items and records:
            return self._acknowledged(records[0], dict(cut.arguments))
        if path is None:
            return _written(answer, items)
        before = len(at(answer.value, path))
        answer = replace(answer, lead=recounted(answer.lead, before, len(records)))
        value = replaced(answer.value, path, items)
        for depth in range(len(path)):
            envelope = at(value, path[:depth])
            if isinstance(envelope, dict):
                value = replaced(value, path[:depth], told(envelope, cut, before))
        return _written(answer, value)

    def _nothing(self) -> Observation:
        """Return the answer that lists nothing in words."""
        return Observation.of_text(f"No {self.resource.plural.replace('_', ' ')} found")

    def done(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that only says that it was done: of a deletion."""
        return self._boxed(self._done(record, arguments, random))

    def _done(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        if self._filling is not None:
            return self._structured(self._filling.filled(record, arguments, random))
        example, answer = self._nearest(arguments)
        if example is not None and answer is None:
            return text_swapped(example, record, arguments, self.resource)
        if answer is not None:
            return self._acknowledged(record, arguments)
        text = f"{self.resource.title} {id_text(record.get(self.resource.id_key))} deleted"
        return Observation.of_text(text)

    def counted(self, total: int, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that tells a number."""
        if self._filling is not None:
            value = self._filling.filled({"count": total, "total": total, "total_count": total}, arguments, random)
            return self._structured(value)
        _, answer = self._nearest(arguments)
        if answer is not None and isinstance(answer.value, dict):
            return _written(answer, {k: total if isinstance(v, int) and not isinstance(v, bool) else v for k, v in answer.value.items()})
        return _written(PLAIN, {"count": total}) if not self.examples else Observation.of_text(str(total))

    def _plain_list(self, items: JSON, cut: Cut) -> JSON:
        many = self.resource.plural if self.meaning.resource else "results"
        if self.meaning.cursor:
            return {many: items, self.resource.spelled("next", "cursor"): cut.next_cursor or None}
        if self.meaning.kind == "search" or self.meaning.page or self.meaning.offset:
            return {self.resource.spelled("total", "count"): cut.total, many: items}
        return items

    def _nearest(self, arguments: dict[str, JSON]) -> tuple[Demonstration | None, Answer | None]:
        if not self.examples:
            return None, None
        answers = {id(example): answer for example, answer in self._answers}
        best = max(self.examples, key=lambda example: (id(example) in answers, _likeness(example.action.arguments, arguments)))
        return best, answers.get(id(best))

    def _nearest_list(self) -> Answer | None:
        best = max(self._answers, key=lambda pair: len(things_in(pair[1].value, self.resource.name, many=True)), default=(None, None))
        return best[1]

    def _acknowledged(self, record: Record, arguments: dict[str, JSON]) -> Observation:
        example, answer = self._nearest(arguments)
        if example is None or answer is None:
            return _written(PLAIN, record)
        swaps = swaps_of(example, arguments, id_text(record.get(self.resource.id_key)))
        return _written(answer, self._with_thing(swapped(answer.value, swaps), record))

    def _with_thing(self, value: JSON, record: Record, depth: int = 0) -> JSON:
        """Put what is known of the thing where an acknowledgement shows it."""
        if isinstance(value, list) or depth > 4 or not isinstance(value, dict):
            return value
        identifier = record.get(self.resource.id_key)
        if identifier is not None and value.get(self.resource.id_key) == identifier:
            return {key: record.get(key, item) if not isinstance(item, dict | list) else item for key, item in value.items()}
        return {key: self._with_thing(item, record, depth + 1) for key, item in value.items()}

    def _structured(self, value: JSON) -> Observation:
        layout = self._answers[0][1] if self._answers else PLAIN
        return Observation.of_structured(value, layout.text_of(value))


def _part_of(text: str, arguments: dict[str, JSON]) -> str:
    """The lines that a read asks for: the first or the last so many, where it asks for a part."""
    head, tail = arguments.get("head"), arguments.get("tail")
    if isinstance(head, int) and not isinstance(head, bool):
        return "\n".join(text.split("\n")[: max(head, 0)])
    if isinstance(tail, int) and not isinstance(tail, bool):
        return "\n".join(text.split("\n")[-tail:]) if tail > 0 else ""
    return text


def _written(answer: Answer, value: JSON) -> Observation:
    text = answer.text_of(value)
    return Observation.of_structured(value, text if answer.texted else "") if answer.structured else Observation.of_text(text)


def _likeness(one: dict[str, JSON], other: dict[str, JSON]) -> float:
    same = sum(1 for key in one if key in other)
    return same - abs(len(one) - len(other)) / 10 + sum(0.1 for key in one if other.get(key) == one[key])
