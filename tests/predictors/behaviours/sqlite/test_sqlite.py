import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.state import thaw
from mcp_sim.errors import PredictionError, SetupError
from mcp_sim.predictors.behaviours.sqlite.behaviour import SqliteBehaviour
from tests.predictors.behaviours.play import Play, begin

CLOCK = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
def play() -> Play:
    return Play(SqliteBehaviour({}), begin(clock=CLOCK))


def test_rows_are_printed_as_python_prints_them(play: Play) -> None:
    play.call("create_table", query="CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    assert play.call("write_query", query="INSERT INTO t (name) VALUES ('it''s'), (NULL)") == {
        "content": [{"type": "text", "text": "[{'affected_rows': 2}]"}],
        "isError": False,
    }
    assert play.text("read_query", query="SELECT * FROM t") == "[{'id': 1, 'name': \"it's\"}, {'id': 2, 'name': None}]"


def test_only_what_changed_the_database_is_a_change(play: Play) -> None:
    play.call("create_table", query="CREATE TABLE t (a UNIQUE)")
    assert play.changed
    for query in ["INSERT INTO nope VALUES (1)", "UPDATE t SET a = 1", "REPLACE INTO t VALUES (1)", "-- no\nDELETE FROM t", "BEGIN"]:
        play.call("write_query", query=query)
        assert not play.changed, query
    assert play.text("write_query", query="WITH q AS (SELECT 1) INSERT OR FAIL INTO t VALUES (1), (1)").startswith("Database error: UNIQUE")
    assert play.changed  # the first row stayed, as it does in the real server
    assert play.text("read_query", query="SELECT a FROM t") == "[{'a': 1}]"


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("SELECT CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME", "2031-05-06 07:08:09 2031-05-06 07:08:09"),
        ("SELECT datetime('now'), date('NOW', '+1 day'), time()", "2031-05-06 07:08:09 2031-05-07 07:08:09"),
        ("SELECT strftime('%Y %s', 'now'), unixepoch(), strftime('%H')", f"2031 {CLOCK.timestamp():.0f} {CLOCK.timestamp():.0f} 07"),
        ("SELECT date('2024-02-28', '+1 day'), datetime(0, 'unixepoch'), julianday('nonsense')", "2024-02-29 1970-01-01 00:00:00 None"),
        (
            "SELECT datetime('now', 'localtime'), date('now', 'start of month'), round(julianday('now'), 3)",
            f"2031-05-06 07:08:09 2031-05-01 {CLOCK.timestamp() / 86400 + 2440587.5:.3f}",
        ),
    ],
)
def test_time_is_the_worlds(play: Play, query: str, row: str) -> None:
    [values] = eval(play.text("read_query", query=query))
    assert " ".join(map(str, values.values())) == row


def test_defaults_tell_the_worlds_time_also_after_a_restart(play: Play) -> None:
    play.call("create_table", query="CREATE TABLE t (a, made TEXT DEFAULT CURRENT_TIMESTAMP)")
    play.call("write_query", query="INSERT INTO t (a) VALUES (random())")
    rows = play.text("read_query", query="SELECT * FROM t")
    assert "'made': '2031-05-06 07:08:10'" in rows  # one change after the clock's start
    state = json.loads(json.dumps(thaw(play.session.state)))
    assert Play(SqliteBehaviour({}), begin(state, seed=99)).text("read_query", query="SELECT * FROM t") == rows


def test_chance_is_the_sessions(play: Play) -> None:
    query = "SELECT random() AS r, hex(randomblob(4)) AS b, length(randomblob(NULL)) AS n"
    once = play.text("read_query", query=query)
    assert once == play.text("read_query", query=query)
    assert once != Play(SqliteBehaviour({}), begin(seed=1)).text("read_query", query=query)
    shuffled = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT random() AS r FROM n"
    assert play.text("read_query", query=f"SELECT count(DISTINCT r) AS n FROM ({shuffled})") == "[{'n': 9}]"


