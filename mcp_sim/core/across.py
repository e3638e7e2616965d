"""What stands across the borders of texts that follow each other."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate


def cut_across(texts: Sequence[str], wanted: Iterable[str], replacement: Callable[[str], str]) -> list[str]:
    """Return the texts with each of `wanted` that begins in one of them and ends in another cut out, its replacement where it began."""
    parts = list(texts)
    for text in wanted:
        whole, place = "".join(parts), 0
        ends = list(accumulate(map(len, parts)))
        begins = [0, *ends[:-1]]
        cuts = []
        while text and (place := whole.find(text, place)) >= 0:
            if any(place < border < place + len(text) for border in ends):
                cuts.append((place, place + len(text)))
            place += len(text)
        for begin, end in reversed(cuts):
            for number in reversed(range(len(parts))):
                low, high = max(begin, begins[number]) - begins[number], min(end, ends[number]) - begins[number]
                if low < high:
                    said = replacement(text) if begins[number] <= begin else ""
                    parts[number] = parts[number][:low] + said + parts[number][high:]
    return parts
