"""Finding things in answers: which part of a JSON result is a thing, and which is a list of them."""

import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from mcp_sim.core.canonical import JSON, indented
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.shown.texts import read_text
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.vocabulary import plural

Path = tuple[str | int, ...]
_ENVELOPES = frozenset("data result item record response value".split())
_LISTS = frozenset("items results data records values entries nodes list elements objects rows members".split())
_LED = re.compile(r"^([^{\[\n]{1,200}[:.]\s*\n?\s*)(?=[{\[])")
_LONGEST_TEXT = 2_000_000
_SHORT_TEXT = 20_000


@dataclass(frozen=True)
class Answer:
    """The JSON of an observation, and its text and what that spells, by which one sees how it was laid out."""

    value: JSON
    structured: bool
    texted: bool
    lead: str = ""
    text: str = ""
    parsed: JSON = None

    def text_of(self, value: JSON) -> str:
        """Return a value as text, laid out in the same way and with the same words before it."""
        indent, separators = self._layout
        text = indented(value, indent) if indent else json.dumps(value, separators=separators, ensure_ascii=False)
        return self.lead + text

    @cached_property  # found by trial, and not needed where an answer is only read
    def _layout(self) -> tuple[int | None, tuple[str, str] | None]:
        return _find_layout(self.text) if self.parsed is not None and len(self.text) <= 50_000 else (2, None)


PLAIN = Answer(None, False, True)


def json_of(observation: Observation) -> Answer | None:
    """Return the JSON that an observation carries as structured content or as its only text, or `None`."""
    texts = [block["text"] for block in observation.content if block.get("type") == "text" and isinstance(block.get("text"), str)]
    text = texts[0] if len(texts) == 1 else ""
    lead = ""
    if (start := _LED.match(text[:500])) and len(text) <= _LONGEST_TEXT:  # `Found 2 issues:` and the JSON of them
        lead, text = text[: start.end(1)], text[start.end(1) :]
    parsed: Any = None
    if text[:1] in ("{", "[") and len(text) <= _LONGEST_TEXT:
        parsed = _parse_again(text) if len(text) <= _SHORT_TEXT else _parse(text)
    structured = observation.has_structured_content and isinstance(observation.structured_content, dict | list)
    value = observation.structured_content if structured else parsed
    if not isinstance(value, dict | list):
        return None
    return Answer(value, structured, parsed is not None or not structured, lead if parsed is not None else "", text, parsed)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


_parse_again = lru_cache(maxsize=256)(_parse)  # one answer is looked at several times, and a frozen one in each session


@lru_cache(maxsize=128)
def _find_layout(text: str) -> tuple[int | None, tuple[str, str] | None]:
    parsed = _parse(text)
    for indent, separators in ((2, None), (None, (",", ":")), (None, None), (4, None), (1, None)):
        if json.dumps(parsed, indent=indent, separators=separators, ensure_ascii=False) == text:
            return indent, separators
    return 2, None


def at(value: JSON, path: Path) -> JSON:
    """Return what is at a path inside a JSON value."""
    for key in path:
        value = value[key]
    return value


def replaced(value: JSON, path: Path, new: JSON) -> JSON:
    """Return a copy of a JSON value with something else at a path."""
    if not path:
        return new
    if isinstance(value, list):
        return [replaced(item, path[1:], new) if place == path[0] else item for place, item in enumerate(value)]
    return {key: replaced(item, path[1:], new) if key == path[0] else item for key, item in value.items()}


_OWN_IDS = frozenset({"id", "sha", "number", "key", "uuid"})


def thing_path(value: JSON, resource: str) -> Path | None:
    """Return where in the answer to a get, create or update the thing is."""
    if not isinstance(value, dict) or not value:
        return None
    last = resource.rsplit("_", maxsplit=1)[-1]
    for key, item in value.items():
        if isinstance(item, dict) and item and snake(key) in (resource, last) and (_OWN_IDS & item.keys() or not _OWN_IDS & value.keys()):
            return (key,)
    for key, item in value.items():
        if isinstance(item, dict) and item and snake(key) in _ENVELOPES and len(value) <= 4:
            inner = thing_path(item, resource)
            return (key, *inner) if inner is not None else (key,)
    return ()


def list_path(value: JSON, resource: str, depth: int = 0) -> Path | None:
    """Return where in the answer to a listing the list of things is."""
    if isinstance(value, list):
        return ()
    if not isinstance(value, dict) or depth > 3:
        return None
    many = {plural(resource), plural(resource.rsplit("_", maxsplit=1)[-1])}
    lists = {key: item for key, item in value.items() if isinstance(item, list)}
    for key in lists:
        if snake(key) in many:
            return (key,)
    for key, item in lists.items():
        if snake(key) in _LISTS or (len(lists) == 1 and (not item or isinstance(item[0], dict))):
            return (key,)
    for key, item in value.items():
        if isinstance(item, dict):
            inner = list_path(item, resource, depth + 1)
            if inner is not None:
                return (key, *inner)
    return None


def things_in(value: JSON, resource: str, *, many: bool) -> list[Record]:
    """Return the things that an answer shows."""
    path = list_path(value, resource) if many else thing_path(value, resource)
    if path is None:
        return []
    found = at(value, path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else [found]


def records_in(observation: Observation, resource: str, *, many: bool) -> list[Record]:
    """Return the things that an observation shows, be it JSON or labelled lines."""
    answer = json_of(observation)
    if answer is not None:
        return things_in(answer.value, resource, many=many)
    text = read_text(observation.text, many=many)
    return text.records if text is not None else []


def tells_end(value: JSON, shown: int) -> bool:
    """Whether a listing that shows so many things says nothing of more to come."""
    for key, item in value.items() if isinstance(value, dict) else ():
        name = snake(key)
        if (item is True and ("more" in name or "next" in name)) or (isinstance(item, str) and item and "next" in name):
            return False
        if isinstance(item, int) and not isinstance(item, bool) and "total" in name and "page" not in name and item > shown:
            return False
    return True
