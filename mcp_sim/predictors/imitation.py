"""Another observation of the same shape as a demonstration's."""

import json
import re
from collections.abc import Iterator, Sequence

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.tool_spec import words
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.meaning import names_known, text_for

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
_HEXADECIMAL = re.compile(r"[0-9a-f]{7,64}")
_KEPT = frozenset("type state status kind role mime level version permission visibility unit currency content_type".split())
_MOST_CHARACTERS = 40_000


def nearest(demonstrations: Sequence[Demonstration], arguments: dict[str, JSON]) -> Demonstration | None:
    """Return the demonstration whose arguments are most like these; one of a failure only imitates the very same call."""

    def likeness(demonstration: Demonstration) -> tuple[int, int]:
        shown = demonstration.action.arguments
        same = sum(name in arguments and arguments[name] == value for name, value in shown.items())
        return same, -len(set(shown) ^ set(arguments))

    for demonstration in demonstrations:
        if demonstration.action.arguments == arguments:
            return demonstration
    return max((shown for shown in demonstrations if not shown.observation.is_error), key=likeness, default=None)


def imitate(demonstration: Demonstration, arguments: dict[str, JSON], fake: Fake) -> Observation:
    """Return what this call may have led to: the demonstration's blocks and keys, with this call's arguments in place of its own.

    Text that is JSON has other values of the same types; other text, images and sound stay as they are but for the arguments.
    """
    if demonstration.action.arguments == arguments:
        return demonstration.observation
    imitation = _Imitation(demonstration.action.arguments, arguments, fake)
    shown = demonstration.observation
    fields: dict[str, JSON] = {"content": [imitation.block(block) for block in shown.content]}
    if shown.has_structured_content:
        fields["structured_content"] = imitation.value(shown.structured_content, "")
    return Observation(**fields)


class _Imitation:
    def __init__(self, shown: dict[str, JSON], arguments: dict[str, JSON], fake: Fake) -> None:
        self._fake = fake
        self._arguments = arguments
        self._said = {
            old: new for name, value in shown.items() if name in arguments for old, new in _pairs(value, arguments[name]) if old != new
        }
        ordered = sorted(self._said, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)" for old in ordered)) if ordered else None
        self._renamed: dict[str, JSON] = {}

    def block(self, block: dict[str, JSON]) -> dict[str, JSON]:
        text = block.get("text")
        return {**block, "text": self._text(text)} if block.get("type") == "text" and isinstance(text, str) else block

    def _text(self, text: str) -> str:
        if text.lstrip()[:1] in ("{", "["):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                pass
            else:
                spelled = _spelled(self.value(value, ""), text)
                return spelled if len(spelled) <= max(_MOST_CHARACTERS, len(text)) else text
        return self._replaced(text)[:_MOST_CHARACTERS]

    def _replaced(self, text: str) -> str:
        return self._pattern.sub(lambda found: self._said[found[0]], text) if self._pattern else text

    def value(self, value: JSON, name: str, depth: int = 0) -> JSON:
        """Return another value of the same type; equal texts and numbers of one name stay equal."""
        if isinstance(value, dict) and depth < 60:
            return {key: self.value(inner, key, depth + 1) for key, inner in value.items()}
        if isinstance(value, list) and depth < 60:
            return [self.value(inner, name, depth + 1) for inner in value]
        if value is None or isinstance(value, bool | dict | list):
            return value
        if depth == 1 and name in self._arguments and type(self._arguments[name]) is type(value):
            return self._arguments[name]
        if str(value) in self._said:
            said = self._said[str(value)]
            return said if isinstance(value, str) else _number(said, value)
        key = f"{name}={value!r}"
        if key not in self._renamed:
            self._renamed[key] = self._other_text(value, name) if isinstance(value, str) else self._other_number(value, name)
        return self._renamed[key]

    def _other_text(self, text: str, name: str) -> str:
        replaced = self._replaced(text)
        if replaced != text or not text or _KEPT & set(words(name)) or "://" in text:
            return replaced
        if _DATE_TIME.fullmatch(text):
            return self._fake.time(words(name)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if _HEXADECIMAL.fullmatch(text):
            return self._fake.hexadecimal(len(text))
        return text_for(name, "", self._fake) if names_known(name) else text

    def _other_number(self, number: int | float, name: str) -> int | float:
        if set(words(name)) & {"count", "total", "page", "size", "limit", "offset"} or number in (0, 1):
            return number
        if isinstance(number, float):
            return round(number * self._fake.random.uniform(0.8, 1.2), 4)
        low = 10 ** (len(str(abs(number))) - 1)
        return self._fake.random.randint(low, 10 * low - 1) * (1 if number > 0 else -1)


def _pairs(old: JSON, new: JSON) -> Iterator[tuple[str, str]]:
    """Yield the texts that stand for arguments, old and new. Very short ones would be found by accident."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key in new:
                yield from _pairs(old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list):
        for one, other in zip(old, new, strict=False):
            yield from _pairs(one, other)
    elif isinstance(old, str) and isinstance(new, str) and len(old) > 2:
        yield old, new
    elif isinstance(old, int) and isinstance(new, int) and not isinstance(old, bool) and abs(old) > 9:
        yield str(old), str(new)


def _number(text: str, like: int | float) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else like


def _spelled(value: JSON, like: str) -> str:
    """Spell JSON as a text does: on one line or several."""
    if "\n" in like.strip():
        indent = re.search(r"\n( +)", like)
        return json.dumps(value, indent=len(indent[1]) if indent else 2, ensure_ascii=False)
    return json.dumps(value, separators=None if ": " in like else (",", ":"), ensure_ascii=False)
