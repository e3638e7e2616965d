"""YAML as JSON: read by libyaml's events, with aliases that cannot explode and scalars as YAML 1.2 has them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.events import AliasEvent, DocumentStartEvent, Event, MappingStartEvent, NodeEvent, ScalarEvent, SequenceStartEvent

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, shown

MOST_VALUES = 2_000_000
"""How many values a document may hold, each alias counted with all that it stands for."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one where PyYAML was built with it: twenty times as fast
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CORE = "tag:yaml.org,2002:"
_PLAIN_TAGS = frozenset(_CORE + name for name in ("null", "bool", "int", "float", "timestamp"))


def parse_yaml(text: str, where: str) -> JSON:
    """Return the one document of a YAML text.

    Scalars follow YAML 1.2: `no` and `2020-01-01` are texts. Keys that are no texts become texts as they are written.

    Raises:
        SetupError: it is not YAML, holds a key twice, a tag or more than `MOST_VALUES` values, or an alias within its own anchor.
    """
    builder = _Builder(where)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{where}:{mark.line + 1}" if mark else where
        raise SetupError(f"{place}: is not YAML: {error.problem or error.context}.") from error
    except yaml.YAMLError as error:
        raise SetupError(f"{where}: is not YAML: {str(error).splitlines()[0]}.") from error
    if not builder.documents:
        raise SetupError(f"{where}: is empty; JSON or YAML was expected.")
    if reason := flaw(builder.root):
        raise SetupError(f"{where}: {reason}.")
    return builder.root


def _events(text: str) -> Iterator[Event]:
    yield from yaml.parse(text, Loader=_LOADER)


@dataclass
class _Open:
    """A list or an object that is being read; `before` is the count of values when it began."""

    value: Any
    anchor: str | None
    before: int
    key: str | None = None
    merged: list[JSON] = field(default_factory=list)


class _Builder:
    def __init__(self, where: str) -> None:
        self.root: JSON = None
        self.documents = 0
        self._where = where
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[JSON, int]] = {}
        self._count = 0

    def take(self, event: Any) -> None:
        if isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            self._refuse_tag(event, "map" if isinstance(event, MappingStartEvent) else "seq")
            if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is None:
                raise self._error(event, "a key is a list or an object, which JSON does not have")
            self._open.append(_Open({} if isinstance(event, MappingStartEvent) else [], event.anchor, self._count))
            self._add(1, event)
        elif isinstance(event, AliasEvent):
            if event.anchor not in self._anchors:
                raise self._error(event, f"the alias *{event.anchor} stands within its own anchor or names none")
            value, size = self._anchors[event.anchor]
            self._add(size, event)
            self._place(value, event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = self._open.pop()
            for part in done.merged:
                self._add(len(part), event)
                done.value = {**part, **done.value}
            self._remember(done.anchor, done.value, self._count - done.before)
            self._place(done.value, event)
        elif isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._error(event, "a second document begins; keep one in a file")

    def _scalar(self, event: Any) -> None:
        self._add(1, event)
        is_key = bool(self._open) and isinstance(self._open[-1].value, dict) and self._open[-1].key is None
        value: JSON = event.value
        if event.tag in _PLAIN_TAGS or (event.tag is None and event.implicit[0]):
            value = event.value if is_key else self._resolved(event)
        elif event.tag not in (None, "!", _CORE + "str"):
            self._refuse_tag(event, "str")
        self._remember(event.anchor, value, 1)
        self._place(value, event)

    def _resolved(self, event: Any) -> JSON:
        text: str = event.value
        if text in _NULL:
            return None
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        try:
            if _INTEGER.fullmatch(text):
                return int(text, 0 if text.startswith(("0o", "0x")) else 10)
            return float(text) if _FLOAT.fullmatch(text) else text
        except ValueError as error:
            raise self._error(event, "holds a number that is too long") from error

    def _place(self, value: JSON, event: Any) -> None:
        if not self._open:
            self.root = value
            return
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            if not isinstance(value, str):
                raise self._error(event, "a key is no text")
            top.key = value
        elif top.key == "<<" and _is_mergeable(value):
            top.merged += value if isinstance(value, list) else [value]
            top.key = None
        else:
            if top.key in top.value:
                raise self._error(event, f"an object has the key {shown(top.key)} twice; keep one")
            top.value[top.key] = value
            top.key = None

    def _remember(self, anchor: str | None, value: JSON, size: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, size)

    def _add(self, values: int, event: Any) -> None:
        self._count += values
        if self._count > MOST_VALUES:
            raise self._error(event, f"holds more than {MOST_VALUES:,} values up to here, with what its aliases stand for")

    def _refuse_tag(self, event: NodeEvent, natural: str) -> None:
        tag = getattr(event, "tag", None)
        if tag not in (None, "!", _CORE + natural):
            raise self._error(event, f"the tag {tag} has no meaning in JSON")

    def _error(self, event: Any, reason: str) -> SetupError:
        return SetupError(f"{self._where}:{event.start_mark.line + 1}: {reason}.")


def _is_mergeable(value: JSON) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value))
