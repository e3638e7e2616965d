"""Words: those of a query that count, and how texts without spaces are cut into them."""

import re

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Kana, Chinese characters and Hangul: each is taken for a word, a query's runs of them for pairs."""
_JOINT = "\u200b"  # neither a letter nor white space: it parts words for the index and is not seen
_CHARACTER = re.compile(f"([{_UNSPACED}])")
_RUN = re.compile(f"[{_UNSPACED}]+|[^\\W{_UNSPACED}]+")
_UNIT = re.compile(f"[{_UNSPACED}]|[^\\s{_UNSPACED}]+")
_MOST_WORDS = 32
_STOP_WORDS = frozenset(
    "a about an and any are as at be been but by can could did do does for from had has have he her his how i if in into is it its "
    "many me more most much my no not of on or our she should so some than that the their them then there they this to was we were "
    "what when where which who whom whose why will with would you your".split()
)


def telling_words(query: str) -> list[str]:
    """Return the query's words in lower case, each once, without those that are in every text, unless there are no others."""
    words = list(dict.fromkeys(word for run in _RUN.findall(query.lower()) for word in _cut(run)))
    return ([word for word in words if word not in _STOP_WORDS] or words)[:_MOST_WORDS]


def part_words(text: str) -> str:
    """Return the text with an unseen joint after each character that is a word by itself."""
    return _CHARACTER.sub(rf"\1{_JOINT}", text.replace(_JOINT, " "))


def offsets_of(marked: str, mark: str, end_mark: str) -> list[int]:
    """Return where in the text, before it was parted and marked, each mark stands."""
    pieces = marked.replace(_JOINT, "").replace(end_mark, "").split(mark)
    offsets = [len(pieces[0])]
    for piece in pieces[1:]:
        offsets.append(offsets[-1] + len(piece))
    return offsets[:-1]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of what a reader takes for words."""
    return [word.span() for word in _UNIT.finditer(text)]


def _cut(run: str) -> list[str]:
    if not _CHARACTER.match(run) or len(run) == 1:
        return [run]
    return [run[start : start + 2] for start in range(len(run) - 1)]
