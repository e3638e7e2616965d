"""Objects."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mcp_sim.core.canonical import JSON
from mcp_sim.core.pointer import brief
from mcp_sim.core.tool_spec import words
from mcp_sim.errors import SchemaBudgetError
from mcp_sim.predictors.instances.builder import Builder
from mcp_sim.predictors.instances.hints import DeadEndError, Spot
from mcp_sim.predictors.instances.node import Node
from mcp_sim.predictors.instances.part import Parts, is_schema, least, listed, matches, most, named
from mcp_sim.predictors.instances.pattern import PatternText, parse

_MOST_PROPERTIES = 5_000
_INVENTED = "region environment team priority category source channel owner stage tier project release".split()
_TEXT = {"type": "string"}
_COUNTS = frozenset("count total size length number".split())


@dataclass(slots=True)
class Layout:
    """What the parts of a node say about properties, worked out once."""

    parts: Parts
    required: tuple[str, ...]
    known: tuple[str, ...]
    patterns: tuple[str, ...]
    names: Parts
    fewest: int
    most: int | None
    of_name: dict[str, Parts] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Node) -> "Layout":
        """Return the layout of a node, from its facts where it is there."""
        if "layout" not in node.facts:
            parts = node.parts
            known = dict.fromkeys(name for part in parts for name in named(part, "properties"))
            required = dict.fromkeys(name for part in parts for name in listed(part, "required") if isinstance(name, str))
            patterns = dict.fromkeys(pattern for part in parts for pattern in named(part, "patternProperties"))
            names = tuple(part.evolve(part.schema["propertyNames"]) for part in parts if is_schema(part.schema.get("propertyNames")))
            node.facts["layout"] = cls(
                parts, tuple(required), tuple(known), tuple(patterns), names, most(parts, "minProperties"), least(parts, "maxProperties")
            )
        layout: Layout = node.facts["layout"]
        return layout

    def parts_of(self, name: str) -> Parts:
        """Return what must hold for the value of a property."""
        if name in self.of_name:
            return self.of_name[name]
        found = []
        evaluated = False
        for part in self.parts:
            held = [named(part, "properties")[name]] if name in named(part, "properties") else []
            held += [schema for pattern, schema in named(part, "patternProperties").items() if matches(part, pattern, name)]
            if not held and is_schema(part.schema.get("additionalProperties")):
                held = [part.schema["additionalProperties"]]
            evaluated = evaluated or bool(held)
            found += [part.evolve(schema) for schema in held if is_schema(schema)]
        if not evaluated:
            rest = "unevaluatedProperties"
            found += [part.evolve(part.schema[rest]) for part in self.parts if is_schema(part.schema.get(rest))]
        if len(self.of_name) < 1_000:
            self.of_name[name] = tuple(found)
        return tuple(found)


def build_object(builder: Builder, node: Node, spot: Spot) -> JSON:
    """Return an object with what is required, most of what is usual, and a few made-up properties where the schema describes a map."""
    layout = Layout.of(node)
    if layout.most is not None and max(layout.fewest, len(layout.required)) > layout.most:
        raise DeadEndError(spot, "more properties are needed than maxProperties allows")
    if layout.fewest > _MOST_PROPERTIES:
        raise SchemaBudgetError(
            f"At {brief(spot.pointer) or 'the root'}: minProperties asks for {layout.fewest} properties; {_MOST_PROPERTIES} is the limit."
        )
    lavishness = builder.lavishness(spot)
    room = len(layout.known) + len(layout.required) if layout.most is None else layout.most
    room -= len(layout.required)
    value: dict[str, JSON] = {}
    left_out = []
    for name in dict.fromkeys((*layout.known, *layout.required)):
        if name in layout.required:
            if not builder.fits(name, layout.names):
                raise DeadEndError(spot.inside(name), "the name is required, and propertyNames does not allow it")
            value[name] = builder.make(layout.parts_of(name), spot.inside(name))
        elif room > 0 and builder.random.random() < lavishness and _add(builder, layout, value, name, spot):
            room -= 1
        else:
            left_out.append(name)
    for name in left_out:
        if len(value) >= layout.fewest:
            break
        _add(builder, layout, value, name, spot)
    wanted = layout.fewest
    if not layout.known and lavishness > 0.5 and (layout.most is None or layout.most > 2):
        wanted = max(wanted, builder.random.randint(1, 3))
    if len(value) < wanted:
        _invent(builder, layout, value, wanted, spot)
    if len(value) < layout.fewest:
        raise DeadEndError(spot, f"only {len(value)} of at least {layout.fewest} properties could be made")
    _count(builder, layout, value, spot)
    return value


def _add(builder: Builder, layout: Layout, value: dict[str, JSON], name: str, spot: Spot) -> bool:
    parts = layout.parts_of(name)
    if any(part.schema is False for part in parts) or not builder.fits(name, layout.names):
        return False
    try:
        value[name] = builder.make(parts, spot.inside(name))
    except DeadEndError:
        return False
    return True


def _invent(builder: Builder, layout: Layout, value: dict[str, JSON], wanted: int, spot: Spot) -> None:
    failures = 0
    for name in _new_names(builder, layout, wanted, spot):
        builder.budget.spend()
        if len(value) >= wanted or failures > 40:
            return
        if name not in value and not _add(builder, layout, value, name, spot):
            failures += 1


def _new_names(builder: Builder, layout: Layout, wanted: int, spot: Spot) -> Iterator[str]:
    if layout.names:
        text = layout.names[0].evolve(_TEXT)
        for _ in range(3 * wanted + 3):
            try:
                yield builder.make((*layout.names, text), Spot("key", spot.path, True))
            except DeadEndError:
                break
    for pattern in layout.patterns:
        tree = parse(pattern)
        if tree is not None:
            for spare in (0, 2, 4, 8):
                yield PatternText(builder.random, spare, greedy=False).write(tree)
    offset = builder.random.randrange(len(_INVENTED))
    for index in range(wanted + 20):
        word = _INVENTED[(offset + index) % len(_INVENTED)]
        yield word if index < len(_INVENTED) else f"{word}_{index // len(_INVENTED) + 1}"
    for pattern in layout.patterns:
        if (tree := parse(pattern)) is not None:
            for index in range(4 * wanted):
                yield PatternText(builder.random, 2 + index, greedy=False).write(tree)


def _count(builder: Builder, layout: Layout, value: dict[str, JSON], spot: Spot) -> None:
    """Let counts agree with the list beside them, where there is but one that they can mean."""
    lengths = {name: len(items) for name, items in value.items() if isinstance(items, list)}
    if not lengths:
        return
    things = [len(items) for items in value.values() if isinstance(items, list) and items and isinstance(items[0], dict)]
    main = things if len(things) == 1 else list(lengths.values())
    for name, number in value.items():
        if isinstance(number, int) and not isinstance(number, bool) and not builder.hints.echo(spot.inside(name)):
            name_words = words(name)
            if not _COUNTS & set(name_words):
                continue
            meant = [length for key, length in lengths.items() if set(words(key)) & _variants(name_words)]
            if not meant and len(main) == 1 and set(name_words) <= _COUNTS | {"num", "n", "results", "items", "result", "item", "returned"}:
                meant = main
            if len(meant) == 1 and meant[0] != number and builder.fits(meant[0], layout.parts_of(name)):
                value[name] = meant[0]


def _variants(name_words: list[str]) -> set[str]:
    nouns = [word for word in name_words if word not in _COUNTS]
    return {form for noun in nouns for form in (noun, noun + "s", noun + "es", noun[:-1] + "ies")}
