"""Filters that ask for more or less, earlier or later: `min_price`, `created_after`, `time_min`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.kept.needs import Needing, Test
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.arguments import field_named, spellings
from mcp_sim.predictors.instances.moments import parsed, tells_change, tells_creation, told_at

_LOW = frozenset("min minimum since after from gte gt above newer over".split())
_HIGH = frozenset("max maximum until before to lte lt below older under".split())
_STRICT = frozenset("gt lt above below over under".split())
_BEGINS, _ENDS = frozenset({"start", "begin"}), frozenset({"end"})
_TIME = frozenset("time date datetime day timestamp".split())
_STARTS = ("start", "start_time", "starts_at", "start_at", "start_date", "begin", "begins_at")
_STOPS = ("end", "end_time", "ends_at", "end_at", "end_date", "finish", "finishes_at")
_WHEN = (*_STARTS, "due", "due_date", "due_at", "date", "time", "scheduled_at", "deadline", "day")
_LONG, _EARLIEST, _LATEST = timedelta(days=31), datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)
_SUFFIXES = ("date", "at", "time", "on", "datetime")
_MADE = frozenset({"created", "opened", "posted"})
_CHANGED = frozenset({"updated", "modified", "edited", "changed"})


def range_test(name: str, value: JSON, resource: Resource) -> Test | None:
    """Return the test of a filter that sets a limit, `None` if it is no such filter or its limit cannot be read."""
    parts = name.split("_")
    if resource_has(resource, name) and not set(parts[:1]) & (_LOW | _HIGH):
        return None  # the start of a thing itself, not of a span
    word = next((part for part in (parts[0], parts[-1]) if part in _LOW | _HIGH), "")
    rest = [part for part in parts if part != word]
    if not word and len(parts) > 1 and set(parts) <= _TIME | _BEGINS | _ENDS:  # start_date, end_time
        word = next((part for part in parts if part in _BEGINS | _ENDS), "")
        rest = [part for part in parts if part != word]
    if not word:
        return None
    low = word in _LOW or word in _BEGINS
    stem = "_".join(rest)
    if not rest or set(rest) <= _TIME:
        limit = parsed(value)
        return None if limit is None or not _tells_time(resource) else _timed(limit, low=low, day=_is_day(value))
    if set(rest) & (_MADE | _CHANGED):
        limit = parsed(value)
        known = limit is not None and _tells_time(resource)
        return _told(limit, made=bool(set(rest) & _MADE), low=low, day=_is_day(value)) if limit is not None and known else None
    field = next((one for one in (stem, *(f"{stem}_{suffix}" for suffix in _SUFFIXES)) if resource_has(resource, one)), "")
    return compared(field, value, low=low, strict=word in _STRICT) if field else None


def _tells_time(resource: Resource) -> bool:
    """Whether things of the kind say when they are or were made: all that the engine makes do, where nothing shows what they look like."""
    if resource.schema is None and not resource.examples:
        return True
    if any(name in _WHEN or name in _STOPS or tells_creation(name) or tells_change(name) for name in resource.known_fields):
        return True
    return any(told_at(example.record) is not None for example in resource.examples[:20])


def resource_has(resource: Resource, name: str) -> bool:
    """Whether things of the kind have a field of that name, in one or many."""
    return any(spelled in resource.known_fields or spelled in resource.gains for spelled in spellings(name))


def compared(field: str, value: JSON, *, low: bool, strict: bool = False) -> Test | None:
    """Return the test that a field is at least (`low`) or at most a number or a time, `None` if the limit is neither."""
    if isinstance(value, str) and _is_number(value):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = value
        return _on(f"#number {field}", number, low, lambda r: _fits(_number(field_named(r, field)), number, low=low, strict=strict))
    limit = parsed(value)
    if limit is None:
        return None
    if _is_day(value) and (low is strict):
        limit = _next_day(limit)  # after a day is from the next on; until a day takes all of it in
    strict = strict and not _is_day(value)
    return _on(f"#moment {field}", limit, low, lambda r: _moment_fits(moment_of(field_named(r, field)), limit, low=low, strict=strict))


ANYWHERE = object()
"""For things that have no place on a scale, and may be within limits all the same."""


def scale_of(facet: str) -> Callable[[Record], Any]:
    """Return what tells where a thing is on a scale that tests set limits on; it tells `None` of what is within no limits."""
    what, _, field = facet.removeprefix("#").partition(" ")
    if what == "number":
        return lambda record: _number(field_named(record, field))
    if what == "moment":
        return lambda record: moment_of(field_named(record, field))
    if what == "begins":
        return _begun
    return lambda record: _moment_told(record, made=what == "made")


def _on(scale: str, limit: Any, low: bool, test: Test) -> Test:
    return Needing(test, (((scale, (limit, None) if low else (None, limit)),),))


def _begun(record: Record) -> Any:
    begins, stops = _first(record, _WHEN), _first(record, _STOPS)
    return ANYWHERE if begins is None or (stops is not None and stops - begins > _LONG) else begins


def told_between(value: JSON, *, made: bool, low: bool, strict: bool = False) -> Test | None:
    """Return the test that a thing was made (else changed) from a time on, or until then."""
    limit = parsed(value)
    if limit is None:
        return None
    if _is_day(value) and low and strict:
        return _told(_next_day(limit), made=made, low=True, day=True)
    return _told(limit, made=made, low=low, day=_is_day(value) and not strict)


def _timed(limit: datetime, *, low: bool, day: bool) -> Test:
    """A thing that lasts is in a span that it reaches into."""
    last = _next_day(limit) if day and not low else limit

    def test(record: Record) -> bool:
        begins, stops = _first(record, _WHEN), _first(record, _STOPS)
        if begins is None:
            return not _says_when(record) and _told(limit, made=False, low=low, day=day)(record)
        if low:
            return stops > limit if stops is not None and stops > begins else begins >= limit
        return begins < last or (stops is None and begins == last)

    return _on("#begins", max(limit, _EARLIEST + _LONG) - _LONG if low else last, low, test)


def _told(limit: datetime, *, made: bool, low: bool, day: bool) -> Test:
    last = _next_day(limit) if day and not low else limit

    def test(record: Record) -> bool:
        moment = _moment_told(record, made=made)
        return moment is not None and (moment >= limit if low else moment <= last)

    return _on("#made" if made else "#changed", limit if low else last, low, test)


def _moment_told(record: Record, *, made: bool) -> datetime | None:
    told = tells_creation if made else tells_change
    moment = next((moment_of(value) for key, value in record.items() if told(key)), None)
    return moment or next((moment_of(value) for key, value in record.items() if tells_creation(key)), None) or told_at(record)


def _says_when(record: Record) -> bool:
    """Whether a thing says when it is to be, if only in words that are no time."""
    return any(isinstance(value := field_named(record, name), str) and value != "" for name in _WHEN)


def _first(record: Record, names: tuple[str, ...]) -> datetime | None:
    for name in names:
        value = field_named(record, name)
        if isinstance(value, dict):  # {"dateTime": ..., "timeZone": ...}
            value = next((item for item in value.values() if moment_of(item) is not None), None)
        moment = moment_of(value)
        if moment is not None:
            return moment
    return None


def moment_of(value: JSON) -> datetime | None:
    """Return the time that a value tells, also in the manner of chats (`"1767258000.000100"`) and of mails; `None` if it tells none."""
    moment = parsed(value)
    if moment is not None or not isinstance(value, str) or len(value) > 60:
        return moment
    if _is_number(value):
        return parsed(float(value)) if float(value) >= 10**9 else None
    try:
        moment = parsedate_to_datetime(value) if ":" in value else None
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _next_day(day: datetime) -> datetime:
    return day + timedelta(days=1) if day < _LATEST else day


def _number(value: JSON) -> float | None:
    if isinstance(value, str) and _is_number(value):
        return float(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_number(text: str) -> bool:
    return len(text) < 30 and text.removeprefix("-").replace(".", "", 1).isdecimal()


def _is_day(value: JSON) -> bool:
    return isinstance(value, str) and len(value) == 10


def _fits(value: float | None, limit: float, *, low: bool, strict: bool) -> bool:
    if value is None:
        return False
    return (value > limit if low else value < limit) if strict else (value >= limit if low else value <= limit)


def _moment_fits(value: datetime | None, limit: datetime, *, low: bool, strict: bool) -> bool:
    if value is None:
        return False
    return (value > limit if low else value < limit) if strict else (value >= limit if low else value <= limit)
