"""Texts within lengths, patterns and formats."""

from collections.abc import Iterator

from mcp_sim.core.canonical import JSON
from mcp_sim.core.pointer import brief
from mcp_sim.core.tool_spec import words
from mcp_sim.errors import SchemaBudgetError
from mcp_sim.predictors.instances.builder import Builder
from mcp_sim.predictors.instances.format import formatted
from mcp_sim.predictors.instances.hints import DeadEndError, Spot
from mcp_sim.predictors.instances.meaning import name_of_owner, text_for
from mcp_sim.predictors.instances.node import Node
from mcp_sim.predictors.instances.part import least, matches, most
from mcp_sim.predictors.instances.pattern import PatternText, parse
from mcp_sim.predictors.instances.vocabulary import TEXTS

_MOST_CHARACTERS = 100_000


def build_text(builder: Builder, node: Node, spot: Spot) -> JSON:
    """Return a text: of its format, else what its name and description tell, else what its patterns ask for."""
    shortest, longest = most(node.parts, "minLength"), least(node.parts, "maxLength")
    if longest is not None and shortest > longest:
        raise DeadEndError(spot, "minLength is larger than maxLength")
    if shortest > _MOST_CHARACTERS:
        raise SchemaBudgetError(
            f"At {brief(spot.pointer) or 'the root'}: minLength asks for {shortest} characters; {_MOST_CHARACTERS} is the limit."
        )
    builder.budget.spend(shortest // 100)
    pattern_of = {part.schema["pattern"]: part for part in node.parts if "pattern" in part.schema}
    patterns = list(pattern_of)
    for candidate in _candidates(builder, node, spot, patterns, shortest, longest):
        builder.budget.spend()
        fits = shortest <= len(candidate) and (longest is None or len(candidate) <= longest)
        if fits and all(matches(part, pattern, candidate) for pattern, part in pattern_of.items()):
            return candidate
    raise DeadEndError(spot, f"no text was found for pattern {patterns[0]!r}" if patterns else "no text was found")


def _candidates(builder: Builder, node: Node, spot: Spot, patterns: list[str], shortest: int, longest: int | None) -> Iterator[str]:
    about = words(spot.name)
    for part in node.parts:
        name = part.schema.get("format")
        if not isinstance(name, str):
            continue
        if (text := formatted(name, builder.fake, about)) is not None:
            yield text
        elif name in TEXTS:  # not a format of JSON Schema, but a word for what it is
            yield TEXTS[name](builder.fake)
    description = next((told for part in node.parts if isinstance(told := part.schema.get("description"), str)), "")
    if not patterns or spot.name:
        text = text_for(name_of_owner(spot, builder.hints.subject) or spot.name, description, builder.fake)
        yield text
        yield _fitted(text, shortest, longest, builder)
    yield from _by_pattern(builder, patterns, shortest, longest)
    yield _fitted("x", shortest, longest, builder)
    yield ""


def _fitted(text: str, shortest: int, longest: int | None, builder: Builder) -> str:
    filler = " " + builder.fake.sentence()
    wanted = max(shortest, len(text))
    filled = text + filler * ((wanted - len(text)) // len(filler) + 1)
    return filled[: wanted if longest is None else min(longest, wanted)]


def _by_pattern(builder: Builder, patterns: list[str], shortest: int, longest: int | None) -> Iterator[str]:
    trees = [tree for pattern in patterns if (tree := parse(pattern)) is not None]
    for attempt in range(12):
        texts = []
        for tree in trees:
            width = tree.getwidth()[0]
            high = max(width, shortest) + (8 if attempt % 3 else 2)
            wanted = builder.random.randint(max(width, shortest), max(width, shortest, high if longest is None else min(longest, high)))
            if attempt > 8:
                wanted = max(width, shortest) if attempt % 2 else max(width, longest if longest is not None and longest < 1_000 else wanted)
            try:
                text = PatternText(builder.random, wanted - width, greedy=attempt > 3).write(tree)
            except RecursionError:  # a pattern of hundreds of nested groups
                return
            builder.budget.spend(1 + len(text) // 50)
            texts.append(text)
            yield text
            filler = "a" * (shortest - len(text))
            yield text + filler
            yield filler + text
        if len(texts) > 1:
            yield "".join(texts)
            yield "".join(reversed(texts))
            yield " ".join(texts)
