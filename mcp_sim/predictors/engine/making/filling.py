"""Answers that follow an output schema."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import Random
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Schema
from mcp_sim.core.tool_spec import words
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.observed import Path, at
from mcp_sim.predictors.engine.shown.schemas import list_in_schema, matching_properties, properties_of, thing_in_schema
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.paging import Cut, told
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
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
class Filling:
    """Fills what is known into values of one tool's output schema.

    Building it raises `SetupError` where the schema cannot be used.
    """

    output_schema: dict[str, JSON]
    meaning: ToolUnderstanding
    resource: Resource
    clock: datetime

    @cached_property
    def _schema(self) -> Schema:
        return Schema(self.output_schema)

    @cached_property
    def _maker(self) -> InstanceMaker:
        return InstanceMaker(self.output_schema)

    @property
    def is_usable(self) -> bool:
        """Whether the schema can be used at all."""
        try:
            return self._schema is not None and self._maker is not None
        except McpSimError:
            return False

    def filled(self, record: Record, arguments: dict[str, JSON], random: Random) -> JSON:
        """Return the answer that shows a thing, or says that it was done.

        Raises:
            PredictionError: no value of the schema could be made.
        """
        base = self._base(arguments, random)
        schema = self.output_schema
        if not isinstance(base, dict) or not isinstance(schema, dict):
            return base
        path, inner = thing_in_schema(schema, self.resource.name)
        id_ = record.get(self.resource.id_key)
        value = self._trimmed(base, schema, set(path[:1]), {snake(key) for key in record} if not path else set())
        verbs = _DONE.get(self.meaning.kind, "").split()
        overlays: list[tuple[Path, JSON]] = []
        if path:
            current = at(value, path) if _has(value, path) else {}
            overlays.append((path, self._overlaid(current if isinstance(current, dict) else {}, inner, record)))
            overlays.extend(((*path, key), new) for key, new in matching_properties(inner, record))
        else:
            overlays.extend(((key,), new) for key, new in matching_properties(schema, record))
        for key in properties_of(schema):
            if id_ is not None and snake(key) in (f"{self.resource.name}_{self.resource.id_key}", f"{self.resource.name}_id"):
                overlays.append(((key,), id_))
            if snake(key) in _GOOD or snake(key) in verbs:
                shown = properties_of(schema)[key]
                kind = shown.get("type") if isinstance(shown, dict) else None
                overlays.append(((key,), id_ if kind in ("string", "integer", "number") and snake(key) in verbs else True))
                if kind == "object":
                    overlays[-1] = ((key,), self._overlaid({}, shown, record))
        if verbs and "message" in properties_of(schema) and "message" not in {snake(key) for key in (*record, *arguments)}:
            said = " ".join(part for part in (self.resource.title, "" if id_ is None else id_text(id_), verbs[0]) if part)
            overlays.append((("message",), said))
        for key, new in arguments.items():
            if key in properties_of(schema) and not any(p[:1] == (key,) for p, _ in overlays):
                overlays.append(((key,), new))
        return self._laid_over(value, overlays, base)

    def filled_list(self, records: Sequence[Record], cut: Cut, random: Random) -> JSON:
        """Return the answer that lists things.

        Raises:
            PredictionError: no value of the schema could be made.
        """
        arguments = dict(cut.arguments)
        base = self._base(arguments, random)
        schema = self.output_schema
        found = list_in_schema(schema, self.resource.name) if isinstance(schema, dict) else None
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
        echoed: list[tuple[Path, JSON]] = [
            ((key,), arguments[key]) for key in arguments if key in properties_of(schema) and (key,) != path[:1]
        ]
        checked = self._laid_over(value, echoed, base)
        if checked is base:  # a row may break the schema of rows: fall back to patterns that only carry ids
            rows = [self._laid_over_row(pattern, items, record) for record in records]
            checked = self._laid_over(_set(value, path, rows), [], base)
        return checked

    def _base(self, arguments: dict[str, JSON], random: Random) -> JSON:
        topic = tuple(words(self.meaning.tool))
        return self._maker.make(random, Hints(arguments, self.clock, self.resource.name.replace("_", " "), topic))

    def _item(self, schema: dict[str, JSON], random: Random) -> Record:
        root = self.output_schema
        definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
        try:
            made = InstanceMaker({**definitions, **schema}).make(random, Hints(now=self.clock))
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
        value.update(matching_properties(schema, record))
        return value

    def _laid_over_row(self, pattern: Record, schema: dict[str, JSON], record: Record) -> Record:
        root = self.output_schema
        definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
        checker = Schema({**definitions, **schema})
        value = pattern
        for key, new in matching_properties(schema, record):
            if checker.is_valid({**value, key: new}):
                value = {**value, key: new}
        return value

    def _laid_over(self, value: JSON, overlays: list[tuple[Path, JSON]], base: JSON) -> JSON:
        """Lay values over another one, all at once or else one by one, as far as the schema allows; `base` if nothing holds."""
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
        try:
            return self._schema.is_valid(value)
        except McpSimError:
            return False


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
