"""Lists whose items tell a time: in order, as far apart as they say, and on the side of now that they speak of."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.amounts import as_written, is_number
from mcp_sim.predictors.instances.asked import UNITS, day_of, lasting, looks_ahead, span_of, step_of, unit_in
from mcp_sim.predictors.instances.moments import is_moment, moment_like, parsed, tells_creation

_TELLS = frozenset("start starts date day time timestamp datetime ts hour week month year quarter period dt weekday minute".split())
_QUALIFIES = frozenset("utc local forecast valid open opening bucket begin at of target trading observation iso unix epoch".split())
_NAMES_A_THING = frozenset("id uuid guid sha key slug name title login username email url link number path file author subject".split())
_DATED = (
    "date",
    "timestamp",
    "datetime",
    "time",
    "created",
    "published",
    "sent",
    "received",
    "posted",
    "updated",
    "modified",
    "start",
    "due",
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_CLOCK = re.compile(r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(Z|[+-]\d\d:\d\d)?$")
_SMOOTHING = 0.25
_FORTNIGHT = timedelta(days=14)
_PAST = frozenset("past history previous completed recent last log logs old archived".split())
_PERIODS_OF_ONE_END = frozenset({"end", "ends", "finish", "close", "until", "to"})


@lru_cache(maxsize=4096)
def tells_time(key: str) -> bool:
    """Whether a key tells when an item of a series is: `date`, `hour`, `forecast_time`."""
    parts = set(words(key))
    return bool(parts & _TELLS) and parts <= _TELLS | _QUALIFIES


def is_series(keys: Collection[str]) -> bool:
    """Whether items with these keys are points in time, and no things of their own."""
    return any(tells_time(key) for key in keys) and not any(set(words(key)[-1:]) & _NAMES_A_THING for key in keys)


@dataclass(frozen=True, slots=True)
class Line:
    """The times that the items of one list tell."""

    arguments: Mapping[str, JSON]
    now: datetime
    name: str
    around: str
    topic: Collection[str]

    def arranged(self, items: list[JSON]) -> list[JSON]:
        """Return the items of a list in the order of their times; those of a series come one after the other.

        Where what is asked for leads off the calendar, they stay as they are.
        """
        try:
            return self._arranged(items)
        except OverflowError:
            return items

    def _arranged(self, items: list[JSON]) -> list[JSON]:
        if len(items) > 0 and all(_reads(item) for item in items) and self._is_about_times:
            return self._times(items)
        records = [item for item in items if isinstance(item, dict)]
        if not records or len(records) < len(items):
            return items
        if is_series(records[0]):
            return self._series(records)
        return self._dated(records)

    @property
    def _is_about_times(self) -> bool:
        return bool((_TELLS | {f"{word}s" for word in _TELLS}) & set(words(self.name)))

    def _times(self, items: list[JSON]) -> list[JSON]:
        moments = self._moments(self.name, items[0], len(items))
        return [_written(item, moment) for item, moment in zip(items, moments, strict=True)]

    def _series(self, records: list[dict[str, JSON]]) -> list[JSON]:
        key = next((key for key, value in records[0].items() if tells_time(key) and _reads(value)), None)
        if key is None:
            return list(records)
        moments = self._moments(key, records[0][key], len(records))
        unit, count = self._step(key, records[0][key])
        made = []
        for record, moment in zip(records, moments, strict=True):
            made.append({name: _beside(name, value, moment, unit, count, name == key) for name, value in record.items()})
        return _smoothed(made, key)

    def _moments(self, key: str, sample: JSON, number: int) -> list[datetime]:
        unit, count = self._step(key, sample)
        first, last = span_of(self.arguments)
        ahead = looks_ahead((*self.topic, *words(self.name), *words(self.around)))
        if first is None and last is None and not ahead:
            last = self.now
        if first is None and last is not None and not (ahead and last >= self.now):
            first = later(_floored(last, unit), unit, -count * (number - 1))
        begin = _floored(self.now if first is None else first, unit)
        if "start" in key and begin.hour == 0 and UNITS[unit] < UNITS["day"]:
            begin = begin.replace(hour=9)  # what people meet in
        return [later(begin, unit, count * place) for place in range(number)]

    def _step(self, key: str, sample: JSON) -> tuple[str, int]:
        asked = step_of(self.arguments) or (lasting(self.arguments) if "start" in key else None)
        day_only = _is_day(sample)
        if asked is not None and not (day_only and UNITS[asked[0]] < UNITS["day"]):
            return asked
        form = _unit_of_form(sample)
        if form:
            return form, 1
        told = [unit for name in (key, self.name, self.around, " ".join(self.topic)) if (unit := unit_in(name))]
        own = [unit for unit in told if UNITS[unit] >= UNITS["day"]] if day_only else [unit for unit in told if unit != "day"] or told
        return (own or ["day" if day_only else "hour"])[0], 1

    def _dated(self, records: list[dict[str, JSON]]) -> list[JSON]:
        """Things with a date: what is to come is told soonest first, what was is told newest first."""
        key = next((key for word in _DATED for key in records[0] if word in words(key) and is_moment(records[0][key])), None)
        if key is None or not all(is_moment(record.get(key)) for record in records):
            return list(records)
        planned = {"start", "departure"} & {word for name in records[0] for word in words(name)}
        ahead = looks_ahead((*self.topic, *words(self.name))) or (planned and not _PAST & {*self.topic, *words(self.name)})
        records = self._shifted(records, key, ahead=bool(ahead))
        down = not ahead and "due" not in words(key)
        order = next((value for name, value in self.arguments.items() if name in ("order", "sort_order", "direction")), None)
        down = down if order not in ("asc", "desc", "ascending", "descending") else str(order).startswith("desc")
        return sorted(records, key=lambda record: parsed(record[key]) or self.now, reverse=down)

    def _shifted(self, records: list[dict[str, JSON]], key: str, *, ahead: bool) -> list[dict[str, JSON]]:
        """Put things into the days that are asked for, or (`ahead`) into the next ones, each at its own time of the day."""
        first, last = span_of(self.arguments)
        day = day_of(self.arguments)
        if day is not None:
            first, last = day, day
        if first is None and last is None and not ahead:
            return records
        begin = first if first is not None else (last - _FORTNIGHT if last is not None and not ahead else self.now + timedelta(days=1))
        end = last if last is not None and last >= begin else max(begin + _FORTNIGHT, begin)
        made = []
        for place, record in enumerate(records):
            target = begin + (end - begin) * ((place + 0.5) / len(records))
            own = parsed(record[key])
            days = timedelta(days=(target.date() - own.date()).days if own is not None else 0)
            moved = {name: _moved(value, days) for name, value in record.items() if is_moment(value) and not tells_creation(name)}
            made.append({**record, **moved})
        return made


def _moved(value: JSON, days: timedelta) -> JSON:
    moment = parsed(value)
    try:
        return value if moment is None else moment_like(value, moment + days)
    except OverflowError:
        return value


def later(moment: datetime, unit: str, count: int) -> datetime:
    """Return a time so many units later (earlier, where negative); months keep the day as far as they have it."""
    if unit not in ("month", "quarter", "year"):
        try:
            return moment + UNITS[unit] * count
        except OverflowError:  # at the end of time
            return moment
    months = moment.year * 12 + moment.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year = min(max(months // 12, 1), 9998)
    day = min(moment.day, (datetime(year + (months % 12 == 11), (months + 1) % 12 + 1, 1) - timedelta(days=1)).day)
    return moment.replace(year=year, month=months % 12 + 1, day=day)


def _floored(moment: datetime, unit: str) -> datetime:
    moment = moment.astimezone(UTC).replace(microsecond=0)
    if unit == "second":
        return moment
    moment = moment.replace(second=0)
    if unit == "minute":
        return moment
    moment = moment.replace(minute=0)
    if unit == "hour":
        return moment
    moment = moment.replace(hour=0)
    if unit == "week":
        return moment - timedelta(days=moment.weekday())
    if unit in ("month", "quarter"):
        return moment.replace(day=1)
    return moment.replace(month=1, day=1) if unit == "year" else moment


def _is_day(value: JSON) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value))


def _unit_of_form(value: JSON) -> str:
    if isinstance(value, str):
        if re.fullmatch(r"\d{4}-\d\d", value):
            return "month"
        if _weekday(value):
            return "day"
        return "year" if re.fullmatch(r"(?:19|20)\d\d", value) else ""
    return "year" if isinstance(value, int) and not isinstance(value, bool) and 1900 <= value < 2100 else ""


def _weekday(value: JSON) -> int:
    """Return the number of letters that are enough to tell a day of the week as a text does, 0 where it tells none."""
    if not isinstance(value, str):
        return 0
    return next((3 if len(value) == 3 else 9 for day in _DAYS if value.lower() in (day.lower(), day[:3].lower())), 0)


def _reads(value: JSON) -> bool:
    return is_moment(value) or bool(_unit_of_form(value)) or (isinstance(value, str) and bool(_CLOCK.match(value)))


def _written(sample: JSON, moment: datetime) -> JSON:
    unit = _unit_of_form(sample)
    if isinstance(sample, int) and unit:
        return moment.year
    if isinstance(sample, str):
        if letters := _weekday(sample):
            return _DAYS[moment.weekday()][:letters]
        if unit:
            return moment.strftime("%Y-%m" if unit == "month" else "%Y")
        if found := _CLOCK.match(sample):
            return moment.strftime("%H:%M:%S" if found[2] else "%H:%M") + (found[3] or "")
    return moment_like(sample, moment)


def _beside(name: str, value: JSON, moment: datetime, unit: str, count: int, is_key: bool) -> JSON:
    """What an item at a time tells: the time itself, its end, the day of the week, and other times of the same day."""
    if is_key or (tells_time(name) and _reads(value) and not set(words(name)) & _PERIODS_OF_ONE_END):
        return _written(value, moment)
    if _weekday(value):
        return _written(value, moment)
    if not is_moment(value):
        return value
    if set(words(name)) & _PERIODS_OF_ONE_END:
        return _written(value, later(moment, unit, count))
    own = parsed(value)
    if own is None or UNITS[unit] != UNITS["day"]:
        return moment_like(value, moment)
    return moment_like(value, datetime.combine(moment.date(), own.timetz()))


def _smoothed(records: list[dict[str, JSON]], key: str) -> list[JSON]:
    """Let what is measured change little from one item to the next. What is between two numbers keeps their bounds."""
    made: list[JSON] = []
    before: dict[str, JSON] = {}
    for record in records:
        now = _traded(record, before)
        for name, value in record.items():
            last = before.get(name)
            traded = {"open", "close"} <= record.keys() and name in ("open", "close", "high", "low")
            if name != key and not traded and is_number(value) and is_number(last) and not tells_time(name):
                now[name] = as_written(value, last + (value - last) * _SMOOTHING)
        made.append(now)
        before = now
    return made


def _traded(record: dict[str, JSON], before: dict[str, JSON]) -> dict[str, JSON]:
    """What is traded opens as it closed before, and closes not far from there."""
    opens, closes = record.get("open"), record.get("close")
    if not isinstance(opens, int | float) or not isinstance(closes, int | float) or not opens:
        return dict(record)
    share = max(min((closes - opens) / abs(opens), 1.0), -1.0) * 0.03
    last = before.get("close", opens)
    return {**record, "open": as_written(opens, last), "close": as_written(closes, last * (1 + share))}
