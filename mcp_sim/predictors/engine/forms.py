"""The form of answers: the output schema first, else the nearest demonstration with its values replaced, else the thing as JSON text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.schema import Schema
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.arguments import snake
from mcp_sim.predictors.engine.collection import Record, id_text
from mcp_sim.predictors.engine.observed import PLAIN, Answer, Path, at, json_of, list_path, replaced, thing_path, things_in
from mcp_sim.predictors.engine.paging import Cut, told
from mcp_sim.predictors.engine.resource import Resource
from mcp_sim.predictors.engine.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.vocabulary import plural
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker

_DONE = {
    "create": "created added registered inserted",
    "delete": "deleted removed destroyed dropped closed",
    "update": "updated changed edited modified renamed moved",
    "add-member": "added updated",
    "remove-member": "removed updated",
}
_GOOD = frozenset("success ok successful succeeded acknowledged".split())


@dataclass(frozen=True)
class Form:
    """How one tool answers about one resource. `examples` are true answers of the tool, best first."""

    tool: ToolSpec
    meaning: ToolUnderstanding
    resource: Resource
    examples: tuple[Demonstration, ...]

    @cached_property
    def _schema(self) -> Schema | None:
        if not isinstance(self.tool.output_schema, dict):
            return None
        try:
            return Schema(self.tool.output_schema)
        except McpSimError:
            return None

    @cached_property
    def _maker(self) -> InstanceMaker | None:
        return InstanceMaker(self.tool.output_schema) if self._schema is not None else None

    @cached_property
    def _answers(self) -> list[tuple[Demonstration, Answer]]:
        return [(example, answer) for example in self.examples if (answer := json_of(example.observation)) is not None]

    @property
    def is_known(self) -> bool:
        """Whether the form follows from a schema or an example, and is not a guess."""
        return self._schema is not None or bool(self.examples)

    @property
    def is_foreign(self) -> bool:
        """Whether the examples show text of a kind that code cannot write."""
        return (
            self._schema is None and bool(self.examples) and not self._answers and self.meaning.kind in ("get", "list", "search", "count")
        )

    @cached_property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys of a thing that the examples show, in their order."""
        many = self.meaning.kind in ("list", "search")
        keys: dict[str, None] = {}
        for _, answer in self._answers:
            for record in things_in(answer.value, self.resource.name, many=many):
                keys.update(dict.fromkeys(record))
        return tuple(keys)

    def projected(self, record: Record) -> Record:
        """Return a thing as this tool shows it."""
        if not self.shown_keys:
            return record
        shown = {key: record[key] for key in self.shown_keys if key in record}
        return shown or record

    def one(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that shows one thing: of a get, or after it was made or changed."""
        if self._schema is not None:
            return self._structured(self._filled(record, arguments, random))
        example, answer = self._nearest(arguments)
        if example is not None and answer is None:
            return _text_swapped(example, record, arguments, self.resource)
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
        if self._schema is not None:
            return self._structured(self._filled_list(records, cut, random))
        answer = self._nearest_list()
        items: JSON = [self.projected(record) for record in records]
        if answer is None:
            return _written(PLAIN, self._plain_list(items, cut))
        path = list_path(answer.value, self.resource.name)
        if path is None:
            return _written(answer, items)
        before = len(at(answer.value, path))
        value = replaced(answer.value, path, items)
        for depth in range(len(path)):
            envelope = at(value, path[:depth])
            if isinstance(envelope, dict):
                value = replaced(value, path[:depth], told(envelope, cut, before))
        return _written(answer, value)

    def done(self, record: Record, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that only says that it was done: of a deletion."""
        if self._schema is not None:
            return self._structured(self._filled(record, arguments, random))
        example, answer = self._nearest(arguments)
        if example is not None and answer is None:
            return _text_swapped(example, record, arguments, self.resource)
        if answer is not None:
            return self._acknowledged(record, arguments)
        text = f"{self.resource.title} {id_text(record.get(self.resource.id_key))} deleted"
        return Observation.of_text(text)

    def counted(self, total: int, arguments: dict[str, JSON], random: Random) -> Observation:
        """Return the answer that tells a number."""
        if self._schema is not None:
            value = self._filled({"count": total, "total": total, "total_count": total}, arguments, random)
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
        swaps = _swaps(example, record, arguments, self.resource)
        return _written(answer, self._with_thing(_swapped_deep(answer.value, swaps), record))

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

    def _filled(self, record: Record, arguments: dict[str, JSON], random: Random) -> JSON:
        base = self._base(arguments, random)
        schema = self.tool.output_schema
        if not isinstance(base, dict) or not isinstance(schema, dict):
            return base
        path, inner = _schema_thing(schema, self.resource.name)
        id_ = record.get(self.resource.id_key)
        value = self._trimmed(base, schema, set(path[:1]), {snake(key) for key in record} if not path else set())
        verbs = _DONE.get(self.meaning.kind, "").split()
        overlays: list[tuple[Path, JSON]] = []
        if path:
            current = at(value, path) if _has(value, path) else {}
            overlays.append((path, self._overlaid(current if isinstance(current, dict) else {}, inner, record)))
            overlays.extend(((*path, key), new) for key, new in _matching(inner, record))
        else:
            overlays.extend(((key,), new) for key, new in _matching(schema, record))
        for key in _properties(schema):
            if snake(key) in _GOOD or snake(key) in verbs:
                shown = _properties(schema)[key]
                kind = shown.get("type") if isinstance(shown, dict) else None
                overlays.append(((key,), id_ if kind in ("string", "integer", "number") and snake(key) in verbs else True))
                if kind == "object":
                    overlays[-1] = ((key,), self._overlaid({}, shown, record))
        for key, new in arguments.items():
            if key in _properties(schema) and not any(p[:1] == (key,) for p, _ in overlays):
                overlays.append(((key,), new))
        return self._laid_over(value, overlays, base)

    def _filled_list(self, records: Sequence[Record], cut: Cut, random: Random) -> JSON:
        arguments = dict(cut.arguments)
        base = self._base(arguments, random)
        schema = self.tool.output_schema
        found = _schema_list(schema, self.resource.name) if isinstance(schema, dict) else None
        if found is None:
            return base
        path, items = found
        pattern = self._item(items, random)
        rows = [self._overlaid(pattern, items, record) for record in records]
        value = self._trimmed(base, schema, set(path[:1]), set()) if isinstance(base, dict) and isinstance(schema, dict) else base
        if path and not _has(value, path[:-1]):
            return base
        value = _set(value, path, rows)
        if isinstance(value, dict):
            value = told(value, cut, -1)
        checked = self._laid_over(value, [((key,), arguments[key]) for key in arguments if key in _properties(schema)], base)
        if checked is base and self._schema is not None:  # a row may break the schema of rows: fall back to patterns that only carry ids
            rows = [self._laid_over_row(pattern, items, record) for record in records]
            checked = self._laid_over(_set(value, path, rows), [], base)
        return checked

    def _base(self, arguments: dict[str, JSON], random: Random) -> JSON:
        assert self._maker is not None
        return self._maker.make(random, Hints(arguments=arguments, subject=self.resource.name.replace("_", " ")))

    def _item(self, schema: dict[str, JSON], random: Random) -> Record:
        root = self.tool.output_schema if isinstance(self.tool.output_schema, dict) else {}
        definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
        try:
            made = InstanceMaker({**definitions, **schema}).make(random, Hints())
        except McpSimError:
            made = {}
        return made if isinstance(made, dict) else {}

    def _trimmed(self, base: JSON, schema: dict[str, JSON], keep: set[Any], snakes: set[str]) -> dict[str, JSON]:
        """Drop what the schema does not ask for and nothing is known of."""
        required = schema.get("required")
        needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
        return {key: value for key, value in base.items() if key in needed or key in keep or snake(key) in snakes}

    def _overlaid(self, pattern: Record, schema: dict[str, JSON], record: Record) -> Record:
        value = self._trimmed(pattern, schema, set(), {snake(key) for key in record})
        value.update(_matching(schema, record))
        return value

    def _laid_over_row(self, pattern: Record, schema: dict[str, JSON], record: Record) -> Record:
        root = self.tool.output_schema if isinstance(self.tool.output_schema, dict) else {}
        definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
        checker = Schema({**definitions, **schema})
        value = pattern
        for key, new in _matching(schema, record):
            if checker.is_valid({**value, key: new}):
                value = {**value, key: new}
        return value

    def _laid_over(self, value: JSON, overlays: list[tuple[Path, JSON]], base: JSON) -> JSON:
        """Lay values over another one, all at once or else one by one, as far as the schema allows; `base` if nothing holds."""
        assert self._schema is not None
        whole = value
        for path, new in overlays:
            whole = _set(whole, path, new)
        if self._holds(whole):
            return whole
        result = value if self._holds(value) else base
        for path, new in overlays:
            trial = _set(result, path, new)
            if self._holds(trial):
                result = trial
        return result

    def _holds(self, value: JSON) -> bool:
        assert self._schema is not None
        try:
            return self._schema.is_valid(value)
        except McpSimError:
            return False


def _written(answer: Answer, value: JSON) -> Observation:
    text = answer.text_of(value)
    return Observation.of_structured(value, text if answer.texted else "") if answer.structured else Observation.of_text(text)


def _properties(schema: JSON) -> dict[str, JSON]:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _matching(schema: JSON, record: Record) -> list[tuple[str, JSON]]:
    """The properties of a schema that a record has a value for."""
    by_snake = {snake(key): value for key, value in record.items()}
    properties = _properties(schema)
    if not properties:
        return list(record.items())
    return [(key, by_snake[snake(key)]) for key in properties if snake(key) in by_snake]


def _schema_thing(schema: dict[str, JSON], resource: str) -> tuple[Path, dict[str, JSON]]:
    last = resource.rsplit("_", maxsplit=1)[-1]
    for key, part in _properties(schema).items():
        if isinstance(part, dict) and _properties(part) and snake(key) in (resource, last, "result", "data", "item"):
            return (key,), part
    return (), schema


def _schema_list(schema: dict[str, JSON], resource: str, depth: int = 0) -> tuple[Path, dict[str, JSON]] | None:
    if schema.get("type") == "array":
        items = schema.get("items")
        return (), items if isinstance(items, dict) else {}
    arrays = {
        key: part for key, part in _properties(schema).items() if isinstance(part, dict) and isinstance(part.get("items"), dict | bool)
    }
    many = {plural(resource), plural(resource.rsplit("_", maxsplit=1)[-1]), "items", "results", "data", "result"}
    key = next((key for key in arrays if snake(key) in many), next(iter(arrays), None) if len(arrays) == 1 else None)
    if key is not None:
        items = arrays[key]["items"]
        return (key,), items if isinstance(items, dict) else {}
    for name, part in _properties(schema).items():
        if isinstance(part, dict) and depth < 3 and (inner := _schema_list(part, resource, depth + 1)):
            return (name, *inner[0]), inner[1]
    return None


def _has(value: JSON, path: Path) -> bool:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def _set(value: JSON, path: Path, new: JSON) -> JSON:
    if not path:
        return new
    base = value if isinstance(value, dict) else {}
    return {**base, str(path[0]): _set(base.get(str(path[0])), path[1:], new)}


def _likeness(one: dict[str, JSON], other: dict[str, JSON]) -> float:
    same = sum(1 for key in one if key in other)
    return same - abs(len(one) - len(other)) / 10 + sum(0.1 for key in one if other.get(key) == one[key])


def _swaps(example: Demonstration, record: Record, arguments: dict[str, JSON], resource: Resource) -> list[tuple[JSON, JSON]]:
    """What to put in the place of what the example was asked with."""
    swaps = [
        (old, arguments[key])
        for key, old in example.action.arguments.items()
        if key in arguments and isinstance(old, str | int) and not isinstance(old, bool) and old != ""
    ]
    return sorted(swaps, key=lambda swap: -len(str(swap[0])))


def _swapped_deep(value: JSON, swaps: list[tuple[JSON, JSON]], depth: int = 0) -> JSON:
    if isinstance(value, dict) and depth < 20:
        return {key: _swapped_deep(item, swaps, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < 20:
        return [_swapped_deep(item, swaps, depth + 1) for item in value]
    for old, new in swaps:
        if value == old and type(value) is type(old):
            return new
    if isinstance(value, str):
        return swapped_text(value, swaps)
    return value


def swapped_text(text: str, swaps: list[tuple[JSON, JSON]]) -> str:
    """Replace in one pass, so that what was put in is not replaced again."""
    pieces: list[str] = [text]
    for old, new in swaps:
        before = id_text(old)
        if not before or len(before) > 2000:
            continue
        split: list[str] = []
        for index, piece in enumerate(pieces):
            if index % 2:
                split.append(piece)
                continue
            parts = piece.split(before)
            for at_, part in enumerate(parts):
                split.append(part)
                if at_ < len(parts) - 1:
                    split.append(id_text(new))
        pieces = split
    return "".join(pieces)


def _text_swapped(example: Demonstration, record: Record, arguments: dict[str, JSON], resource: Resource) -> Observation:
    swaps = _swaps(example, record, arguments, resource)
    given = {id_text(old) for old, _ in swaps}
    text = example.observation.text
    new_id = id_text(record.get(resource.id_key))
    if not any(id_text(new) == new_id for _, new in swaps):
        token = next(
            (word for word in _tokens(text) if word not in given and resource.style.fits(word) and any(c.isdigit() for c in word)), None
        )
        if token is not None:
            swaps.append((token, new_id))
    return Observation.of_text(swapped_text(text, swaps))


def _tokens(text: str) -> list[str]:
    return [word.strip(".,:;!?()[]{}\"'`#") for word in text[:2000].split()]
