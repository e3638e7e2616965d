"""The part of a text that answers a query."""

import re
from collections import Counter
from collections.abc import Sequence

from mcp_sim.predictors.behaviours.search.index import Index

_PASSAGE_WORDS = 30
_WORD = re.compile(r"\S+")


def passage(text: str, hits: Sequence[set[int]]) -> str:
    """Return the stretch of 30 words of the text that is hit by the most words of a query, then most often, then first.

    `…` stands for what is left out.
    """
    words = list(_WORD.finditer(text))
    if not words:
        return ""
    start = _best_start(len(words), hits)
    end = min(start + _PASSAGE_WORDS, len(words))
    shown = " ".join(word.group() for word in words[start:end])
    return ("… " if start else "") + shown + (" …" if end < len(words) else "")


def bearing_paragraphs(text: str, goal: str) -> str:
    """Return the paragraphs hit by at least half as many words of the goal as the one hit by most; all of them if none is hit."""
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]
    index = Index(("", paragraph) for paragraph in paragraphs)
    counts = [sum(map(bool, index.hits(place, goal))) for place in range(len(paragraphs))]
    best = max(counts, default=0)
    if not best:
        return text
    return "\n\n".join(paragraph for paragraph, count in zip(paragraphs, counts, strict=True) if 2 * count >= best)


def _best_start(length: int, hits: Sequence[set[int]]) -> int:
    by_position: dict[int, list[int]] = {}
    for number, positions in enumerate(hits):
        for position in positions:
            by_position.setdefault(position, []).append(number)
    inside: Counter[int] = Counter()
    best, best_start = (-1, -1), 0
    for position in range(length):
        inside.update(by_position.get(position, ()))
        inside.subtract(by_position.get(position - _PASSAGE_WORDS, ()))
        found = (sum(count > 0 for count in inside.values()), inside.total())
        if found > best and (position >= _PASSAGE_WORDS - 1 or position == length - 1):
            best, best_start = found, max(0, position - _PASSAGE_WORDS + 1)
    return best_start
