"""Which things a patch touches: what is derived from the state is brought up to date by these alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mcp_sim.core.session import Trajectory
from mcp_sim.core.state import Change
from mcp_sim.predictors.engine.kept.collection import Record, id_text

Unit = tuple[str, str, str]
"""What names a thing in a world: its resource, its parent, its id."""


class Touch(NamedTuple):
    """A thing that came, changed or went, and what is now said of it; in part where `kind` is `more`. `whole` is a collection as such."""

    unit: Unit
    kind: str
    record: Record


def touches(patch: Iterable[Change], id_keys: Mapping[str, str]) -> Iterator[Touch]:
    """Return what a patch touches of the resources in `id_keys`, which tells under what key each keeps its ids."""
    for change in patch:
        path = change.path
        if len(path) < 5 or path[0] != "entities" or path[2] != "within" or path[1] not in id_keys:
            continue
        resource, parent, kind, value = path[1], path[3], path[4], change.value
        if kind in ("closed", "seeded"):
            yield Touch((resource, parent, ""), "whole", {})
            for record in value if isinstance(value, list) else ():
                yield Touch((resource, parent, id_text(record.get(id_keys[resource]))), kind, record)
        elif kind == "created" and value:
            yield Touch((resource, parent, id_text(value[0].get(id_keys[resource]))), kind, value[0])
        elif kind in ("changed", "more", "revealed", "deleted"):
            yield Touch((resource, parent, path[5]), kind, value[-1] if isinstance(value, list) and value else {})


def shared_length(one: Trajectory, other: Trajectory) -> int:
    """Return how many transitions two sessions have in common: a transition is one object, so the last one tells of all before it."""
    least, most = 0, min(len(one), len(other))
    if most == 0 or one[most - 1] is other[most - 1]:
        return most
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[middle - 1] is other[middle - 1] else (least, middle - 1)
    return least
