"""The part of a text that answers a query."""

from bisect import bisect
from collections.abc import Sequence

from mcp_sim.predictors.behaviours.search.index import Index
from mcp_sim.predictors.behaviours.search.words import word_spans

_PASSAGE_WORDS = 30


def passage(text: str, hits: Sequence[Sequence[int]]) -> str:
    """Return the stretch of 30 words of the text that is hit by the most words of a query, then most often, then first.

    The hits stand in its middle, or it begins with the text. `…` stands for what is left out.
    """
    spans = word_spans(text)
    if not spans:
        return ""
    starts = [start for start, _ in spans]
    first = _best_start(len(spans), [{bisect(starts, offset) - 1 for offset in offsets} for offsets in hits])
    last = min(first + _PASSAGE_WORDS, len(spans)) - 1
    shown = " ".join(text[spans[first][0] : spans[last][1]].split())
    return ("… " if first else "") + shown + (" …" if last + 1 < len(spans) else "")


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
    counts = [0] * len(hits)
    score, best, first, last = (0, 0), (-1, -1), 0, 0
    for start in range(1 - _PASSAGE_WORDS, max(1, length - _PASSAGE_WORDS + 1)):
        entering, leaving = by_position.get(start + _PASSAGE_WORDS - 1), by_position.get(start - 1)
        if entering or leaving:
            for number in entering or ():
                counts[number] += 1
            for number in leaving or ():
                counts[number] -= 1
            score = (len(counts) - counts.count(0), sum(counts))
        if start >= 0 and score > best:
            best, first, last = score, start, start
        elif score == best and start == last + 1:
            last = start
    return (first + last) // 2 if first else 0
