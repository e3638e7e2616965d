"""What is made up of one thing agrees with itself: its addresses end in its name, and it does not end before it begins."""

import re
from collections.abc import Collection, Iterator
from datetime import timedelta
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.arguments import snake
from mcp_sim.predictors.engine.collection import Record
from mcp_sim.predictors.instances.moments import is_moment, moment_like, parsed, tells_creation

_BEGINS = frozenset("start starts begin begins departure checkin".split())
_ENDS = frozenset("end ends finish finishes arrival checkout".split())
_ADDRESS = re.compile(r"^(https?://[^/\s]+)(?:/\S*)?$")
_ADDRESSES = frozenset({"html_url", "url", "web_url", "permalink", "link"})
_LONGEST_DAYS = 3


def corrections(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """Return what to change in a thing so that it agrees with itself; what is `kept` (by names in lower case) stays."""
    for key, value in (*_named(record), *_timed(record, kept, random)):
        if snake(key) not in kept and record.get(key) != value:
            yield key, value


def _named(record: Record) -> Iterator[tuple[str, JSON]]:
    owner = record.get("owner")
    holder = next((owner[key] for key in ("login", "username", "name") if key in owner), None) if isinstance(owner, dict) else owner
    name = next((record[key] for key in ("name", "login", "username", "slug") if isinstance(record.get(key), str)), None)
    if not isinstance(name, str) or not name:
        return
    whole = f"{holder}/{name}" if isinstance(holder, str) and holder else name
    base = next((found.group(1) for key in _ADDRESSES if (found := _ADDRESS.match(str(record.get(key, ""))))), "")
    for key, value in record.items():
        if snake(key) == "full_name" and isinstance(value, str) and "/" in whole:
            yield key, whole
        elif snake(key) == "path" and isinstance(value, str) and "name" in record and "." in name:
            yield key, "/".join([*value.split("/")[:-1], name])
        elif snake(key) in _ADDRESSES and isinstance(value, str) and _ADDRESS.match(value):
            yield key, f"{base}/{whole.replace(' ', '-')}"
    if isinstance(owner, dict) and base and isinstance(holder, str):
        theirs = {key: f"{base}/{holder}" for key in owner if snake(key) in _ADDRESSES and isinstance(owner[key], str)}
        yield "owner", {**owner, **theirs}


def _timed(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    made = next((parsed(value) for key, value in record.items() if tells_creation(key) and is_moment(value)), None)
    ends = {_stem(key, _ENDS): key for key, value in record.items() if set(words(key)) & _ENDS and is_moment(value)}
    for key, value in record.items():
        parts = set(words(key))
        if not is_moment(value) or (begins := parsed(value)) is None:
            continue
        other = ends.get(_stem(key, _BEGINS)) if parts & _BEGINS else None
        if other is not None and (stops := parsed(record[other])) is not None:
            if not begins < stops <= begins + timedelta(days=_LONGEST_DAYS):
                span = timedelta(minutes=random.choice((30, 60, 90, 120)))
                if isinstance(value, str) and len(value) == 10:
                    span = timedelta(days=random.randint(1, _LONGEST_DAYS))
                if snake(other) in kept:
                    yield key, moment_like(value, stops - span)
                else:
                    yield other, moment_like(record[other], begins + span)
        elif "due" in parts and made is not None and begins < made:
            yield key, moment_like(value, made + timedelta(days=random.randint(2, 30)))


def _stem(key: str, ends: Collection[str]) -> str:
    return "_".join(part for part in words(key) if part not in ends)
