"""What is made up of one thing agrees with itself: its addresses end in its name, and its fields say together what can be."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.instances.agreement import amendments
from mcp_sim.predictors.instances.moments import is_moment, moment_like, parsed, tells_change, tells_creation

_ADDRESS = re.compile(r"^(https?://[^/\s]+)(?:/\S*)?$")
_ADDRESSES = frozenset({"html_url", "url", "web_url", "permalink", "link"})


def corrections(record: Record, kept: Collection[str], random: Random) -> Iterator[tuple[str, JSON]]:
    """Return what to change in a thing so that it agrees with itself; what is `kept` (by names in lower case) stays."""
    own = {key for key in record if snake(key) in kept}
    for key, value in (*_named(record), *amendments(record, own, random)):
        if snake(key) not in kept and record.get(key) != value:
            yield key, value


def scheduled(record: Record, now: datetime, random: Random) -> Record:
    """Return the times of what begins and ends, in the days around now: what is planned is looked at when it is near."""
    begins = next((key for key, value in record.items() if {"start", "starts"} & set(words(key)) and is_moment(value)), None)
    first = parsed(record[begins]) if begins is not None else None
    if first is None:
        return {}
    days = timedelta(days=(now.date() - first.date()).days + random.randint(-2, 14))
    planned = {key: moment for key, value in record.items() if is_moment(value) and (moment := parsed(value)) is not None}
    return {key: moment_like(record[key], at + days) for key, at in planned.items() if not (tells_creation(key) or tells_change(key))}


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
