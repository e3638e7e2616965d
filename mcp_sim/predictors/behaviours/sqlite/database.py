"""A real database in memory, which the real server's way of running a query is tried on."""

import sqlite3
from contextlib import closing
from itertools import count
from typing import Any
from weakref import finalize

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.sqlite.guard import Watch, guard
from mcp_sim.predictors.behaviours.sqlite.journal import journal_mode
from mcp_sim.predictors.behaviours.sqlite.world_functions import Give

_COMMITTED = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")
_numbers = count()


class Database:
    """One database and the connection that keeps it alive. Every query has a connection of its own, as in the real server.

    It lives in SQLite's `memdb` VFS: shared by name between connections of this process, never on disk. It is gone when nobody
    refers to it any more.
    """

    def __init__(self) -> None:
        self._uri = f"file:/{next(_numbers)}?vfs=memdb"
        self._wal = False
        self._keeper = self._connect()
        finalize(self, self._keeper.close)

    def copy(self) -> "Database":
        """Return another database with the same content."""
        other = Database()
        self._keeper.backup(other._keeper)
        other._wal = self._wal
        return other

    def load(self, script: str, give: Give, watch: Watch) -> None:
        """Run a script of SQL statements and keep what it did.

        Raises:
            sqlite3.Error: a statement failed.
            PredictionError: it took too long.
        """
        with closing(self._connect()) as connection:
            self._prepare(connection, give, watch)
            try:
                connection.executescript(script)
                connection.commit()
            finally:
                watch.raise_if_exceeded()

    def run(self, query: str, give: Give, watch: Watch, max_result_bytes: int) -> tuple[str, bool]:
        """Run one query as the real server does; return its rows as it prints them, and whether the database changed.

        Only queries that begin with one of six words are committed; of others, what Python had opened a transaction for is lost.
        Errors are part of the answer: `Database error: ...` from SQLite, `Error: ...` from Python.

        Raises:
            PredictionError: the query took too long or has too large a result. The database is as before.
        """
        journal = journal_mode(query, wal=self._wal)
        if journal:
            mode, wal = journal
            changed, self._wal = wal != self._wal, wal
            return str([{"journal_mode": mode}]), changed
        before = self._version()
        with closing(self._connect()) as connection:
            self._prepare(connection, give, watch)
            try:
                text = _rows(connection, query, max_result_bytes)
            except PredictionError:
                raise
            except (sqlite3.Error, sqlite3.Warning) as error:
                watch.raise_if_exceeded()
                text = f"Database error: {error}"
            except Exception as error:  # the real server tells whatever went wrong
                text = f"Error: {error}"
        return text, self._version() != before

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._uri, uri=True, check_same_thread=False)

    def _prepare(self, connection: sqlite3.Connection, give: Give, watch: Watch) -> None:
        give(connection)
        guard(connection)
        watch.attach(connection)

    def _version(self) -> int:
        """A number that moves when, and only when, another connection has committed a change."""
        version: int = self._keeper.execute("PRAGMA data_version").fetchone()[0]
        return version


def _rows(connection: sqlite3.Connection, query: str, max_result_bytes: int) -> str:
    connection.row_factory = sqlite3.Row
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        if query.strip().upper().startswith(_COMMITTED):
            connection.commit()
            return str([{"affected_rows": cursor.rowcount}])
        rows: list[dict[str, Any]] = []
        size = 0
        for row in cursor:
            rows.append(dict(row))
            size += sum(map(len, rows[-1])) + sum(len(value) if isinstance(value, str | bytes) else 8 for value in rows[-1].values())
            if size > max_result_bytes:
                raise PredictionError(
                    f"The SQL query's result is larger than {max_result_bytes:,} bytes. "
                    "Ask for less (LIMIT), or raise max_result_bytes under [behaviours.sqlite] in world.toml."
                )
        return str(rows)
