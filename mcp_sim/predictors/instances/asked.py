"""What a call asks of the lists in its answer: how many items, from when until when, and how far apart."""

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import lru_cache

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.moments import parsed

UNITS: dict[str, timedelta] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "quarter": timedelta(days=91),
    "year": timedelta(days=365),
}
_FORMS = {form: unit for unit in UNITS for form in (unit, f"{unit}s", f"{unit}ly")} | {
    **dict.fromkeys("d daily date dates weekday weekdays".split(), "day"),
    **dict.fromkeys("h hr hrs".split(), "hour"),
    **dict.fromkeys("m min mins minutely".split(), "minute"),
    **dict.fromkeys("s sec secs".split(), "second"),
    **dict.fromkeys("w wk".split(), "week"),
    **dict.fromkeys("mo mon annual yearly".split(), "month"),
    **dict.fromkeys("y yr annual yearly annually".split(), "year"),
}
_LIMITS = frozenset(
    "limit count n k top top_k topk top_n num number_of_results num_results max_results result_count results per_page page_size max_items "
    "max_count num_items number first size take maxresults pagesize".split()
)
_AROUND = frozenset(
    "num number n of count forecast limit max next last past ahead back lookback look horizon range previous recent in".split()
)
_STEPS = frozenset("interval granularity resolution timeframe frequency period step bucket aggregation timespan group_by".split())
_STARTS = frozenset("start start_date start_time from from_date date_from since begin begin_date after time_min timemin date day".split())
_ENDS = frozenset("end end_date end_time to to_date date_to until till before time_max timemax".split())
_AHEAD = frozenset(
    "forecast forecasts upcoming next future predict predicted prediction predictions projection projections projected outlook scheduled "
    "schedule schedules availability available free slot slots itinerary agenda departures arrivals departure arrival tomorrow ahead "
    "reminder reminders due booking bookings reservation reservations appointment appointments".split()
)
_LARGE = 10
_MOST_OF_A_LARGE_LIMIT = 20


@lru_cache(maxsize=4096)
def unit_in(name: str) -> str:
    """Return the unit of time that a name speaks of (`forecast_days`, `hourly`), or the empty string."""
    long = [part for part in words(name) if len(part) > 2]
    return next((_FORMS[part] for part in long if part in _FORMS), "")


def step_of(arguments: Mapping[str, JSON]) -> tuple[str, int] | None:
    """Return the unit and number of the step that a call asks for (`interval: "15m"`, `granularity: "hourly"`), or `None`."""
    for name, value in arguments.items():
        if "_".join(words(name)) not in _STEPS or not isinstance(value, str):
            continue
        if value.strip() in ("1M", "3M"):  # as traders write months
            return "month", int(value.strip()[0])
        found = re.fullmatch(r"(\d{0,3})[\s_-]*([a-z]{1,9})", value.strip().lower())
        if found and found[2] in _FORMS:
            return _FORMS[found[2]], int(found[1] or 1) or 1
    return None


def span_of(arguments: Mapping[str, JSON]) -> tuple[datetime | None, datetime | None]:
    """Return the times from which and until which a call asks."""
    first = last = None
    for name, value in arguments.items():
        spelled = "_".join(words(name))
        moment = parsed(value) if spelled in _STARTS or spelled in _ENDS else None
        if moment is not None and spelled in _STARTS:
            first = moment
        elif moment is not None:
            last = moment
    return (first, last) if first is None or last is None or first <= last else (last, first)


def day_of(arguments: Mapping[str, JSON]) -> datetime | None:
    """Return the one day that a call asks for."""
    asked = [parsed(value) for name, value in arguments.items() if "_".join(words(name)) in ("date", "day", "on_date", "departure_date")]
    return next((moment for moment in asked if moment is not None), None)


def says_how_many(arguments: Mapping[str, JSON]) -> bool:
    """Whether a call says how many items it asks for."""
    return any("_".join(words(name)) in _LIMITS and isinstance(value, int) for name, value in arguments.items())


def lasting(arguments: Mapping[str, JSON]) -> tuple[str, int] | None:
    """Return the unit and number of how long each item is to last (`duration_minutes: 30`), or `None`."""
    for name, value in arguments.items():
        if (
            {"duration", "slot", "length"} & set(words(name))
            and isinstance(value, int)
            and 0 < value < 10_000
            and not isinstance(value, bool)
        ):
            return unit_in(name) or "minute", value
    return None


def looks_ahead(topic: Collection[str]) -> bool:
    """Whether words speak of what is to come."""
    return bool(_AHEAD & set(topic))


def wished_length(
    arguments: Mapping[str, JSON], name: str, around: str, *, timed: bool, of_things: bool, topic: Collection[str]
) -> int | None:
    """Return how many items a call asks for in a list of that name, `None` where it does not say.

    `around` is the name of what the list stands in; `timed` says that its items tell a time, `of_things` that they are objects.
    """
    wishes = [wish for key, value in arguments.items() if (wish := _wish(key, value, name, around, timed, of_things, topic)) is not None]
    first, last = span_of(arguments)
    own = unit_in(name) or unit_in(around) or ((step_of(arguments) or ("day", 1))[0] if timed else "")
    if timed and own and first is not None and last is not None and not wishes:
        wishes.append((last - first) // UNITS[own] + 1)
    return min(wishes, default=None)


def _wish(key: str, value: JSON, name: str, around: str, timed: bool, of_things: bool, topic: Collection[str]) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        return None
    parts = words(key)
    unit = unit_in(key)
    if unit and {part for part in parts if _FORMS.get(part) != unit} <= _AROUND:
        own = unit_in(name) or unit_in(around)
        if own == unit or (not own and timed):
            return value
        return value * (UNITS[unit] // UNITS[own]) if own and timed and UNITS[own] < UNITS[unit] else None
    if "_".join(parts) not in _LIMITS:
        return None
    meant = (
        of_things or timed or bool(set(words(name)) & set(topic)) or name in ("results", "items", "data", "values", "numbers", "samples")
    )
    if not meant:
        return None
    return value if value <= _LARGE else min(value, _MOST_OF_A_LARGE_LIMIT)
