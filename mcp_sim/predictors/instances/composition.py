"""A value that was made part by part, brought to agree with itself as a whole."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.agreement import amendments
from mcp_sim.predictors.instances.hints import Hints, Spot
from mcp_sim.predictors.instances.series import Line

_MOST_TRIALS = 60
_DEEPEST = 20


@dataclass(frozen=True)
class Composition:
    """Brings one value to agree. What is in `given` (by identity) was written by the schema's author and stays."""

    hints: Hints
    random: Random
    given: Collection[int]
    edits: list[tuple[tuple[str | int, ...], JSON]] = field(default_factory=list)

    def agreed(self, value: JSON, holds: Callable[[JSON], bool]) -> JSON:
        """Return the value with all that may be amended amended, where it holds then, else with as much as holds."""
        whole = self._walked(value, Spot())
        if not self.edits or holds(whole):
            return whole
        for path, part in self.edits[:_MOST_TRIALS]:
            trial = _placed(value, path, part)
            if holds(trial):
                value = trial
        return value

    def _walked(self, value: JSON, spot: Spot) -> JSON:
        if id(value) in self.given or spot.depth > _DEEPEST:
            return value
        if isinstance(value, dict):
            return self._object({key: self._walked(inner, spot.inside(key)) for key, inner in value.items()}, spot)
        if isinstance(value, list):
            own = any(id(item) in self.given for item in value)
            items = [self._walked(item, spot.item(place, spot.name)) for place, item in enumerate(value)]
            arranged = items if own else self._edited(items, self._line(spot).arranged(items), spot.path)
            return [self._walked(item, spot.item(place, spot.name)) for place, item in enumerate(arranged)] if arranged != items else items
        return value

    def _line(self, spot: Spot) -> Line:
        around = next((str(key) for key in reversed(spot.path[:-1]) if isinstance(key, str)), self.hints.subject)
        return Line(self.hints.arguments, self.hints.now, spot.name, around, self.hints.topic)

    def _object(self, value: dict[str, JSON], spot: Spot) -> JSON:
        value = self._columns(value, spot)
        kept = {key for key, item in value.items() if item in self.hints.echo(spot.inside(key))}
        for key, item in amendments(value, kept, self.random):
            self.edits.append(((*spot.path, key), item))
            value = {**value, key: item}
        return value

    def _columns(self, value: dict[str, JSON], spot: Spot) -> dict[str, JSON]:
        """Lists of equal standing beside a list of times (`{"time": [...], "temperature": [...]}`) have as many items as it."""
        plain = {key: items for key, items in value.items() if isinstance(items, list) and items and not isinstance(items[0], dict | list)}
        timed = next((key for key in plain if set(words(key)) & {"time", "times", "date", "dates", "timestamp", "timestamps"}), None)
        if timed is None or len(plain) < 2:
            return value
        shortest = min(len(items) for items in plain.values())
        cut = {key: items[:shortest] for key, items in plain.items() if len(items) > shortest}
        self.edits.extend(((*spot.path, key), items) for key, items in cut.items())
        return {**value, **cut}

    def _edited(self, before: JSON, after: JSON, path: tuple[str | int, ...]) -> JSON:
        if after != before:
            self.edits.append((path, after))
        return after


def _placed(value: JSON, path: tuple[str | int, ...], part: JSON) -> JSON:
    if not path:
        return part
    if isinstance(value, dict) and path[0] in value:
        return {**value, path[0]: _placed(value[path[0]], path[1:], part)}
    if isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [*value[: path[0]], _placed(value[path[0]], path[1:], part), *value[path[0] + 1 :]]
    return value
