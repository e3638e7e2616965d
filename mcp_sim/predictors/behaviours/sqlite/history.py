"""The database of a session: a snapshot, and the statements since."""

import sqlite3
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from threading import Lock
from typing import Any

from mcp_sim.core.canonical import JSON, digest
from mcp_sim.core.state import Change, State, lookup
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.clock import utc
from mcp_sim.predictors.behaviours.derived import Derived
from mcp_sim.predictors.behaviours.sqlite.database import Database
from mcp_sim.predictors.behaviours.sqlite.guard import SqliteOptions, Watch
from mcp_sim.predictors.behaviours.sqlite.world_functions import Give, give

_SNAPSHOT_STEPS = 2_000_000_000
_EMPTY: list[JSON] = []


@dataclass(frozen=True, slots=True)
class Statement:
    """One query, and the time and chance it was given."""

    sql: str
    now: datetime
    chance: str

    def give(self) -> Give:
        """Return what lends a connection this time and chance."""
        return partial(give, now=self.now, chance=self.chance)

    def after(self, key: str) -> str:
        """Return the key of the database that this statement makes of the one with that key."""
        return digest(key, self.sql, self.now.isoformat(), self.chance)


class History:
    """Runs statements on the database that a session's state describes.

    In `state.json`: `{"sqlite": {"snapshot": ["CREATE TABLE ...", "INSERT ...", ...]}}`, whole SQL statements (one text with all of them
    will do as well). Since then the state keeps `sqlite.statements` (by number: `sql`, `now`, `chance`) and `sqlite.head` (how many, and
    the key of the database that they have led to). Open databases are a cache by that key: the last ones used stay open, others are
    made again by running the statements.
    """

    def __init__(self, options: SqliteOptions, capacity: int = 8) -> None:
        self._options = options
        self._capacity = capacity
        self._open: OrderedDict[str, Database] = OrderedDict()
        self._snapshots: Derived[tuple[str, Database]] = Derived(capacity=4)
        self._lock = Lock()

    def run(self, state: State, statement: Statement, clock: datetime) -> tuple[str, list[Change]]:
        """Run one statement; return its answer and the change of state, empty where the database stayed as it was.

        `clock` is the world's time before anything has changed, at which the snapshot is loaded.

        Raises:
            PredictionError: the statement took too long, or the state's snapshot cannot be loaded.
        """
        with self._lock:
            key, snapshot = self._find(state, clock)
            # Taken out while it may change: whoever asks for the old content meanwhile or afterwards gets it made anew.
            database = self._open.pop(key, None) or self._replay(state, snapshot)
            changed = False
            try:
                watch = Watch(self._options.max_steps, self._options.max_seconds)
                text, changed = database.run(statement.sql, statement.give(), watch, self._options.max_result_bytes)
            finally:
                self._keep(statement.after(key) if changed else key, database)
        if not changed:
            return text, []
        number = (lookup(state, "sqlite", "head", "count") or 0) + 1
        record = {"sql": statement.sql, "now": statement.now.isoformat(), "chance": statement.chance}
        return text, [
            Change(path=["sqlite", "statements", str(number)], value=record),
            Change(path=["sqlite", "head"], value={"count": number, "key": statement.after(key)}),
        ]

    def clear(self) -> None:
        """Close all open databases; they are made again when they are asked for."""
        with self._lock:
            self._snapshots.clear()
            self._open.clear()

    def _find(self, state: State, clock: datetime) -> tuple[str, Database]:
        written = lookup(state, "sqlite", "snapshot") or _EMPTY
        first_key, snapshot = self._snapshots.of(written, clock, derive=lambda: self._load(written, utc(clock)))
        key: str = lookup(state, "sqlite", "head", "key") or first_key
        return key, snapshot

    def _load(self, written: Any, now: datetime) -> tuple[str, Database]:
        texts = [written] if isinstance(written, str) else written
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise PredictionError("The state's sqlite.snapshot is neither a text nor a list of texts of SQL. Correct it in state.json.")
        database = Database()
        script = "\n;\n".join(texts)
        snapshot = Statement(script, now, "snapshot")
        try:
            database.load(script, snapshot.give(), Watch(_SNAPSHOT_STEPS, inf))
        except sqlite3.Error as error:
            raise PredictionError(f"The state's sqlite.snapshot cannot be loaded: {error}. Correct it in state.json.") from error
        return snapshot.after("snapshot"), database

    def _replay(self, state: State, snapshot: Database) -> Database:
        database = snapshot.copy()
        statements = lookup(state, "sqlite", "statements") or {}
        for number in range(1, len(statements) + 1):
            record = statements[str(number)]
            statement = Statement(record["sql"], datetime.fromisoformat(record["now"]), record["chance"])
            database.run(statement.sql, statement.give(), Watch(inf, inf), self._options.max_result_bytes)
        return database

    def _keep(self, key: str, database: Database) -> None:
        self._open[key] = database
        self._open.move_to_end(key)
        while len(self._open) > self._capacity:
            self._open.popitem(last=False)
