"""What the fields of one object say together: the lowest is not above the highest, nothing ends before it begins, sums are right."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.amounts import Record, as_written, is_number, lines, pages, rests, stem_of, sums, tallies
from mcp_sim.predictors.instances.moments import is_moment, moment_like, parsed, tells_change, tells_creation

_BEGINS = frozenset("start starts begin begins from departure depart departs checkin since".split())
_ENDS = frozenset("end ends finish finishes until to arrival arrive arrives checkout stop".split())
_LOW = frozenset("min minimum low lowest lower least floor".split())
_HIGH = frozenset("max maximum high highest upper most ceiling peak".split())
_MIDDLE = frozenset("avg average mean median current open close typical".split())
_LONGEST_DAYS = 3
_FIRST, _LAST = ("first_name", "given_name"), ("last_name", "family_name", "surname")
_PERSON = re.compile(r"[A-Z][a-z]+ [A-Z][a-zA-Z]+")
_WIDEST = {"temperature": 12.0, "temp": 12.0, "celsius": 12.0, "fahrenheit": 20.0}
_SPANS = {"milliseconds": 1, "ms": 1, "seconds": 1000, "sec": 1000, "minutes": 60_000, "min": 60_000, "mins": 60_000, "hours": 3_600_000}
_SPANS |= {"days": 86_400_000, "nights": 86_400_000}


def amendments(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """Yield what to change in an object so that it agrees with itself, each key at most once; the keys that are `kept` stay."""
    changed: dict[str, JSON] = {}
    for step in (_people, _times, _orders, _extremes, lines, sums, rests, tallies, pages):
        for key, value in step({**record, **changed}, kept, random):
            if key not in kept and record.get(key) != value:
                changed[key] = value
    yield from changed.items()


def _pairs(record: Record, ones: frozenset[str], others: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The keys that differ in nothing but one word of the first kind and one of the second."""
    second = {stem_of(key, others): key for key in record if set(words(key)) & others}
    for key in record:
        if set(words(key)) & ones and (other := second.get(stem_of(key, ones))) is not None and other != key:
            yield key, other


def _people(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """A person's first and last name make the whole one, and an address that was made up is in that name."""
    by_name = {"_".join(words(key)): key for key, value in record.items() if isinstance(value, str)}
    first, last = (next((by_name[name] for name in names if name in by_name), None) for names in (_FIRST, _LAST))
    whole = next((by_name[name] for name in ("full_name", "name", "display_name") if name in by_name), None)
    told = f"{record[first]} {record[last]}" if first is not None and last is not None else str(record.get(whole or "", ""))
    if first is not None and last is not None and whole is not None:
        yield whole, told
    email = next((by_name[name] for name in ("email", "email_address", "mail") if name in by_name), None)
    if email is not None and _PERSON.fullmatch(told) and "@example." in record[email]:
        yield email, f"{told.lower().replace(' ', '.')}@{record[email].partition('@')[2]}"


def _times(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    made = next((parsed(value) for key, value in record.items() if tells_creation(key) and is_moment(value)), None)
    for key, other in _pairs(record, _BEGINS, _ENDS):
        begins, ends = parsed(record[key]), parsed(record[other])
        if not (is_moment(record[key]) and is_moment(record[other])) or begins is None or ends is None:
            continue
        if not begins < ends <= begins + timedelta(days=_LONGEST_DAYS):
            span = timedelta(minutes=random.choice((30, 60, 90, 120)))
            if isinstance(record[key], str) and len(str(record[key])) == 10:
                span = timedelta(days=random.randint(1, _LONGEST_DAYS))
            if other in kept and key not in kept:
                begins = ends - span
                yield key, moment_like(record[key], begins)
            elif other not in kept:
                ends = begins + span
                yield other, moment_like(record[other], ends)
        if (
            isinstance(record[key], str)
            and "T" in record[key]
            and {"start", "end"} & {*words(key), *words(other)}
            and not {key, other} & set(kept)
        ):
            begins, ends = _on_the_quarter(begins), _on_the_quarter(begins) + max(ends - begins, timedelta(minutes=15))
            ends = ends.replace(minute=ends.minute // 15 * 15, second=0)
            yield from ((key, moment_like(record[key], begins)), (other, moment_like(record[other], ends)))
        yield from _lasting(record, ends - begins)
    for key, value in record.items():
        moment = parsed(value) if made is not None and is_moment(value) else None
        if made is None or moment is None or moment >= made:
            continue
        if "due" in words(key):
            yield key, moment_like(value, made + timedelta(days=random.randint(2, 30)))
        elif tells_change(key):
            yield key, moment_like(value, made)


def _on_the_quarter(moment: datetime) -> datetime:
    """The time at which people would begin something."""
    hour = moment.hour if 7 <= moment.hour <= 19 else 8 + moment.hour % 10
    return moment.replace(hour=hour, minute=moment.minute // 15 * 15, second=0, microsecond=0)


def _lasting(record: Record, span: timedelta) -> Iterator[tuple[str, JSON]]:
    """How long a thing takes that tells its begin and its end, where it names the unit."""
    for key, value in record.items():
        parts = words(key)
        lasts = set(parts) & {"duration", "length", "elapsed", "total"} or parts == ["nights"]
        if lasts and parts[-1] in _SPANS and isinstance(value, int) and not isinstance(value, bool):
            yield key, max(round(span / timedelta(milliseconds=_SPANS[parts[-1]])), 1)


def _orders(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """Numbers and times of day that begin and end something: lines, pages, `09:00`."""
    for key, other in _pairs(record, _BEGINS, _ENDS):
        one, two = record[key], record[other]
        numbers = is_number(one) and is_number(two) and not (is_moment(one) or is_moment(two))
        clocks = all(isinstance(value, str) and len(value) <= 8 and value[2:3] == ":" and value[:2].isdigit() for value in (one, two))
        if (numbers or clocks) and one > two and not {key, other} & set(kept):
            yield from ((key, two), (other, one))


def _extremes(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    for low, high in _pairs(record, _LOW, _HIGH):
        values = record[low], record[high]
        if not all(map(is_number, values)) or is_moment(record[low]):
            continue
        stem = stem_of(low, _LOW)
        middle = [key for key in record if key not in (low, high) and stem_of(key, _MIDDLE) == stem and is_number(record[key])]
        middle = [key for key in middle if stem or set(words(key)) & _MIDDLE]
        least, most = min(values), max(values)
        widest = next((width for word, width in _WIDEST.items() if word in words(low)), None)
        if widest is not None and most - least > widest:
            least = type(most)(round(most - widest * (0.4 + 0.6 * random.random()), 1))
        if {"open", "close"} & {word for key in middle for word in words(key)}:  # what is traded moves by little on a day
            around = [record[key] for key in middle]
            least, most = min(around) * (1 - random.uniform(0.001, 0.01)), max(around) * (1 + random.uniform(0.001, 0.01))
        if low in kept and high not in kept:
            least, most = record[low], record[low] + (most - least)
        elif high in kept and low not in kept:
            least, most = record[high] - (most - least), record[high]
        yield from ((low, as_written(record[low], least)), (high, as_written(record[high], most)))
        for key in middle:
            if not least <= record[key] <= most:
                yield key, as_written(record[key], least + (most - least) * random.uniform(0.25, 0.75))