def test_no_file_is_ever_touched(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play.call("create_table", query="CREATE TABLE t (a)")
    for query in [
        "ATTACH 'a.db' AS x",
        "ATTACH 'file:b.db' AS x",
        "ATTACH 'c' || '.db' AS x",
        "VACUUM INTO 'd.db'",
        "PRAGMA temp_store_directory = '.'",
        "PRAGMA hard_heap_limit = 1000",
    ]:
        assert play.text("write_query", query=query) in ("Database error: not authorized", "Database error: authorization denied"), query
    assert play.text("read_query", query="SELECT load_extension('x')").startswith("Database error: ")
    assert list(tmp_path.iterdir()) == []


def test_endless_and_huge_queries_are_stopped_and_keep_nothing() -> None:
    play = Play(SqliteBehaviour({"max_steps": 100_000, "max_result_bytes": 5_000}))
    play.call("create_table", query="CREATE TABLE t (a)")
    numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n{}) "
    with pytest.raises(PredictionError, match="max_steps"):
        play.call("write_query", query=numbers.format("") + "INSERT INTO t SELECT x FROM n")
    with pytest.raises(PredictionError, match="max_result_bytes"):
        play.call("read_query", query="SELECT * FROM (" + numbers.format(" WHERE x < 2000") + "SELECT x FROM n)")
    assert play.text("read_query", query="SELECT count(*) AS n FROM t") == "[{'n': 0}]"
    assert play.text("read_query", query="SELECT length(zeroblob(900000000)) AS n") == "Database error: string or blob too big"


def test_branches_of_a_session_do_not_see_each_other(play: Play) -> None:
    play.call("create_table", query="CREATE TABLE t (a)")
    play.call("write_query", query="INSERT INTO t VALUES ('shared')")
    fork = Play(play.behaviour, play.session)
    for number in range(3):
        play.call("write_query", query=f"INSERT INTO t VALUES ('left {number}')")
        fork.call("write_query", query=f"INSERT INTO t VALUES ('right {number}')")
    assert play.text("read_query", query="SELECT group_concat(a) AS a FROM t") == "[{'a': 'shared,left 0,left 1,left 2'}]"
    assert fork.text("read_query", query="SELECT group_concat(a) AS a FROM t") == "[{'a': 'shared,right 0,right 1,right 2'}]"


def test_an_answer_that_was_not_kept_leaves_no_trace(play: Play) -> None:
    play.call("create_table", query="CREATE TABLE t (a)")
    play.behaviour.answer(play.session, Action.call("write_query", {"query": "INSERT INTO t VALUES (1)"}))
    assert play.text("read_query", query="SELECT count(*) AS n FROM t") == "[{'n': 0}]"


def test_more_sessions_than_stay_open() -> None:
    behaviour = SqliteBehaviour({})
    plays = [Play(behaviour, begin(seed=seed)) for seed in range(20)]
    for number, play in enumerate(plays):
        play.call("create_table", query=f"CREATE TABLE t{number} (a)")
    for number, play in enumerate(plays):
        assert play.text("list_tables") == f"[{{'name': 't{number}'}}]"


@pytest.mark.parametrize(
    "snapshot", [["CREATE TABLE t (a)", "INSERT INTO t VALUES (1); -- one"], "CREATE TABLE t (a); INSERT INTO t VALUES (1);"]
)
def test_a_snapshot_is_where_the_database_starts(snapshot: list[str] | str) -> None:
    play = Play(SqliteBehaviour({}), begin({"sqlite": {"snapshot": snapshot}}))
    play.call("write_query", query="INSERT INTO t VALUES (2)")
    assert play.text("read_query", query="SELECT * FROM t") == "[{'a': 1}, {'a': 2}]"


@pytest.mark.parametrize("snapshot", [["CREATE TABLE"], ["ATTACH 'x.db' AS x"], {"t": []}])
def test_a_wrong_snapshot_is_the_operators_to_mend(snapshot: object) -> None:
    with pytest.raises(PredictionError, match=r"sqlite\.snapshot"):
        Play(SqliteBehaviour({}), begin({"sqlite": {"snapshot": snapshot}})).call("list_tables")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["read_query", "write_query", "create_table", "describe_table"]), st.text() | st.text("SELCT*FROM;'(),-0 \n")
        ),
        max_size=5,
    )
)
def test_any_text_is_answered(calls: list[tuple[str, str]]) -> None:
    play = Play(SqliteBehaviour({}))
    for name, text in calls:
        starts = {"read_query": "SELECT ", "create_table": "CREATE TABLE "}
        argument = "table_name" if name == "describe_table" else "query"
        assert play.call(name, **{argument: starts.get(name, "") + text})["isError"] is False


def test_insights_are_kept(play: Play) -> None:
    assert play.text("append_insight", insight="one") == "Insight added to memo"
    play.call("append_insight", insight="two")
    assert thaw(play.session.state)["sqlite"]["insights"] == {"1": "one", "2": "two"}


def test_wrong_options_are_refused() -> None:
    with pytest.raises(SetupError, match="max_steps"):
        SqliteBehaviour({"max_steps": 0})
