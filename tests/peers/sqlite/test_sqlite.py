"""The same calls to the real mcp-server-sqlite and to ours: whole results equal."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from mcp_sim.predictors.behaviours.sqlite.behaviour import SqliteBehaviour
from tests.peers.pip_server import pip_server
from tests.peers.sqlite.programs import Call, programs
from tests.predictors.behaviours.play import Play
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

OPENING: list[Call] = [
    ("create_table", {"query": "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c REAL DEFAULT 0.5)"}),
    ("create_table", {"query": "CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b)"}),
    ("write_query", {"query": "INSERT INTO t (b, c) VALUES ('one', 1), ('two', NULL), (x'01', 3.25)"}),
    ("write_query", {"query": "INSERT INTO u (a, b) VALUES ('one', 1), ('two', 2)"}),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sqlite") / "test.db"


@pytest.fixture(scope="module")
def real(file: Path, pytestconfig: pytest.Config) -> Iterator[RawServer]:
    python = pip_server(pytestconfig, "mcp-server-sqlite", "mcp<2", "mcp-server-sqlite==2025.4.25")
    with RawServer([python, "-c", "from mcp_server_sqlite import main; main()", "--db-path", str(file)]) as server:
        yield server


def test_same_results_as_the_real_server(real: RawServer, file: Path) -> None:
    compared = 0

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs)
    def compare(program: list[Call]) -> None:
        nonlocal compared
        file.unlink(missing_ok=True)  # opened anew at each call
        ours = Play(SqliteBehaviour({}))
        for number, (name, arguments) in enumerate([*OPENING, *program]):
            if number % 11 == 10:  # open databases are a cache: without them all is as before
                ours.behaviour = SqliteBehaviour({})
            assert ours.call(name, **arguments) == real.call(name, arguments), (name, arguments)
            compared += 1

    compare()
    print(f"{compared} calls compared")  # noqa: T201
    assert compared >= 1000


def test_a_recorded_session() -> None:
    """A recording of the real server, checked wherever its arguments fit the input schemas (refusing others is not a behaviour's part)."""
    if "MCP_SIM_CORPUS" not in os.environ:
        pytest.skip("MCP_SIM_CORPUS names no folder with trajectories/sqlite.jsonl")
    ours = Play(SqliteBehaviour({}))
    checked = 0
    for line in (Path(os.environ["MCP_SIM_CORPUS"]) / "trajectories" / "sqlite.jsonl").read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        if call["name"] not in ours.behaviour.mutates or call["result"]["isError"]:
            continue
        assert ours.call(call["name"], **call["arguments"]) == call["result"], call
        checked += 1
    assert checked >= 35
