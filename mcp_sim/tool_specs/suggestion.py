"""The known word that someone probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def suggest(word: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Return a sentence that names the known word nearest to this one; where none is near, `otherwise` or a sentence that lists all."""
    words = list(known)
    near = get_close_matches(word, words, 1, 0.55)
    if near:
        return f"Did you mean {near[0]}?"
    return f"Known are {', '.join(words)}." if otherwise is None else otherwise
