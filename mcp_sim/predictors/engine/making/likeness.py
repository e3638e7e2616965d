"""Things made in the likeness of a demonstrated one."""

import base64
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.kept.blobs import of_file
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.making.imagining import COUNTS, STATES, TEXTS, TITLES, Imagining
from mcp_sim.predictors.engine.resources.resource import Example, Resource
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.instances.moments import is_moment, moment_like, tells_change, tells_creation, tells_end

_OWN_NAMES = frozenset({"name", "login", "slug", "username", "path"})
_NAMES = ("login", "name", "username", "displayName", "display_name", "ref", "value", "title", "id", "content", "text")


@dataclass(frozen=True)
class Likeness:
    """Makes records of one resource after its examples. `seen` are the named objects that the demonstrations show, by key and name."""

    resource: Resource
    imagining: Imagining
    seen: Mapping[tuple[str, JSON], Record]

    def adapted(
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
        known: Container[str] = (),
    ) -> Record:
        """Return the example's record as one of another thing, without the keys that are `known` already.

        With `made` the example itself shows a new thing; otherwise what only an older one has (counts, flags, an end) is taken back, unless
        the thing is one that was `touched` since it was made.
        """
        by_snake = {snake(key): value for key, value in sent.items()}
        asked = {snake(key): value for key, value in example.arguments.items()}
        swaps = self._swaps(example, identifier, {**parents, **(sent if made else {})})
        for key, value in example.record.items():  # the addresses of a thing end in its name
            new = by_snake.get(snake(key))
            if snake(key) in _OWN_NAMES and isinstance(value, str) and isinstance(new, str) and 0 < len(value) < 200:
                swaps.append((value, new))
        record: Record = {}
        for key, value in example.record.items():
            name = snake(key)
            if key in known:
                continue
            if key == self.resource.id_key:
                record[key] = identifier
            elif key in parents:
                record[key] = parents[key]
            elif name in by_snake and not (touched and isinstance(value, dict)):
                record[key] = self.fitted(key, by_snake[name], value)
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
        record.update(self._states(example, record, by_snake) if made else {})
        text = by_snake.get("content", record.get("content") if touched and record.get("encoding") != "base64" else None)
        record.update(of_file(record, text))
        if record.get("encoding") == "base64" and isinstance(by_snake.get("content"), str):
            record["content"] = base64.b64encode(by_snake["content"].encode("utf-8", "replace")).decode()
        return record

    def _states(self, example: Example, record: Record, sent: Mapping[str, JSON]) -> Record:
        """Return the states that follow from what was asked for, where the example's does: `APPROVE` makes `APPROVED`."""
        found: Record = {}
        for key, value in record.items():
            for name, old in example.arguments.items() if snake(key) in STATES and isinstance(value, str) else ():
                new = sent.get(snake(name))
                if not isinstance(old, str) or not isinstance(new, str) or new == old or value.lower()[:4] != old.lower()[:4]:
                    continue
                stems = {part[:4] for part in words(new)}
                seen = [other.record.get(key) for other in self.resource.examples]
                like = (state for state in seen if isinstance(state, str) and stems <= {part[:4] for part in words(state)})
                ending = ("d" if new.lower().endswith("e") else "ed") if value.lower() != old.lower() else ""
                found[key] = next(like, new + (ending.upper() if new.isupper() else ending))
        return found

    def _swaps(self, example: Example, identifier: JSON, new: Mapping[str, JSON]) -> list[tuple[str, str]]:
        """What to put in the place of the example's own id, parents and arguments."""
        old = example.record.get(self.resource.id_key)
        swaps = [(id_text(old), id_text(identifier))] if old is not None else []
        if swaps and "/" in swaps[0][0]:  # a path: its last part is a name as well
            swaps.append((swaps[0][0].rsplit("/", 1)[-1], swaps[0][1].rsplit("/", 1)[-1]))
        for key, value in new.items():
            usual = "main" if snake(key) in ("branch", "ref") else None
            before = next((v for k, v in example.arguments.items() if snake(k) == snake(key)), usual)
            if isinstance(before, str | int) and isinstance(value, str | int) and 0 < len(id_text(before)) < 200:
                swaps.append((id_text(before), id_text(value)))
        return swaps

    def _newer(self, key: str, value: JSON, swaps: list[tuple[str, str]], random: Random) -> JSON:
        name = snake(key)
        if name in ("node_id", "sha", "etag", "id"):
            return _swapped(value, swaps, random, key)
        if name in STATES and isinstance(value, str):
            return self.imagining.first_state(name) if name in self.resource.fields or name in self.resource.filters else value
        if isinstance(value, bool):
            return False if name in self.resource.fields or name not in ("active", "enabled", "open", "visible") else value
        if isinstance(value, int) and (name in COUNTS or name.endswith("_count")):
            return 0
        if name in self.resource.fields or is_moment(value):
            return [] if isinstance(value, list) else None
        return _swapped(value, swaps, random, key)

    def _older(self, key: str, value: JSON, swaps: list[tuple[str, str]], random: Random) -> JSON:
        name = snake(key)
        seen = [example.record[key] for example in self.resource.examples if key in example.record]
        if isinstance(value, int) and not isinstance(value, bool) and (name in COUNTS or name.endswith("_count")):
            return random.randint(0, 9)
        if isinstance(value, str) and (name in TITLES or name in TEXTS):
            return self._imagined_text(name, value, random)
        if seen and (isinstance(value, dict | list | bool) or name in STATES):
            return _swapped(random.choice(seen), swaps, random, key)
        return _swapped(value, swaps, random, key)

    def _imagined_text(self, name: str, value: str, random: Random) -> str:
        made = self.imagining.grounded(name, value, random)
        return made if isinstance(made, str) else value

    def fitted(self, key: str, sent: JSON, shown: JSON) -> JSON:
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


@lru_cache(maxsize=2_000)
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
