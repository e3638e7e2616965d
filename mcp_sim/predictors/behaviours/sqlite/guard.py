"""What SQL may not do: reach files, change the process, or run without end."""

import sqlite3
from dataclasses import dataclass
from time import monotonic

from pydantic import Field

from mcp_sim.core.model import Frozen
from mcp_sim.errors import PredictionError

_STEPS_A_CHECK = 100
_VALUE_BYTES = 1_000_000
_DATABASE_PAGES = 65_536  # 256 MiB of SQLite's pages of 4 KiB
_PRIVATE = ("", ":memory:")  # what may be attached: VACUUM attaches "", and neither is a file while temp_store is memory
_PROCESS_WIDE = frozenset({"temp_store_directory", "data_store_directory", "soft_heap_limit", "hard_heap_limit", "max_page_count"})


class SqliteOptions(Frozen):
    """The options of `[behaviours.sqlite]`: how long one query may run, and how large its answer may be."""

    max_steps: int = Field(20_000_000, gt=0)
    max_seconds: float = Field(10, gt=0)
    max_result_bytes: int = Field(4_000_000, gt=0)


def guard(connection: sqlite3.Connection) -> None:
    """Keep a connection's SQL away from files and from what belongs to the whole process."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA max_page_count = {_DATABASE_PAGES}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    connection.set_authorizer(_authorize)


def _authorize(operation: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    if operation == sqlite3.SQLITE_ATTACH and first not in _PRIVATE:
        return sqlite3.SQLITE_DENY
    if operation == sqlite3.SQLITE_PRAGMA and second is not None and str(first).lower() in _PROCESS_WIDE:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


@dataclass
class Watch:
    """Stops a query that has taken more steps of SQLite's machine, or more seconds, than it may.

    Steps decide, so that the same query is always stopped; seconds are the safety net for steps that are slow by themselves.
    """

    max_steps: float
    max_seconds: float
    exceeded: bool = False
    _steps: int = 0

    def attach(self, connection: sqlite3.Connection) -> None:
        """Watch over this connection from now on."""
        self._until = monotonic() + self.max_seconds
        connection.set_progress_handler(self._check, _STEPS_A_CHECK)

    def raise_if_exceeded(self) -> None:
        """Tell that the query was stopped.

        Raises:
            PredictionError: it was.
        """
        if self.exceeded:
            raise PredictionError(
                f"The SQL query was stopped: it took more than {self.max_steps:,} steps or {self.max_seconds} seconds. "
                "Make it smaller, or raise max_steps and max_seconds under [behaviours.sqlite] in world.toml."
            )

    def _check(self) -> int:
        self._steps += _STEPS_A_CHECK
        self.exceeded = self._steps > self.max_steps or monotonic() > self._until
        return int(self.exceeded)
