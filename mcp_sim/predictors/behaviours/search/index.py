"""A full-text index in memory."""

import sqlite3
from collections.abc import Iterable
from weakref import finalize

from mcp_sim.predictors.behaviours.search.words import offsets_of, part_words, telling_words

_TITLE_WEIGHT = 2.0
_OPEN, _CLOSE = "\x02", "\x03"
_CONTROLS = {code: " " for code in range(32) if chr(code) not in "\t\n"}


class Index:
    """Texts with titles, ranked by BM25 over word stems (SQLite's FTS5: a part of Python, with stemming and offsets, where the other
    libraries of this kind bring an array library or a compiled engine along). Texts are known by their place in the order given.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        finalize(self, self._database.close)
        self._database.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize = 'porter unicode61 remove_diacritics 2')")
        rows = ((place, *map(_prepared, text)) for place, text in enumerate(texts))
        self._database.executemany("INSERT INTO texts (rowid, title, body) VALUES (?, ?, ?)", rows)

    def rank(self, query: str, most: int) -> list[int]:
        """Return the places of the texts with any telling word of the query, the best first."""
        wanted = " OR ".join(map(_quoted, telling_words(query)))
        if not wanted:
            return []
        found = self._database.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ?, 1.0), rowid LIMIT ?", (wanted, _TITLE_WEIGHT, most)
        )
        return [place for (place,) in found]

    def hits(self, place: int, query: str) -> list[list[int]]:
        """Return for each telling word of the query the offsets at which this body has it."""
        return [self._hit(place, word) for word in telling_words(query)]

    def _hit(self, place: int, word: str) -> list[int]:
        marked = self._database.execute(
            "SELECT highlight(texts, 1, ?, ?) FROM texts WHERE texts MATCH ? AND rowid = ?",
            (_OPEN, _CLOSE, f"body : {_quoted(word)}", place),
        ).fetchone()
        return offsets_of(marked[0], _OPEN, _CLOSE) if marked else []


def _prepared(text: str) -> str:
    return part_words(text.translate(_CONTROLS))


def _quoted(word: str) -> str:
    return '"' + part_words(word) + '"'
