"""SQL functions of time and chance, answered by the world."""

import atexit
import sqlite3
from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from random import Random
from typing import Any

_TIME_VALUES: dict[str, slice] = {
    "date": slice(0, 1),
    "time": slice(0, 1),
    "datetime": slice(0, 1),
    "julianday": slice(0, 1),
    "unixepoch": slice(0, 1),
    "strftime": slice(1, 2),
    "timediff": slice(0, 2),
}
"""Which arguments of a function are time values; only there `now` means the time."""
_BLOB_BYTES = 1_000_001  # one more than a guarded connection takes, so that SQLite itself says that it is too big


def give(connection: sqlite3.Connection, now: datetime, chance: str) -> None:
    """Let the connection's SQL know the world's time `now` (UTC) and draw its random numbers from the seed `chance`.

    SQLite looks up `CURRENT_TIMESTAMP` and its kin as functions too, also in column defaults.
    """
    random = Random(chance)
    moment = now.strftime("%Y-%m-%d %H:%M:%S.") + f"{now.microsecond // 1000:03d}"
    connection.create_function("current_timestamp", 0, lambda: moment[:19])
    connection.create_function("current_date", 0, lambda: moment[:10])
    connection.create_function("current_time", 0, lambda: moment[11:19])
    connection.create_function("random", 0, lambda: random.getrandbits(64) - (1 << 63))
    connection.create_function("randomblob", 1, lambda size: random.randbytes(min(max(_integer(size), 1), _BLOB_BYTES)))
    for name in _TIME_VALUES.keys() & _functions():
        # deterministic, as the built-in ones are where they may stand in an index
        connection.create_function(name, -1, partial(_tell_time, name, moment), deterministic=True)


def _tell_time(name: str, moment: str, *arguments: Any) -> Any:
    values = _TIME_VALUES[name]
    given = [argument for argument in arguments if not (isinstance(argument, str) and argument.lower() in ("localtime", "utc"))]
    if name != "timediff" and len(given) == values.start:
        given.append(moment)
    for position in range(*values.indices(len(given))):
        if isinstance(given[position], str) and given[position].lower() == "now":
            given[position] = moment
    marks = ", ".join("?" * len(given))
    return _plain().execute(f"SELECT {name}({marks})", given).fetchone()[0]


def _integer(value: Any) -> int:
    number: int = _plain().execute("SELECT CAST(? AS INTEGER)", (value,)).fetchone()[0] or 0
    return number


@cache
def _plain() -> sqlite3.Connection:
    """An empty database that computes the built-in functions; nothing is ever kept in it."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    atexit.register(connection.close)
    return connection


@cache
def _functions() -> frozenset[str]:
    return frozenset(name for (name, *_) in _plain().execute("PRAGMA function_list"))


Give = Callable[[sqlite3.Connection], None]
"""Lends a connection a time and a chance."""
