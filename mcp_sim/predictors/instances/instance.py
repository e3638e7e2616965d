"""A valid, realistic, repeatable value of any JSON Schema."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.pointer import brief
from mcp_sim.core.schema_document import compiled
from mcp_sim.core.tool_spec import words
from mcp_sim.errors import SchemaBudgetError, UnsatisfiableSchemaError
from mcp_sim.predictors.instances.array import build_array
from mcp_sim.predictors.instances.budget import Budget
from mcp_sim.predictors.instances.builder import Builder
from mcp_sim.predictors.instances.composition import Composition
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.hints import DeadEndError, Hints, Spot
from mcp_sim.predictors.instances.meaning import NUMBER_FORMATS, number_for, truth_for
from mcp_sim.predictors.instances.node import Choice, Node, analyse, leaves
from mcp_sim.predictors.instances.number import Range
from mcp_sim.predictors.instances.object import build_object
from mcp_sim.predictors.instances.part import Parts, listed
from mcp_sim.predictors.instances.text import build_text

_DEEPEST = 60
_LAVISHNESS = (0.95, 0.9, 0.8, 0.6, 0.4, 0.2)  # by depth
_TRIES = ((1.0, 50, 6_000), (0.5, 10, 6_000), (0.0, 0, 20_000))  # lavishness, most items that are asked for, and steps
_MOST_CHARACTERS = 20_000  # of JSON without white space: at most twice as many with
_JUDGING_STEPS = 200_000
_MOST_ECHOED = 20_000
_ENOUGH_VALUES = 300
_MOST_NODES = 20_000


class InstanceMaker:
    """Makes values of one schema, which must not change afterwards, one call at a time.

    It keeps what it worked out about the schema, so that the second value is cheap. `steps_used` tells what the last call took.
    """

    def __init__(self, schema: JSON, fake: Fake | None = None) -> None:
        self._root, _ = compiled(schema)
        self._fake = fake or Fake()
        self._nodes: dict[tuple[int, ...], Node] = {}
        self.steps_used = 0

    def make(self, random: Random, hints: Hints | None = None) -> JSON:
        """Return a value that the schema holds for, decided by chance and hints alone, and no larger than it must be or is realistic.

        Raises:
            UnsatisfiableSchemaError: the search ended without one; the message says where and why.
            SchemaBudgetError: the search was too long, or what is asked for is too large.
        """
        hints = hints or Hints()
        self.steps_used = 0
        fake = self._fake.begin(random, hints.now)
        failure: DeadEndError | SchemaBudgetError | None = None
        for lavish, most_items, steps in _TRIES:
            told = replace(hints, most_items=most_items) if lavish else Hints(now=hints.now)
            search = _Search(self._nodes, random, fake, told, Budget(steps), lavish)
            self._root.document.steps_left = _JUDGING_STEPS
            try:
                value = search.make((self._root,), Spot())
                if search.fits(value, (self._root,)) and (lavish == 0 or len(canonical(value)) <= _MOST_CHARACTERS):
                    return Composition(told, random, search.given).agreed(value, self._holds)
                failure = DeadEndError(Spot(), "what was made did not hold")
            except (DeadEndError, SchemaBudgetError) as error:
                failure = error
            except RecursionError:
                failure = SchemaBudgetError("The schema is nested too deeply to make a value of it. Make it flatter.")
            finally:
                self.steps_used += steps - search.budget.left + (_JUDGING_STEPS - self._root.document.steps_left) // 10
        if isinstance(failure, DeadEndError):
            raise UnsatisfiableSchemaError(
                f"No value of this schema could be made: at {brief(failure.spot.pointer) or 'the root'}, {failure.reason}. "
                "Mend the schema, or pin an answer in frozen.jsonl."
            ) from failure
        raise failure or AssertionError

    def _holds(self, value: JSON) -> bool:
        self._root.document.steps_left = _JUDGING_STEPS
        return self._root.is_valid(value) and len(canonical(value)) <= _MOST_CHARACTERS


def make_instance(schema: JSON, random: Random, hints: Hints | None = None) -> JSON:
    """Return one value of a schema; see `InstanceMaker.make`.

    Raises:
        SetupError: it is no JSON Schema.
    """
    return InstanceMaker(schema).make(random, hints)


class _Search:
    def __init__(self, nodes: dict[tuple[int, ...], Node], random: Random, fake: Fake, hints: Hints, budget: Budget, lavish: float) -> None:
        self.random, self.fake, self.hints, self.budget = random, fake, hints, budget
        self._nodes, self._lavish = nodes, lavish
        self._values = 0
        self.given: set[int] = set()
        """The containers (by identity) that the schema itself gives."""

    def lavishness(self, spot: Spot) -> float:
        if self._values > _ENOUGH_VALUES or self._lavish == 0:
            return 0
        return self._lavish * _LAVISHNESS[min(spot.depth, len(_LAVISHNESS) - 1)] if spot.depth < 8 else 0

    def fits(self, value: JSON, parts: Parts) -> bool:
        return all(part.is_valid(value) for part in parts)

    def make(self, parts: Parts, spot: Spot) -> JSON:
        self.budget.spend()
        self._values += 1
        if spot.depth > _DEEPEST:
            raise DeadEndError(spot, f"values nest more than {_DEEPEST} deep")
        for echoed in self.hints.echo(spot):
            if self._worth(echoed) and self.fits(echoed, parts):
                return echoed
        node = self._node(parts)
        failure = DeadEndError(spot, node.dead or "no alternative satisfies all that must hold")
        for leaf in leaves(node, self._order(spot), self.budget):
            if leaf.values is not None:
                drawn = self.random.sample(leaf.values, len(leaf.values))
                for value in sorted(drawn, key=lambda one: not (isinstance(one, str) and one.lower() in self.hints.topic)):
                    self.budget.spend()
                    if self.fits(value, parts):
                        self.given.add(id(value))
                        return value
                failure = DeadEndError(spot, "none of the values of enum or const satisfies all that must hold")
                continue
            for given in self._given(leaf):
                if self.fits(given, parts):
                    self.given.add(id(given))
                    return given
            lavish = self._lavish
            try:
                for attempt in range(5 if leaf.judged else 1):
                    value = self._build(leaf, spot)
                    if not leaf.judged or self.fits(value, parts):
                        return value
                    self._lavish = 0 if attempt > 1 else lavish
                failure = DeadEndError(spot, "oneOf, not, if or unevaluated… could not be met")
            except DeadEndError as error:
                failure = error
            finally:
                self._lavish = lavish
        raise failure

    def _node(self, parts: Parts) -> Node:
        key = tuple(id(part.schema) for part in parts)
        node = self._nodes.get(key)
        if node is None:
            if len(self._nodes) > _MOST_NODES:
                self._nodes.clear()
            node = self._nodes[key] = analyse(parts)
            node.facts["given"] = parts  # keeps the schemas alive, whose identities are the key
        return node

    def _worth(self, value: JSON) -> bool:
        return not isinstance(value, str) or len(value) <= _MOST_ECHOED

    def _order(self, spot: Spot) -> Callable[[Choice], list[int]]:
        """Return the order in which alternatives are tried: by chance, null last; where little is wanted, the simplest first."""

        def order(choice: Choice) -> list[int]:
            indices = list(range(len(choice.alternatives)))
            if self.lavishness(spot) < 0.3:
                return sorted(indices, key=lambda index: _effort(choice.alternatives[index]))
            if choice.source[1] in ("anyOf", "oneOf"):
                self.random.shuffle(indices)
            if self.random.random() < 0.9:
                indices.sort(key=lambda index: _effort(choice.alternatives[index]) == 0)
            return sorted(indices, key=lambda index: len(choice.alternatives[index])) if choice.source[1] == "oneOf" else indices

        return order

    def _given(self, leaf: Node) -> Iterator[JSON]:
        """Yield values that the schema itself gives: examples, and a default that says something."""
        for part in leaf.parts:
            examples = listed(part, "examples")
            if examples:
                yield self.random.choice(examples)
            for keyword in ("example", "default"):
                if part.schema.get(keyword) not in (None, "", [], {}, False, 0):
                    yield part.schema[keyword]

    def _build(self, leaf: Node, spot: Spot) -> JSON:
        failure = DeadEndError(spot, "no type fits")
        for kind in leaf.types:
            try:
                return self._of_type(kind, leaf, spot)
            except DeadEndError as error:
                failure = error
        raise failure

    def _of_type(self, kind: str, leaf: Node, spot: Spot) -> JSON:
        builder: Builder = self
        if kind == "object":
            return build_object(builder, leaf, spot)
        if kind == "array":
            return build_array(builder, leaf, spot)
        if kind == "string":
            return build_text(builder, leaf, spot)
        if kind == "boolean":
            likely = truth_for(spot.name, self.fake) or (bool(spot.name) and set(words(spot.name)) <= set(self.hints.topic))
            return likely if not leaf.judged or self.random.random() < 0.7 else not likely
        if kind == "null":
            return None
        return self._number(leaf, spot, whole=kind == "integer")

    def _number(self, leaf: Node, spot: Spot, *, whole: bool) -> JSON:
        fact = "whole range" if whole else "range"
        if fact not in leaf.facts:
            leaf.facts[fact] = Range(leaf.parts, whole=whole)
        bounds: Range = leaf.facts[fact]
        if bounds.empty:
            raise DeadEndError(spot, "minimum, maximum and multipleOf leave no number")
        said = next((word for part in leaf.parts if (word := part.schema.get("format")) in NUMBER_FORMATS), spot.name)
        plain = not any("multipleOf" in part.schema for part in leaf.parts)
        try:
            for value in bounds.candidates(self.random, number_for(said, self.fake, whole=whole)):
                self.budget.spend()
                if plain or self.fits(value, leaf.parts):
                    return value
        except OverflowError as error:
            raise DeadEndError(spot, "the bounds are beyond what numbers can tell apart") from error
        raise DeadEndError(spot, "no number satisfies minimum, maximum and multipleOf")


def _effort(parts: Parts) -> int:
    schema = parts[0].schema
    if not isinstance(schema, dict):
        return 5
    kind = schema.get("type")
    if kind == "null" or ("const" in schema and schema["const"] is None):
        return 0
    if "$ref" in schema or "$dynamicRef" in schema or "allOf" in schema:
        return 4
    return {"array": 2, "object": 3}.get(kind, 1) if isinstance(kind, str) else 3
