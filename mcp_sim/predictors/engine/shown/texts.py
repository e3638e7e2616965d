"""Answers in words: labelled lines such as `Status: open` or `- **Assignee:** ida`, one thing or a block for each of several."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.words.arguments import snake

_LABELLED = re.compile(
    r"^(?P<before>\s*(?:[-*\u2022]\s+|\d{1,4}[.)]\s+)?(?:\*\*|__)?)"
    r"(?P<label>[A-Za-z][\w /-]{0,40}?)(?P<joint>(?:\*\*|__)?\s*[:=](?:\*\*|__)?\s+)(?P<value>\S.*?)\s*$"
)
_RULE = re.compile(r"^\s*(?:-{3,}|={3,}|\*{3,})?\s*$")
_MARKS = "`\"'#*_<>[]() "
_LONGEST = 200_000
_MOST_LINES = 5_000
_NOTHING = frozenset({"none", "n/a", "-", "unassigned", "null", "no"})


@dataclass(frozen=True, slots=True)
class Field:
    """One labelled line: the text before the value, the value as it stands, and the bare value inside its marks."""

    lead: str
    key: str
    shown: str

    @property
    def bare(self) -> str:
        """The value without quotes, number signs and the like."""
        return self.shown.strip(_MARKS)

    @property
    def value(self) -> JSON:
        """The value as JSON: a number where it is one, nothing where it says so."""
        text = self.bare
        if re.fullmatch(r"0|[1-9][0-9]{0,14}", text):
            return int(text)
        return None if text.lower() in _NOTHING else text

    def written(self, value: JSON) -> str:
        """Return the line with another value."""
        text = ", ".join(_said(item) for item in value) if isinstance(value, list) else _said(value)
        marked = self.shown.replace(self.bare, text) if self.bare and self.value is not None else text
        return self.lead + (marked if value is not None else "None")


def _said(value: JSON) -> str:
    if isinstance(value, dict):
        return next((id_text(value[key]) for key in ("login", "name", "title", "id") if key in value), id_text(value))
    return "None" if value is None else id_text(value)


@dataclass(frozen=True)
class Block:
    """The lines about one thing."""

    lines: tuple[str, ...]

    @cached_property
    def fields(self) -> dict[int, Field]:
        """The labelled lines by their places."""
        found = {}
        for place, line in enumerate(self.lines):
            match = _LABELLED.match(line[:2000])
            if match and "://" not in match["label"] and len(match["label"].split()) <= 4:
                found[place] = Field(match["before"] + match["label"] + match["joint"], snake(match["label"]), match["value"])
        return found

    @property
    def record(self) -> Record:
        """What the lines say of the thing."""
        return {field.key: field.value for field in self.fields.values()}

    def written(self, record: Record) -> list[str]:
        """Return the lines about another thing; a line about what that one does not have is left out."""
        by_snake = {snake(key): value for key, value in record.items()}
        known = {key: value for key, value in self.record.items() if isinstance(value, str | int) and len(id_text(value)) > 0}
        lines: list[str] = []
        for place, line in enumerate(self.lines):
            field = self.fields.get(place)
            if field is None:
                lines.append(_reworded(line, known, by_snake))
            elif field.key in by_snake:
                lines.append(field.written(by_snake[field.key]))
        return lines


def _reworded(line: str, known: Record, new: Record) -> str:
    """Replace in one pass what a line without a label repeats of the thing: the number and the title in a heading."""
    swaps = {
        id_text(old): _said(new[key]) for key, old in known.items() if new.get(key) is not None and (isinstance(old, int) or len(old) > 2)
    }
    if not swaps:
        return line
    olds = "|".join(re.escape(old) for old in sorted(swaps, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{olds})(?!\w)", lambda found: swaps[found.group()], line)


@dataclass(frozen=True)
class Text:
    """A text about things: a head, a block for each, what stands between them, and a foot."""

    head: tuple[str, ...]
    blocks: tuple[Block, ...]
    between: tuple[str, ...]
    foot: tuple[str, ...]

    @property
    def records(self) -> list[Record]:
        """What the text says of each thing."""
        return [block.record for block in self.blocks]

    def written(self, records: Sequence[Record]) -> str:
        """Return a text about other things; a number in the head or foot that told how many there were tells how many there are."""
        lines = [recounted(line, len(self.blocks), len(records)) for line in self.head]
        for place, record in enumerate(records):
            lines += [*(self.between if place else ()), *_numbered(self.blocks[0].written(record), place)]
        return "\n".join([*lines, *(recounted(line, len(self.blocks), len(records)) for line in self.foot)])


def recounted(line: str, before: int, now: int) -> str:
    """Return a line that told a number with another number."""
    return re.sub(rf"(?<![\w.-]){before}(?![\w.-])", str(now), line, count=1)


def _numbered(lines: list[str], place: int) -> list[str]:
    """A block that began with `1.` begins with its own place."""
    return [re.sub(r"^(\s*)\d{1,4}([.)]\s)", rf"\g<1>{place + 1}\g<2>", lines[0]), *lines[1:]] if lines else lines


def read_text(text: str, *, many: bool) -> Text | None:
    """Read a text about one thing, or about several; `None` where it has no labelled lines to hold on to."""
    lines = text[:_LONGEST].split("\n")
    if len(text) > _LONGEST or len(lines) > _MOST_LINES:
        return None
    if not many:
        block = Block(tuple(lines))
        return Text((), (block,), (), ()) if len(block.fields) >= 2 else None
    groups: list[list[str]] = [[]]
    gaps: list[list[str]] = []
    for line in lines:
        if _RULE.match(line):
            if groups[-1]:
                gaps.append([line])
                groups.append([])
            elif gaps:
                gaps[-1].append(line)
        else:
            groups[-1].append(line)
    if not groups[-1]:
        groups.pop()
    gaps = gaps[: max(len(groups) - 1, 0)]
    blocks = [Block(tuple(group)) for group in groups]
    filled = [place for place, block in enumerate(blocks) if len(block.fields) >= 2]
    if not filled:
        return None
    first, last = filled[0], filled[-1]
    head = [line for place in range(first) for line in (*blocks[place].lines, *gaps[place])]
    foot = [line for place in range(last, len(blocks) - 1) for line in (*gaps[place], *blocks[place + 1].lines)]
    between = gaps[first] if first < last else [""]
    chosen = [blocks[place] for place in range(first, last + 1) if place in filled]
    return Text(tuple(head), tuple(chosen), tuple(between), tuple(foot))
