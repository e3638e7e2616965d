"""Times in the way that a server writes them."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words

_MADE = frozenset("created creation opened posted added registered submitted sent".split())
_CHANGED = frozenset("updated modified edited changed".split())
_TIMES = frozenset("at time timestamp date datetime on ts".split())
_LATER = frozenset("due start end starts ends expires expiry deadline scheduled closed merged deleted archived resolved completed".split())
_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}(?:([T ])\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$")


@lru_cache(maxsize=20_000)
def tells_creation(key: str) -> bool:
    """Whether a key says when a thing was made."""
    parts = set(words(key))
    if parts & _LATER or parts & _CHANGED:
        return False
    return bool(parts & _MADE and (parts & _TIMES or len(parts) == 1)) or parts in ({"date"}, {"timestamp"}, {"ts"}, {"time"})


@lru_cache(maxsize=20_000)
def tells_change(key: str) -> bool:
    """Whether a key says when a thing was last changed."""
    parts = set(words(key))
    return bool(parts & _CHANGED and (parts & _TIMES or len(parts) == 1))


@lru_cache(maxsize=20_000)
def tells_end(key: str) -> bool:
    """Whether a key says when a thing ends or ended."""
    return bool(set(words(key)) & _LATER)


def is_moment(value: JSON) -> bool:
    """Whether a value looks like a time."""
    if isinstance(value, str):
        return bool(_ISO.match(value))
    return isinstance(value, int) and not isinstance(value, bool) and 10**9 <= value < 10**13


def moment_like(sample: JSON, moment: datetime) -> JSON:
    """Return a time written as the sample is; where there is none, as `2026-01-01T09:00:00Z`."""
    if isinstance(sample, int | float) and not isinstance(sample, bool):
        seconds = int(moment.timestamp())
        return seconds * 1000 if sample >= 10**11 else seconds
    found = _ISO.match(sample) if isinstance(sample, str) else None
    moment = moment.astimezone(UTC)
    if found is None:
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if found.group(1) is None:
        return moment.strftime("%Y-%m-%d")
    fraction = "." + moment.strftime("%f")[: len(found.group(3)) - 1].ljust(len(found.group(3)) - 1, "0") if found.group(3) else ""
    zone = {"Z": "Z", "": ""}.get(found.group(4) or "", "+00:00")
    return moment.strftime(f"%Y-%m-%d{found.group(1)}%H:%M" + (":%S" if found.group(2) else "")) + fraction + zone


def parsed(value: JSON) -> datetime | None:
    """Return the time that a value tells, or `None`."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 10**14:
        return datetime.fromtimestamp(value / 1000 if value >= 10**11 else value, UTC)
    if isinstance(value, str) and _ISO.match(value):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def told_at(record: dict[str, JSON], depth: int = 0) -> datetime | None:
    """Return when a thing was made, as it or what is inside it tells, or `None`."""
    for key, value in record.items():
        if tells_creation(key) and is_moment(value):
            return parsed(value)
    inner = (told_at(value, depth + 1) for value in record.values() if isinstance(value, dict) and depth < 3)
    return next((moment for moment in inner if moment is not None), None)


def is_newest_first(records: Sequence[dict[str, JSON]]) -> bool:
    """Whether things stand in the order of their times, the last first."""
    told = [moment for record in records if (moment := told_at(record)) is not None]
    return len(told) == len(records) > 1 and all(one > other for one, other in pairwise(told))
