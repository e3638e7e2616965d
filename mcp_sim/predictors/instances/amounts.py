"""Amounts of one object that make each other: lines and their bill, what is used and what is left, outcomes and pages."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words

Record = Mapping[str, JSON]


_FAR = 10**12
_ADDED = frozenset("tax taxes vat shipping delivery fee fees tip surcharge handling gst".split())
_TAKEN = frozenset("discount discounts rebate".split())
_WHOLE = frozenset("total grand amount due sum price cost order invoice value".split())
_PRICES = frozenset({"unit_price", "price", "unit_cost", "price_per_unit", "price_each", "rate"})
_LINE_TOTALS = frozenset({"line_total", "total", "subtotal", "total_price", "amount", "extended_price", "total_cost", "total_value"})
_QUANTITIES = frozenset({"quantity", "qty", "units", "shares"})
_OUTCOMES = frozenset("passed failed skipped succeeded errored pending errors failures successes running completed".split())
_USED = frozenset({"used", "consumed", "spent", "allocated", "reserved", "booked", "occupied"})
_LEFT = frozenset({"free", "available", "remaining", "left"})
_SHARE = frozenset({"percent", "percentage", "pct"})
_ALL = frozenset({"total", "limit", "capacity", "quota", "budget", "on_hand"})


@lru_cache(maxsize=20_000)
def _spelled(key: str) -> str:
    """Return a key in lower case with underscores."""
    return "_".join(words(key))


def is_number(value: JSON) -> bool:
    """Whether a value is a number that one can reckon with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FAR


@lru_cache(maxsize=20_000)
def stem_of(key: str, ends: frozenset[str]) -> str:
    """Return a key without some of its words."""
    return "_".join(part for part in words(key) if part not in ends)


def as_written(sample: JSON, value: float) -> JSON:
    """A number written as another one is: whole, or with as many digits."""
    if isinstance(sample, int):
        return round(value)
    return round(value, max(len(str(sample).partition(".")[2]), 1)) if "e" not in str(sample) else value


def _named(record: Record, names: frozenset[str]) -> str | None:
    return next((key for key, value in record.items() if _spelled(key) in names and is_number(value)), None)


def _cents(value: float) -> float:
    return round(value + 1e-9, 2)


def lines(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """So many at a price make the total of a line."""
    quantity, price, total = _named(record, _QUANTITIES), _named(record, _PRICES), _named(record, _LINE_TOTALS)
    if quantity is not None and price is not None and total is not None and total != price:
        yield total, _like_money(record[total], record[quantity] * record[price])


def _like_money(sample: JSON, value: float) -> JSON:
    return round(value) if isinstance(sample, int) and value == round(value) else _cents(value)


def sums(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """The lines of a bill make its subtotal, and that and what comes on top of it its total."""
    subtotal = next((key for key, value in record.items() if _spelled(key) in ("subtotal", "sub_total", "net") and is_number(value)), None)
    added = [
        key for key in record if set(words(key)) & _ADDED and not set(words(key)) & {"rate", "percent", "id"} and is_number(record[key])
    ]
    taken = [
        key for key in record if set(words(key)) & _TAKEN and not set(words(key)) & {"rate", "percent", "id"} and is_number(record[key])
    ]
    totals = [k for k in record if "total" in words(k) and set(words(k)) <= _WHOLE and is_number(record[k])]
    lines = next((sum(amounts) for value in record.values() if (amounts := _amounts(value))), None)
    if lines is not None and not (subtotal is None and (added or taken)):
        target = subtotal or (totals[0] if len(totals) == 1 else None)
        if target is not None:
            yield target, _like_money(record[target], lines)
            record = {**record, target: _like_money(record[target], lines)}
    if subtotal is None or not (added or taken):
        return
    base = record[subtotal]
    for key in added:
        if record[key] > base * 0.3 and key not in kept:
            record = {**record, key: _like_money(record[key], base * random.choice((0.05, 0.07, 0.08, 0.1, 0.19)))}
            yield key, record[key]
    for key in taken:
        if abs(record[key]) > base * 0.5 and key not in kept:
            record = {**record, key: _like_money(record[key], base * 0.1)}
            yield key, record[key]
    if len(totals) == 1:
        total = base + sum(record[key] for key in added) - sum(abs(record[key]) for key in taken)
        yield totals[0], _like_money(record[totals[0]], total)


def _amounts(value: JSON) -> list[float]:
    """What the lines of a bill come to, where they are such."""
    found: list[float] = []
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            return []
        quantity, price, total = _named(item, _QUANTITIES), _named(item, _PRICES), _named(item, _LINE_TOTALS)
        if quantity is not None and price is not None:
            found.append(item[quantity] * item[price])
        elif total is not None and quantity is not None:
            found.append(item[total])
        else:
            return []
    return found


def rests(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """What is used and what is left make the whole."""
    for used in (key for key in record if set(words(key)) & _USED and is_number(record[key])):
        stem = stem_of(used, _USED)
        left = next((k for k in record if set(words(k)) & _LEFT and stem_of(k, _LEFT) == stem and is_number(record[k])), None)
        whole = next((k for k in record if set(words(k)) & _ALL and stem_of(k, _ALL) == stem and k != left and is_number(record[k])), None)
        if whole is None:
            continue
        if record[used] > record[whole]:
            if used in kept or whole in kept:
                continue
            record = {**record, used: record[whole], whole: record[used]}
            yield from ((used, record[used]), (whole, record[whole]))
        if left is not None:
            yield left, as_written(record[left], record[whole] - record[used])
        share = next((k for k in record if k != used and stem_of(k, _SHARE) == used and is_number(record[k])), None)
        if share is not None and record[whole]:
            yield share, as_written(record[share], 100 * record[used] / record[whole])


def tallies(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """Those that passed and those that failed make all of them."""
    parts = [key for key, value in record.items() if _spelled(key) in _OUTCOMES and isinstance(value, int) and not isinstance(value, bool)]
    total = next(
        (k for k, v in record.items() if _spelled(k) in ("total", "total_tests", "total_count", "tests") and isinstance(v, int)), None
    )
    if total is not None and len(parts) > 1 and not any(isinstance(value, list) for value in record.values()):
        yield total, sum(record[key] for key in parts)


def pages(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """So many in all, so many on a page: so many pages, and more after this one or not."""
    by_name = {_spelled(key): key for key, value in record.items() if isinstance(value, int)}
    size = next((record[by_name[name]] for name in ("per_page", "page_size", "limit") if name in by_name), None)
    total = next((record[by_name[name]] for name in ("total", "total_count", "total_results", "total_items") if name in by_name), None)
    if not isinstance(size, int) or not isinstance(total, int) or size < 1 or isinstance(size, bool) or isinstance(total, bool):
        return
    pages = max(-(-total // size), 1)
    page = next((record[by_name[name]] for name in ("page", "current_page", "page_number") if name in by_name), 1)
    for name in ("total_pages", "page_count", "pages", "last_page"):
        if name in by_name:
            yield by_name[name], pages
    for name in ("has_more", "has_next", "has_next_page"):
        if name in by_name:
            yield by_name[name], page < pages
