"""Lists."""

from dataclasses import dataclass, field
from typing import NamedTuple

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.pointer import brief
from mcp_sim.core.tool_spec import words
from mcp_sim.errors import SchemaBudgetError
from mcp_sim.predictors.instances.asked import unit_in, wished_length
from mcp_sim.predictors.instances.builder import Builder
from mcp_sim.predictors.instances.hints import DeadEndError, Spot
from mcp_sim.predictors.instances.node import Node, analyse
from mcp_sim.predictors.instances.part import Part, Parts, is_schema, least, listed, most, named, whole
from mcp_sim.predictors.instances.series import is_series

_MOST_ITEMS = 5_000


class Contained(NamedTuple):
    """A `contains`: what at least `fewest` and at most `most` items must satisfy, and its opposite."""

    part: Part
    fewest: int
    most: int | None
    others: Part


@dataclass(slots=True)
class Row:
    """What the parts of a node say about items, worked out once."""

    parts: Parts
    contained: tuple[Contained, ...]
    fewest: int
    most: int | None
    unique: bool
    first: int
    of_index: dict[int, Parts] = field(default_factory=dict)
    of_items: frozenset[str] | None = None

    @classmethod
    def of(cls, node: Node) -> "Row":
        """Return the row of a node, from its facts where it is there."""
        if "row" not in node.facts:
            parts = node.parts
            contained = tuple(
                Contained(
                    part.evolve(held),
                    1 if (count := whole(part, "minContains")) is None else count,
                    whole(part, "maxContains"),
                    part.evolve({"not": held}),
                )
                for part in parts
                if is_schema(held := part.schema.get("contains"))
            )
            unique = any(part.schema.get("uniqueItems") is True for part in parts)
            first = max((len(_prefix(part)) for part in parts), default=0)
            node.facts["row"] = cls(parts, contained, most(parts, "minItems"), least(parts, "maxItems"), unique, first)
        row: Row = node.facts["row"]
        return row

    def keys(self) -> frozenset[str]:
        """Return the properties that items have, as far as that shows without a choice."""
        if self.of_items is None:
            parts = analyse(self.parts_at(0)).parts
            self.of_items = frozenset(name for part in parts for name in named(part, "properties"))
        return self.of_items

    def parts_at(self, index: int) -> Parts:
        """Return what must hold for the item at an index."""
        index = min(index, self.first)
        if index not in self.of_index:
            found = []
            evaluated = False
            for part in self.parts:
                prefix = _prefix(part)
                rest = part.schema.get("additionalItems" if isinstance(part.schema.get("items"), list) else "items")
                held = prefix[index] if index < len(prefix) else rest
                if is_schema(held):
                    found.append(part.evolve(held))
                    evaluated = True
            if not evaluated:
                rest = "unevaluatedItems"
                found += [part.evolve(part.schema[rest]) for part in self.parts if is_schema(part.schema.get(rest))]
            self.of_index[index] = tuple(found)
        return self.of_index[index]


def _prefix(part: Part) -> list[JSON]:
    return listed(part, "prefixItems") or listed(part, "items")


def build_array(builder: Builder, node: Node, spot: Spot) -> JSON:
    """Return a list as short as is realistic: two or three items where the schema does not say."""
    row = Row.of(node)
    if row.most is not None and row.fewest > row.most:
        raise DeadEndError(spot, "minItems is larger than maxItems")
    needed = max([row.fewest, *(held.fewest for held in row.contained)])
    if needed > _MOST_ITEMS:
        raise SchemaBudgetError(f"At {brief(spot.pointer) or 'the root'}: {needed} items are asked for; {_MOST_ITEMS} is the limit.")
    length = _length(builder, row, spot)
    try:
        return _filled(builder, row, spot, length)
    except DeadEndError:
        longer = row.first + max(row.fewest, sum(held.fewest for held in row.contained))
        longer = longer if row.most is None else min(longer, row.most)
        if not row.contained or longer <= length:
            raise
        return _filled(builder, row, spot, longer)


def _filled(builder: Builder, row: Row, spot: Spot, length: int) -> list[JSON]:
    name = singular(spot.name)
    items: list[JSON] = []
    seen: set[str] = set()
    for index in range(length):
        parts = row.parts_at(index)
        missing = tuple(held.part for held in row.contained if _count(builder, items, held) < held.fewest)
        full = tuple(held.others for held in row.contained if held.most is not None and _count(builder, items, held) >= held.most)
        # what must be contained may be one item, or one item each, or at another place of the list
        wishes = dict.fromkeys((missing, *((part,) for part in missing), ()))
        for wish in wishes:
            try:
                items.append(_item(builder, (*parts, *wish, *full), spot.item(index, name), seen if row.unique else None))
            except DeadEndError:
                if wish:
                    continue
                if index >= row.fewest and not missing:
                    return items
                raise
            break
    for held in row.contained:
        count = _count(builder, items, held)
        if count < held.fewest or (held.most is not None and count > held.most):
            raise DeadEndError(spot, "contains could not be met")
    return items


def _length(builder: Builder, row: Row, spot: Spot) -> int:
    lavishness = builder.lavishness(spot)
    asked = _asked(builder, row, spot)
    if asked is not None and lavishness > 0:
        length = max(row.fewest, asked)
        return length if row.most is None else min(length, row.most)
    wished = row.first if row.first else (builder.random.randint(1, 4) if builder.random.random() < lavishness else int(lavishness > 0))
    needed = max(row.fewest, max((held.fewest for held in row.contained), default=0))
    length = max(needed, wished)
    return length if row.most is None else min(length, row.most)


def _asked(builder: Builder, row: Row, spot: Spot) -> int | None:
    """How many items the call asks for, where it asks for items of this list."""
    hints = builder.hints
    if spot.listed or row.first or row.contained or not hints.arguments:
        return None
    keys = row.keys()
    timed = is_series(keys) if keys else bool(unit_in(spot.name)) or "time" in words(spot.name)
    around = next((str(key) for key in reversed(spot.path[:-1])), hints.subject)
    wish = wished_length(hints.arguments, spot.name, around, timed=timed, of_things=bool(keys), topic=hints.topic)
    return None if wish is None else min(wish, hints.most_items)


def _count(builder: Builder, items: list[JSON], held: Contained) -> int:
    return sum(builder.fits(item, (held.part,)) for item in items)


def _item(builder: Builder, parts: Parts, spot: Spot, seen: set[str] | None) -> JSON:
    for attempt in range(12):
        item = builder.make(parts, spot)
        if seen is None:
            return item
        key = canonical(_plain(item))
        if key not in seen:
            seen.add(key)
            return item
        builder.budget.spend(1 + attempt)
    raise DeadEndError(spot, "uniqueItems: no further different item was found")


def _plain(item: JSON) -> JSON:
    """Spell 1.0 as 1, which JSON Schema takes for the same."""
    if isinstance(item, float) and item.is_integer():
        return int(item)
    if isinstance(item, list):
        return [_plain(inner) for inner in item]
    return {key: _plain(inner) for key, inner in item.items()} if isinstance(item, dict) else item


def singular(name: str) -> str:
    """Return what one item of a list of that name is called."""
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us", "is")) else name
