"""Putting the values of one call in the place of another's."""

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource

Swaps = list[tuple[JSON, JSON]]


def swaps_of(example: Demonstration, arguments: dict[str, JSON], id_: str = "") -> Swaps:
    """Return what to put in the place of what the example was asked with; where two were the same, an answer speaks of the `id_`."""
    swaps = [
        (old, arguments[key])
        for key, old in example.action.arguments.items()
        if key in arguments and isinstance(old, str | int) and not isinstance(old, bool) and old != ""
    ]
    return sorted(swaps, key=lambda swap: (-len(str(swap[0])), id_text(swap[1]) != id_))


def swapped(value: JSON, swaps: Swaps, depth: int = 0) -> JSON:
    """Return a JSON value with what is to be swapped swapped, inside texts as well."""
    if isinstance(value, dict) and depth < 20:
        return {key: swapped(item, swaps, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < 20:
        return [swapped(item, swaps, depth + 1) for item in value]
    for old, new in swaps:
        if value == old and type(value) is type(old):
            return new
    if isinstance(value, str):
        return swapped_text(value, swaps)
    return value


def swapped_text(text: str, swaps: Swaps) -> str:
    """Return a text with what is to be swapped swapped, in one pass: what was put in is not replaced again."""
    pieces: list[str] = [text]
    for old, new in swaps:
        before = id_text(old)
        if not before or len(before) > 2000:
            continue
        split: list[str] = []
        for index, piece in enumerate(pieces):
            if index % 2:
                split.append(piece)
                continue
            parts = piece.split(before)
            for at_, part in enumerate(parts):
                split.append(part)
                if at_ < len(parts) - 1:
                    split.append(id_text(new))
        pieces = split
    return "".join(pieces)


def text_swapped(example: Demonstration, record: Record, arguments: dict[str, JSON], resource: Resource) -> Observation:
    """Return the text of an example as the answer to this call: its arguments replaced, and the id that it shows."""
    new_id = id_text(record.get(resource.id_key))
    swaps = swaps_of(example, arguments, new_id)
    given = {id_text(old) for old, _ in swaps}
    text = example.observation.text
    if not any(id_text(new) == new_id for _, new in swaps):
        token = next(
            (word for word in tokens(text) if word not in given and resource.style.fits(word) and any(c.isdigit() for c in word)), None
        )
        if token is not None:
            swaps.append((token, new_id))
    return Observation.of_text(swapped_text(text, swaps))


def tokens(text: str) -> list[str]:
    """Return the words of a text without the marks around them."""
    return [word.strip(".,:;!?()[]{}\"'`#") for word in text[:2000].split()]
