"""The journal mode of a database file, told of one that has none."""

import re

_MODES = ("delete", "persist", "off", "truncate", "memory", "wal")  # in SQLite's order: it takes the first that begins so
_PRAGMA = re.compile(
    r"\s*PRAGMA\s+(?:main\s*\.\s*)?journal_mode\s*(?:=\s*(['\"]?)(?P<set>\w+)\1|\(\s*(['\"]?)(?P<call>\w+)\3\s*\))?\s*;?\s*", re.IGNORECASE
)


def journal_mode(query: str, *, wal: bool) -> tuple[str, bool] | None:
    """Return the mode that the query's pragma tells, and whether the file keeps a write-ahead log from then on.

    `None` for any other query. Only that log is remembered by a file; every other mode ends with the connection.
    """
    pragma = _PRAGMA.fullmatch(query)
    if pragma is None:
        return None
    wanted = (pragma["set"] or pragma["call"] or "").lower()
    mode = next((mode for mode in _MODES if wanted and mode.startswith(wanted)), None)
    return ("wal" if wal else "delete", wal) if mode is None else (mode, mode == "wal")
