"""The tools that tell and convert the time."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.clock import world_time
from mcp_sim.predictors.behaviours.options import NoOptions, read_options

_ARGUMENTS = {"get_current_time": ("timezone",), "convert_time": ("source_timezone", "time", "target_timezone")}


class _RefusedError(Exception):
    """The tool cannot answer; the text is what the agent sees."""


class TimeBehaviour:
    """Answers like PyPI's `mcp-server-time` 2026.10.19 (read in its `server.py`), by the world's clock.

    No tool is volatile: that clock ticks with changes of state only. No state.
    """

    def __init__(self, options: Mapping[str, JSON]) -> None:
        read_options(NoOptions, "time", options)
        self.mutates: Mapping[str, bool] = dict.fromkeys(_ARGUMENTS, False)
        self.volatile: frozenset[str] = frozenset()

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to; `None` also for arguments that the real server's schemas do not have."""
        names = _ARGUMENTS.get(action.name)
        values = [action.arguments.get(name) for name in names or ()]
        if names is None or not all(isinstance(value, str) for value in values):
            return None
        try:
            for name, value in zip(names, values, strict=True):
                if not value and name != "time":
                    raise _RefusedError(f"Missing required argument: {name}")
            now = world_time(session)
            result = _current(now, *values) if action.name == "get_current_time" else _convert(now, *values)
        except _RefusedError as refused:
            observation = Observation.of_text(f"Error executing tool {action.name}: {refused}", is_error=True)
        else:
            content = [{"type": "text", "text": json.dumps(result, indent=2, ensure_ascii=False)}]
            observation = Observation(content=content, structured_content=result, is_error=False)
        return session.transition(action, observation, "computed", changes=False)


def _current(now: datetime, timezone: Any) -> dict[str, JSON]:
    return _told(timezone, now.astimezone(_zone(timezone)))


def _convert(now: datetime, source: Any, time: Any, target: Any) -> dict[str, JSON]:
    source_zone, target_zone = _zone(source), _zone(target)
    try:
        hour_minute = datetime.strptime(time, "%H:%M").time()
    except ValueError as error:
        raise _RefusedError("Invalid time format. Expected HH:MM [24-hour format]") from error
    moment = datetime.combine(now.astimezone(source_zone).date(), hour_minute, source_zone)
    if datetime.fromtimestamp(moment.timestamp(), source_zone).replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise _RefusedError(f"Invalid time: {time} does not exist in {source} on {moment.date()} (skipped by a clock change)")
    converted = moment.astimezone(target_zone)
    hours = ((converted.utcoffset() or timedelta()) - (moment.utcoffset() or timedelta())).total_seconds() / 3600
    difference = f"{hours:+.1f}h" if hours.is_integer() else f"{hours:+.2f}".rstrip("0").rstrip(".") + "h"
    return {"source": _told(source, moment), "target": _told(target, converted), "time_difference": difference}


def _told(timezone: str, moment: datetime) -> dict[str, JSON]:
    return {
        "timezone": timezone,
        "datetime": moment.isoformat(timespec="seconds"),
        "day_of_week": moment.strftime("%A"),
        "is_dst": bool(moment.dst()),
    }


def _zone(name: str) -> ZoneInfo:
    try:
        zone = ZoneInfo(name)
        if name not in _known_zones():  # on some file systems case does not count
            raise ZoneInfoNotFoundError(f"No time zone found with key {name}")
    except Exception as error:  # zoneinfo raises a different kind for each way to be wrong, and the real server tells them all
        raise _RefusedError(f"Invalid timezone: {error}") from error
    return zone


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())
