"""Making things: what was sent, and what else such a thing has."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.schema import Schema
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.arguments import snake
from mcp_sim.predictors.engine.background import Background
from mcp_sim.predictors.engine.collection import Record, id_text
from mcp_sim.predictors.engine.moments import is_moment, moment_like, tells_change, tells_creation, tells_end
from mcp_sim.predictors.engine.resource import Example, Resource
from mcp_sim.predictors.engine.schemas import matching_properties
from mcp_sim.predictors.engine.vocabulary import plural, singular
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker

_TITLES = frozenset("title name subject summary display_name label topic headline".split())
_TEXTS = frozenset("body description content text message comment notes note details".split())
_PEOPLE = frozenset(
    "user author owner assignee assignees creator reporter login username created_by updated_by sender member members".split()
)
_COUNTS = frozenset("comments count total size additions deletions changes commits reactions replies views likes stars forks".split())
_STATES = frozenset({"state", "status"})
_FIRST_STATES = ("open", "opened", "active", "todo", "to_do", "backlog", "new", "draft", "pending", "created", "enabled", "running")
_NAMES = ("login", "name", "username", "displayName", "display_name", "ref", "value", "title", "id", "content", "text")


@dataclass(frozen=True)
class Making:
    """Makes records of one resource in one world."""

    resource: Resource
    world: World
    background: Background
    seen: Mapping[tuple[str, JSON], Record]

    def fresh(self, identifier: JSON, parents: Mapping[str, JSON], sent: Record, now: datetime, random: Random) -> Record:
        """Return the record of a thing just made: what was sent, its id, its times, and what a new one has besides."""
        resource = self.resource
        record: Record = {}
        example = next((example for example in resource.examples if example.kind == "create"), None)
        best = resource.best_example
        if example is not None:
            record = self._adapted(example, identifier, parents, sent, now, random, made=True)
        if best is not None:
            record = {**self._adapted(best, identifier, parents, sent, now, random, made=best.kind == "create"), **record}
        if not record:
            record = {resource.id_key: identifier, **parents}
            record.update({key: value for key, value in sent.items() if key != resource.id_key})
            for key in self._state_keys(sent):
                record[key] = self._first_state(key)
            if resource.schema is not None:
                return self._completed(record, now, random)
            record[resource.spelled("created", "at")] = moment_like(None, now)
            record[resource.spelled("updated", "at")] = moment_like(None, now)
            return record
        known = {snake(key) for key in record}
        record.update({key: value for key, value in (*parents.items(), *sent.items()) if snake(key) not in known and self._is_shown(key)})
        return record

    def _completed(self, record: Record, now: datetime, random: Random) -> Record:
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
        names = {snake(key) for key in shown}
        return {**{key: value for key, value in record.items() if snake(key) not in names}, **shown}

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
            result[own] = self._fitted(own, value, record.get(own))
        sent_names = {snake(name) for name in sent}
        sample = next((value for value in record.values() if is_moment(value) and isinstance(value, str)), None)
        words_now = {str(value).lower() for key, value in result.items() if snake(key) in _STATES or value is True}
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
        sent = self.imagined(random)
        resource = self.resource
        if resource.named or resource.style.style == "slug":
            sent[resource.id_key] = identifier
        if resource.best_example is not None:
            record = self._adapted(resource.best_example, identifier, parents, sent, made, random, made=False, touched=touched)
        else:
            record = self.fresh(identifier, parents, sent, made, random)
        for key, value in record.items():
            if tells_change(key) and is_moment(value):
                record[key] = moment_like(value, touched)
        return record

    def name_of(self, sent: Record) -> str:
        """Return what a thing is called, to make a slug of."""
        return next((value for key, value in sent.items() if snake(key) in _TITLES and isinstance(value, str)), "")

    def _is_shown(self, key: str) -> bool:
        """Whether a field that no example shows is shown all the same: where no demonstration tells what servers leave out."""
        return False if self.resource.examples else bool(key)

    def _state_keys(self, sent: Record) -> list[str]:
        sent_keys = {snake(key) for key in sent}
        return [key for key in (*self.resource.fields, *sorted(self.resource.filters)) if key in _STATES and key not in sent_keys][:1]

    def _first_state(self, key: str) -> str:
        argument = self.resource.fields.get(key)
        options = [option for option in (argument.enum if argument else []) if isinstance(option, str)]
        if argument is not None and isinstance(argument.default, str) and argument.default not in ("all", "any"):
            return argument.default
        return next((option for option in options if option.lower() in _FIRST_STATES), options[0] if options else "open")

    @cached_property
    def _properties(self) -> tuple[dict[str, JSON], dict[str, JSON]]:
        """The schemas of the fields that the resource is made with, and the definitions that they refer to."""
        properties: dict[str, JSON] = {}
        definitions: dict[str, JSON] = {}
        for tool in self.resource.tools:
            schema = self.world.tools_by_name[tool.tool].input_schema
            definitions.update({key: schema[key] for key in ("$defs", "definitions") if key in schema})
        for argument in list(self.resource.fields.values())[:40]:
            if not argument.is_control and not argument.snake.startswith("new_") and argument.snake not in ("parent", "after", "before"):
                properties[argument.name] = argument.schema
        if not properties:
            name = {} if self.resource.named else {"name": {"type": "string"}}
            properties = {**name, "description": {"type": "string"}}
        return properties, definitions

    @cached_property
    def _maker(self) -> InstanceMaker | None:
        properties, definitions = self._properties
        try:
            return InstanceMaker({"type": "object", "properties": properties, "required": list(properties), **definitions})
        except McpSimError:
            return None

    def imagined(self, random: Random) -> Record:
        """Return values for the fields that the resource is made with, true to their schemas and in the words of the background."""
        properties = self._properties[0]
        try:
            made: Any = self._maker.make(random, Hints()) if self._maker is not None else {}
        except McpSimError:
            made = {}
        record: Record = made if isinstance(made, dict) else {}
        return {key: self._grounded(key, value, random) for key, value in record.items() if key in properties}

    def _grounded(self, key: str, value: JSON, random: Random) -> JSON:
        """Say a value in the words of the background, where it has any."""
        name = snake(key)
        argument = self.resource.fields.get(name)
        if argument is not None and argument.enum:
            return self._weighted(name, value, random)
        if isinstance(value, str):
            subject = self.background.subject(random)
            if name in _TITLES and subject and not (argument and "pattern" in argument.schema):
                return f"{random.choice(('Review', 'Update', 'Check', 'Plan', 'Document', 'Prepare', 'Follow up on'))} {subject}"
            if name in _TEXTS and self.background.sentences:
                return random.choice(self.background.sentences)
            if name in _PEOPLE:
                return self._person(random) or value
        if isinstance(value, list) and name in _PEOPLE and (self.background.handles or self.background.people):
            return [self._person(random)] if random.random() < 0.6 else []
        return value

    def _person(self, random: Random) -> str:
        return random.choice(self.background.handles) if self.background.handles else self.background.person(random)

    def _weighted(self, name: str, value: JSON, random: Random) -> JSON:
        return self._first_state(name) if name in _STATES and random.random() < 0.6 else value

    def _adapted(
        self,
        example: Example,
        identifier: JSON,
        parents: Mapping[str, JSON],
        sent: Record,
        now: datetime,
        random: Random,
        *,
        made: bool,
        touched: datetime | None = None,
    ) -> Record:
        """Return the example's record as one of another thing.

        With `made` the example itself shows a new thing; otherwise what only an older one has (counts, flags, an end) is taken back, unless
        the thing is one that was `touched` since it was made.
        """
        by_snake = {snake(key): value for key, value in sent.items()}
        asked = {snake(key): value for key, value in example.arguments.items()}
        swaps = self._swaps(example, identifier, {**parents, **(sent if made else {})})
        record: Record = {}
        for key, value in example.record.items():
            name = snake(key)
            if key == self.resource.id_key:
                record[key] = identifier
            elif key in parents:
                record[key] = parents[key]
            elif name in by_snake and not (touched and isinstance(value, dict)):
                record[key] = self._fitted(key, by_snake[name], value)
            elif tells_creation(key) and is_moment(value):
                record[key] = moment_like(value, now)
            elif is_moment(value) and (tells_change(key) or (made and not tells_end(key))):
                record[key] = moment_like(value, touched or now)
            elif made and not (name in asked and name in self.resource.fields):
                record[key] = _swapped(value, swaps, random, key)
            else:
                record[key] = self._older(key, value, swaps, random) if touched else self._newer(key, value, swaps, random)
        if isinstance(by_snake.get("content"), str) and "size" in record:
            record["size"] = len(by_snake["content"].encode("utf-8", "replace"))
        if record.get("encoding") == "base64" and isinstance(by_snake.get("content"), str):
            record["content"] = base64.b64encode(by_snake["content"].encode("utf-8", "replace")).decode()
        return record

    def _swaps(self, example: Example, identifier: JSON, new: Mapping[str, JSON]) -> list[tuple[str, str]]:
        """What to put in the place of the example's own id, parents and arguments."""
        old = example.record.get(self.resource.id_key)
        swaps = [(id_text(old), id_text(identifier))] if old is not None else []
        if swaps and "/" in swaps[0][0]:  # a path: its last part is a name as well
            swaps.append((swaps[0][0].rsplit("/", 1)[-1], swaps[0][1].rsplit("/", 1)[-1]))
        for key, value in new.items():
            before = next((v for k, v in example.arguments.items() if snake(k) == snake(key)), None)
            if isinstance(before, str | int) and isinstance(value, str | int) and 0 < len(id_text(before)) < 200:
                swaps.append((id_text(before), id_text(value)))
        return swaps

    def _newer(self, key: str, value: JSON, swaps: list[tuple[str, str]], random: Random) -> JSON:
        name = snake(key)
        if name in ("node_id", "sha", "etag", "id"):
            return _swapped(value, swaps, random, key)
        if name in _STATES and isinstance(value, str):
            return self._first_state(name) if name in self.resource.fields or name in self.resource.filters else value
        if isinstance(value, bool):
            return False if name in self.resource.fields or name not in ("active", "enabled", "open", "visible") else value
        if isinstance(value, int) and (name in _COUNTS or name.endswith("_count")):
            return 0
        if name in self.resource.fields or is_moment(value):
            return [] if isinstance(value, list) else None
        return _swapped(value, swaps, random, key)

    def _older(self, key: str, value: JSON, swaps: list[tuple[str, str]], random: Random) -> JSON:
        name = snake(key)
        seen = [example.record[key] for example in self.resource.examples if key in example.record]
        if isinstance(value, int) and not isinstance(value, bool) and (name in _COUNTS or name.endswith("_count")):
            return random.randint(0, 9)
        if isinstance(value, str) and (name in _TITLES or name in _TEXTS):
            return self._imagined_text(name, value, random)
        if seen and (isinstance(value, dict | list | bool) or name in _STATES):
            return _swapped(random.choice(seen), swaps, random, key)
        return _swapped(value, swaps, random, key)

    def _imagined_text(self, name: str, value: str, random: Random) -> str:
        made = self._grounded(name, value, random)
        return made if isinstance(made, str) else value

    def _fitted(self, key: str, sent: JSON, shown: JSON) -> JSON:
        """Return what was sent in the form in which the server shows it: a login as a user, a label's name as a label."""
        samples = [example.record.get(key) for example in self.resource.examples]
        if isinstance(sent, list) and all(isinstance(item, str | int) for item in sent):
            pattern = next(
                (item for sample in [shown, *samples] if isinstance(sample, list) for item in sample if isinstance(item, dict)), None
            )
            if pattern is not None:
                return [self._named(pattern, item) for item in sent]
        if isinstance(sent, str | int) and not isinstance(sent, bool):
            pattern = next((sample for sample in [shown, *samples] if isinstance(sample, dict)), None)
            if pattern is not None:
                return self._named(pattern, sent)
        return sent

    def _named(self, pattern: Record, name: JSON) -> JSON:
        """Return the object of that name: one that the demonstrations show, else the pattern with its name replaced."""
        keys = [key for key in _NAMES if key in pattern and isinstance(pattern[key], type(name))]
        if not keys:
            return name
        known = self.seen.get((keys[0], name))
        if known is not None and set(pattern) <= set(known):
            return {key: known[key] for key in pattern}
        before = str(pattern[keys[0]])
        made: Record = {}
        for key, value in pattern.items():
            if key == keys[0]:
                made[key] = name
            elif isinstance(value, str) and before:
                made[key] = _boundary(before).sub(str(name).replace("\\", "\\\\"), value)
            elif isinstance(value, int) and not isinstance(value, bool):
                made[key] = Random(str(name)).randrange(1000, 99_999)
            else:
                made[key] = value
        return made


