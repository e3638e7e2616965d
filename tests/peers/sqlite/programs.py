"""Programs of SQL calls, made by hypothesis. Time of day and chance are left out: there the real server cannot be foretold."""

from typing import Any

from hypothesis import strategies as st

Call = tuple[str, dict[str, Any]]

tables = st.sampled_from(["t", "u", "T", '"my table"', "nope", "sqlite_master", "main.t", "temp.x", "v"])
columns = st.sampled_from(["a", "b", "c", "id", "rowid", "x", "*"])
literals = st.one_of(
    st.integers(-5, 2**40).map(str),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.sampled_from(
        ["NULL", "x'00ff'", "''", "'it''s'", "'a\"b'", "'é\n😀'", "1e999", "-1e999", "'2024-02-30'", "TRUE", "9223372036854775807"]
    ),
    st.text("ab'\\%_", max_size=5).map(lambda text: "'" + text.replace("'", "''") + "'"),
)
functions = st.sampled_from(
    "upper lower length typeof hex quote abs coalesce round max min count sum avg total group_concat "
    "printf substr instr replace trim zeroblob json json_array changes last_insert_rowid total_changes nofunc".split()
)
time_functions = st.sampled_from(
    "date datetime strftime julianday time unixepoch".split()
)  # without a time value they tell the time of day


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["+", "-", "*", "/", "%", "||", "=", "<", ">", "<>", "IS", "AND", "OR", "LIKE", "GLOB", "IN"])
    return st.one_of(
        st.tuples(inner, operators, inner).map(" ".join),
        st.tuples(functions, st.lists(inner, max_size=3)).map(lambda call: f"{call[0]}({', '.join(call[1])})"),
        st.tuples(time_functions, st.lists(inner, min_size=2, max_size=3)).map(lambda call: f"{call[0]}({', '.join(call[1])})"),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"CAST({text} AS INTEGER)"),
        inner.map(lambda text: f"CASE WHEN {text} THEN 1 ELSE 'no' END"),
        inner.map(lambda text: f"(SELECT {text} FROM t LIMIT 1)"),
    )


expressions = st.recursive(columns | literals, _compound, max_leaves=4)
types = st.sampled_from(
    ["", "INTEGER", "TEXT NOT NULL", "REAL DEFAULT 1.5", "BLOB", "UNIQUE", "TEXT CHECK (length(b) < 4)", "INT REFERENCES u(id)"]
)
definitions = st.tuples(
    st.sampled_from(["id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY AUTOINCREMENT", "id", "a PRIMARY KEY, id"]), types, types
).map(lambda parts: f"({parts[0]}, b {parts[1]}, c {parts[2]})")


def _join(*parts: str | st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*(st.just(part) if isinstance(part, str) else part for part in parts)).map(" ".join)


rows = st.lists(st.lists(literals, min_size=2, max_size=2), min_size=1, max_size=3).map(
    lambda found: ", ".join(f"({', '.join(row)})" for row in found)
)
selects = st.one_of(
    _join("SELECT", expressions),
    _join("SELECT", expressions, ",", expressions, "FROM", tables),
    _join("select * from", tables, "WHERE", expressions),
    _join("SELECT", expressions, "AS n FROM", tables, "GROUP BY", columns, "ORDER BY 1"),
    _join("SELECT * FROM t JOIN u ON", expressions),
    _join("SELECT", expressions, "; SELECT 2"),
    _join("  SELECT", expressions, "; -- end"),
    st.just("SELECT * FROM pragma_table_info('t')"),
    st.just("SELECT name, sql FROM sqlite_master"),
    st.just("SELECT * FROM pragma_user_version"),
)
creates = st.one_of(
    _join("CREATE TABLE", tables, definitions),
    _join("create table if not exists", tables, definitions, ";"),
    _join("CREATE TABLE", tables, "AS", selects),
    _join("CREATE TABLE", tables, "(a, b) STRICT"),
    st.just("CREATE TABLE u (id INTEGER PRIMARY KEY, a, b) WITHOUT ROWID"),
)
writes = st.one_of(
    creates,
    _join("INSERT INTO", tables, "(b, c) VALUES", rows),
    _join("insert or replace into", tables, "(id, b) values", rows),
    _join("INSERT OR IGNORE INTO t (id, b) VALUES", rows),
    _join("INSERT INTO t (b, c) VALUES", rows, "RETURNING id"),
    _join("INSERT INTO t DEFAULT VALUES"),
    _join("INSERT INTO", tables, "(b)", selects),
    _join("REPLACE INTO t (id, b) VALUES", rows),
    _join("-- note\nINSERT INTO t (b, c) VALUES", rows),
    _join("/* note */ UPDATE t SET b = 1"),
    _join("WITH q AS (SELECT 7 AS x) INSERT INTO t (b) SELECT x FROM q"),
    _join("WITH q AS (SELECT 7 AS x) INSERT OR FAIL INTO t (id, b) VALUES (99, 1), (99, 2)"),
    _join("UPDATE", tables, "SET", columns, "=", expressions, "WHERE", expressions),
    _join("DELETE FROM", tables, "WHERE", expressions),
    _join("DELETE FROM", tables),
    _join("DROP TABLE", tables),
    _join("DROP TABLE IF EXISTS", tables),
    _join("ALTER TABLE", tables, "ADD COLUMN x DEFAULT", literals),
    _join("ALTER TABLE t RENAME TO", tables),
    _join("CREATE INDEX i ON t (", columns, ")"),
    _join("CREATE VIEW v AS", selects),
    st.just("CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET c = 'by trigger' WHERE id = new.id; END"),
    st.sampled_from(
        ["PRAGMA foreign_keys", "PRAGMA foreign_keys = ON", "PRAGMA user_version = 5", "PRAGMA user_version", "PRAGMA table_list", "VACUUM"]
    ),
    _join(
        "PRAGMA",
        st.sampled_from(["journal_mode", "main.Journal_Mode"]),
        st.sampled_from(["", "= WAL", "=off", "('delete')", "= 'w'", "=bogus", ";"]),
    ),
    st.sampled_from(["PRAGMA integrity_check", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "EXPLAIN SELECT 1", "ANALYZE", "REINDEX"]),
    st.sampled_from(
        ["", " ", ";", "-- only a note", "INSERT", "garbage", "SELECT 1", "DROP", "INSERT INTO t VALUES (?)", "\ufeffDELETE FROM t", "a\0b"]
    ),
    st.sampled_from(["ATTACH ':memory:' AS m", "DETACH m", "CREATE TEMP TABLE x (a)", "CREATE VIRTUAL TABLE f USING fts5(body)"]),
)
calls = st.one_of(
    st.tuples(st.just("read_query"), st.fixed_dictionaries({"query": selects})),
    st.tuples(st.just("read_query"), st.fixed_dictionaries({"query": selects | writes})),
    st.tuples(st.just("write_query"), st.fixed_dictionaries({"query": writes})),
    st.tuples(st.just("write_query"), st.fixed_dictionaries({"query": writes})),
    st.tuples(st.just("create_table"), st.fixed_dictionaries({"query": creates | writes})),
    st.tuples(st.just("list_tables"), st.just({})),
    st.tuples(st.just("describe_table"), st.fixed_dictionaries({"table_name": tables | st.sampled_from(["t); SELECT (1", "t')", ""])})),
    st.tuples(st.just("append_insight"), st.fixed_dictionaries({"insight": st.text(max_size=5)})),
)
programs = st.lists(calls, min_size=10, max_size=30)
"""Every program starts with a table `t` and a table `u`, see the test."""
