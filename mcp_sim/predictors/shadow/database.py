"""The database of a real SQLite server: read whole before the first simulated change, and computed from then on."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup, thaw
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.sqlite.behaviour import SqliteBehaviour

MOST_ROWS = 10_000
"""A table with more rows is not read for the sake of one simulated change."""

_TOOLS = frozenset(SqliteBehaviour({}).mutates)
_CHANGING = ("write_query", "create_table")
_SCHEMA = (
    "SELECT m.type AS type, m.name AS name, m.sql AS sql, (SELECT group_concat('\"' || replace(p.name, '\"', '\"\"') || '\"') "
    "FROM pragma_table_xinfo(m.name) p WHERE p.hidden = 0) AS columns FROM sqlite_master m WHERE m.sql IS NOT NULL ORDER BY m.rowid"
)
_READ = "sqlite_read"
"""Where the state keeps what was read so far, until all is."""
_COLUMN = re.compile(r'"(?:[^"]|"")*"')
_WITHOUT_ROWID = re.compile(r"\bWITHOUT\s+ROWID\b(?=[^()]*$)", re.IGNORECASE)
_VIRTUAL = re.compile(r"\s*CREATE\s+VIRTUAL\b", re.IGNORECASE)


class DatabaseOverlay:
    """Imports the real tables as the state of the behaviour `sqlite`, by reads of the tool `read_query`."""

    def concerns(self, action: Action) -> bool:
        """See `Overlay.concerns`."""
        return action.is_call and action.name in _TOOLS

    def knows(self, session: Session, action: Action) -> bool:
        """See `Overlay.knows`."""
        return bool(lookup(session.state, "sqlite", "real"))

    def needs(self, session: Session, action: Action) -> Sequence[Action]:
        """See `Overlay.needs`.

        Raises:
            PredictionError: there is a table that cannot be read as a whole.
        """
        if action.name not in _CHANGING or self.knows(session, action):
            return ()
        schema = lookup(session.state, _READ, "schema")
        missing = [] if schema is None else [_rows_of(table) for table in _tables(schema) if _kept(session, table) is None]
        return missing or (_asking(_SCHEMA),)

    def learn(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """See `Overlay.learn`.

        Raises:
            PredictionError: the real server does not tell what is in its database, or it is too much.
        """
        if action.name != "read_query":
            return []
        schema = lookup(session.state, _READ, "schema")
        if action == _asking(_SCHEMA):
            schema, rows = _parsed(observation), {}
            read = [Change(path=[_READ], value={"schema": schema})]
        else:
            table = next((table for table in _tables(schema or []) if action == _rows_of(table)), None)
            if table is None:
                return []
            kept = [row["row"] for row in _parsed(observation)]
            if len(kept) > MOST_ROWS:
                raise PredictionError(
                    f"The real database's table {table['name']} has more than {MOST_ROWS:,} rows: "
                    "too many to be read for the sake of a simulated change."
                )
            rows = {**(thaw(lookup(session.state, _READ, "rows")) or {}), table["name"]: kept}
            read = [Change(path=[_READ, "rows", table["name"]], value=kept)]
        if any(table["name"] not in rows for table in _tables(schema)):
            return read
        insights = thaw(lookup(session.state, "sqlite", "insights")) or {}
        whole: dict[str, JSON] = {"snapshot": _script(schema, rows), "real": True, "insights": insights}
        return [*read, Change(path=["sqlite"], value=whole), Change(path=[_READ])]

    def amend(self, made: Transition) -> list[Change]:
        """See `Overlay.amend`."""
        return made.patch

    def settle(self, session: Session, real: Transition) -> Observation | None:
        """See `Overlay.settle`: what is only in the memo does not touch the tables."""
        return real.observation if lookup(session.state, "sqlite", "head") is None else None


def _asking(query: str) -> Action:
    return Action.call("read_query", {"query": query})


def _tables(schema: Any) -> list[dict[str, str]]:
    """The tables whose rows are read; SQLite's own hold nothing that is asked for, but for the numbers given so far."""
    tables = [entry for entry in schema if entry["type"] == "table"]
    virtual = next((entry for entry in tables if _VIRTUAL.match(entry["sql"])), None)
    if virtual is not None:
        raise PredictionError(f"The real database has the virtual table {virtual['name']}: changes on top of it cannot be simulated.")
    return [entry for entry in tables if not entry["name"].startswith("sqlite_") or entry["name"] == "sqlite_sequence"]


def _columns(table: dict[str, str]) -> list[str]:
    return [*([] if _WITHOUT_ROWID.search(table["sql"]) else ["_rowid_"]), *_COLUMN.findall(table["columns"])]


def _rows_of(table: dict[str, str]) -> Action:
    quoted = " || ', ' || ".join(f"quote({column})" for column in _columns(table))
    return _asking(f"SELECT {quoted} AS row FROM {_named(table)} LIMIT {MOST_ROWS + 1}")


def _named(table: dict[str, str]) -> str:
    name = table["name"].replace('"', '""')
    return f'"{name}"'


def _kept(session: Session, table: dict[str, str]) -> Any:
    return lookup(session.state, _READ, "rows", table["name"])


def _script(schema: list[dict[str, str]], rows: dict[str, list[str]]) -> list[JSON]:
    """Return the statements that make the database: tables, their rows, and then what watches over these."""
    tables = _tables(schema)
    own = [table for table in tables if not table["name"].startswith("sqlite_")]
    numbers = [table for table in tables if table not in own]
    script: list[JSON] = [table["sql"] for table in own]
    for table in [*own, *numbers]:
        script += [f"DELETE FROM {_named(table)}"] if table in numbers else []
        script += [f"INSERT INTO {_named(table)} ({', '.join(_columns(table))}) VALUES ({row})" for row in rows[table["name"]]]
    return script + [entry["sql"] for entry in schema if entry["type"] != "table"]


def _parsed(observation: Observation) -> list[dict[str, Any]]:
    """Read what the server prints: a list of rows, as Python spells them."""
    try:
        rows: Any = ast.literal_eval(observation.text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        rows = None
    if observation.is_error or not isinstance(rows, list):
        raise PredictionError(f"The real server does not give its database: {observation.text[:200]}")
    return rows