def field_named(record: Record, name: str) -> JSON:
    """Return a field of a record by a name in one or many, `None` if it has none such."""
    if name in record:
        return record[name]
    by_snake = {snake(key): value for key, value in record.items()}
    return next((by_snake[spelled] for spelled in _spellings(name) if spelled in by_snake), None)


@lru_cache(maxsize=5_000)
def _spellings(name: str) -> tuple[str, ...]:
    return (name, plural(name), singular(name), f"{name}_id", name.removesuffix("_id"), f"is_{name}")


def _boundary(text: str) -> re.Pattern[str]:
    """A name as a whole: not the beginning or the end of a longer one."""
    return re.compile(rf"(?<!\d){re.escape(text)}(?!\d)" if text.isdigit() else rf"(?<![\w-]){re.escape(text)}(?![\w-])")


def _swapped(value: JSON, swaps: list[tuple[str, str]], random: Random, key: str, depth: int = 0) -> JSON:
    """Return a value of the example with the old thing's names replaced by the new one's, and other identifiers by others."""
    if isinstance(value, dict) and depth < 12:
        return {name: _swapped(item, swaps, random, name, depth + 1) if _refers(item, swaps) else item for name, item in value.items()}
    if isinstance(value, list) and depth < 12:
        return [_swapped(item, swaps, random, key, depth + 1) for item in value]
    name = snake(key)
    if isinstance(value, str):
        for old, new in swaps:
            if value == old:
                return new
            if old and ("/" in value or "#" in value):
                value = _boundary(old).sub(new.replace("\\", "\\\\"), value)
        if depth == 0 and name in ("node_id", "sha", "etag", "uuid", "gid"):
            digits = "0123456789abcdef"
            return "".join(random.choice(digits) if letter in digits else letter for letter in value)
        return value
    if isinstance(value, int) and not isinstance(value, bool) and depth == 0 and name == "id":
        old, new = swaps[0] if swaps else ("", "")
        text = str(value)
        if old and text != old and text.endswith(old) and new.isdigit() and len(new) <= len(text):
            return int(text[: len(text) - max(len(old), len(new))] + new.rjust(max(len(old), len(new)), "0"))
        return random.randrange(10 ** (len(text) - 1), 10 ** len(text))
    return value


def _refers(value: JSON, swaps: list[tuple[str, str]]) -> bool:
    return isinstance(value, dict | list) or (isinstance(value, str) and "/" in value and any(old and old in value for old, _ in swaps))
