"""Tables laid over real tables: a shadow of a database answers as that database would if it were really written to."""

import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.shadow_settings import ShadowSettings
from mcp_sim.core.world import Settings, World
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaving import Behaving
from mcp_sim.predictors.behaviours.sqlite.behaviour import SqliteBehaviour
from mcp_sim.predictors.memory import Memory
from mcp_sim.predictors.shadow.database import MOST_ROWS, DatabaseOverlay
from mcp_sim.protocol.real_connection import RealConnection
from mcp_sim.protocol.real_server import RealServer
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.simulator import Simulator
from mcp_sim.tool_specs.sqlite_import import import_database
from tests.predictors.behaviours.play import Play, begin
from tests.predictors.shadow.test_files import Never
from tests.worlds import make_tool

READS = ("read_query", "list_tables", "describe_table")
SETUP = """
CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY AUTOINCREMENT, "a b" TEXT, c REAL DEFAULT 0.5, d BLOB, e AS (id * 2));
CREATE TABLE plain (name TEXT, n);
CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
CREATE VIEW names AS SELECT name FROM plain;
CREATE UNIQUE INDEX by_name ON plain (name);
CREATE TABLE log (said TEXT);
INSERT INTO "odd ""name" ("a b", c, d) VALUES ('it''s', 1e300, x'00ff'), (NULL, -0.1, NULL), ('é\n', 3, 'text');
DELETE FROM "odd ""name" WHERE id = 3;
INSERT INTO plain VALUES ('one', 1), ('two', 9223372036854775807), ('three', 1.5);
DELETE FROM plain WHERE name = 'one';
INSERT INTO keyed VALUES ('x', 'y');
CREATE TRIGGER heard AFTER INSERT ON plain BEGIN INSERT INTO log VALUES (new.name); END;
"""
CALLS = [
    ("read_query", "SELECT rowid, * FROM plain"),
    ("read_query", 'SELECT * FROM "odd ""name"'),
    ("read_query", "SELECT * FROM log, keyed, names"),
    ("list_tables", ""),
    ("describe_table", "plain"),
    ("write_query", "INSERT INTO plain VALUES ('four', 4)"),
    ("write_query", "INSERT INTO plain VALUES ('two', 2)"),
    ("write_query", "UPDATE plain SET n = n + 1"),
    ("write_query", 'INSERT INTO "odd ""name" ("a b") VALUES (\'next\')'),
    ("write_query", "DELETE FROM keyed"),
    ("write_query", "no SQL"),
    ("create_table", "CREATE TABLE plain (x)"),
    ("create_table", "CREATE TABLE more (x)"),
    ("append_insight", "so it is"),
]


def world() -> World:
    behaviour = SqliteBehaviour({})
    tools = tuple(make_tool(name) for name in behaviour.mutates)
    settings = Settings(shadow=ShadowSettings(real_reads=READS))
    return World(name="test", key="test", tools=tools, settings=settings, effects=dict(behaviour.mutates))


class Database:
    """A client of a real server of the database in a file, which notes what is called and refuses what writes."""

    def __init__(self, folder: Path, setup: str = SETUP) -> None:
        path = folder / "real.db"
        with sqlite3.connect(path) as connection:
            connection.executescript(setup)
        self.state = import_database(path)
        self._play = Play(SqliteBehaviour({}), begin(self.state))
        self.called: list[str] = []

    async def open(self, stack: AsyncExitStack) -> Any:
        return self

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert params["name"] in READS
        self.called.append(params["arguments"].get("query", params["name"]))
        return self._play.call(params["name"], **params["arguments"])


def shadow_of(database: Database, reads: tuple[str, ...] = READS) -> Simulator:
    behaviour = SqliteBehaviour({})
    following = Behaving(behaviour, {name: name for name in behaviour.mutates}, Never())
    chain = RealServer(RealConnection(database), reads, [DatabaseOverlay()], following)
    return Simulator(world(), Memory(chain), InMemoryStore(world()))


def asked(tool: str, text: str) -> dict[str, str]:
    return {{"append_insight": "insight", "describe_table": "table_name"}.get(tool, "query"): text} if text else {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@given(calls=st.lists(st.sampled_from(CALLS), max_size=8))
def test_a_shadow_answers_as_the_database_would(folder: Path, calls: list[tuple[str, str]]) -> None:
    async def compare() -> None:
        (folder / "real.db").unlink(missing_ok=True)
        database = Database(folder)
        truth = Play(SqliteBehaviour({}), begin(database.state))
        shadow = shadow_of(database)
        for tool, text in calls:
            expected = truth.call(tool, **asked(tool, text))
            seen = await shadow.call("s", Action.call(tool, asked(tool, text)))
            assert seen.observation.to_result() == expected, (tool, text)
            assert not seen.notes
        dumps = [query for query in database.called if "sqlite_master" in query and "pragma_table_xinfo" in query]
        assert len(dumps) <= sum(tool in ("write_query", "create_table") for tool, _ in calls)

    anyio.run(compare)


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ("CREATE VIRTUAL TABLE found USING fts5(text);", "virtual table found"),
        (
            f"CREATE TABLE big (x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= {MOST_ROWS}) "
            "INSERT INTO big SELECT i FROM n;",
            "table big has more than 10,000 rows",
        ),
    ],
)
async def test_what_cannot_be_read_whole_is_not_changed(tmp_path: Path, setup: str, reason: str) -> None:
    shadow = shadow_of(Database(tmp_path, setup))
    with pytest.raises(PredictionError, match=reason):
        await shadow.call("s", Action.call("write_query", {"query": "DELETE FROM x"}))
    assert (await shadow.call("s", Action.call("read_query", {"query": "SELECT 1 AS one"}))).source == "real"


async def test_without_read_query_among_the_reads_the_answers_are_marked(tmp_path: Path) -> None:
    shadow = shadow_of(Database(tmp_path), ("list_tables",))
    made = await shadow.call("s", Action.call("create_table", {"query": "CREATE TABLE more (x)"}))
    assert "Simulated without knowing what is really there: read_query" in made.notes[0]
    listed = await shadow.call("s", Action.call("list_tables"))
    assert (listed.source, "more" in listed.observation.text) == ("real", False)
    assert "may be missing" in listed.notes[0]
