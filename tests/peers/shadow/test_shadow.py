"""`mcp-sim serve --shadow` before real servers: reads are real, writes are simulated, later reads show them, and nothing else gets through.

Behind each stands `mcp-sim record`, which tells what the real server was really asked, and its data, which must be as it was.
"""

import ast
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.sessions import shelf
from tests.peers.node import npm_server
from tests.peers.pip_server import pip_server
from tests.raw_server import RawServer
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

_UNIQUE = re.compile(r"\.[0-9a-f]{32}(?=\.tmp)")
FILES_READ = "read_text_file list_directory get_file_info list_allowed_directories directory_tree search_files".split()


class Shadow(RawServer):
    """A simulated server with a real one behind it."""

    def text(self, name: str, arguments: dict[str, Any]) -> str:
        return str(self.call(name, arguments)["content"][0]["text"])

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None:  # let it end by itself, with the recorder behind it
            assert self.process.stdin
            self.process.stdin.close()
            self.process.wait(timeout=60)
        super().__exit__(kind, error, trace)

    def source(self, name: str, arguments: dict[str, Any]) -> tuple[str, list[str]]:
        meta = self.call(name, arguments)["_meta"]
        return meta["mcp-sim/source"], meta.get("mcp-sim/notes", [])


@contextmanager
def shadowed(folder: Path, real: list[str], reads: list[str], toml: str, environment: dict[str, str] | None = None) -> Iterator[Shadow]:
    world = folder / "world"
    if not world.exists():
        with RawServer([MCP_SIM, "record", str(folder / "first"), "--", *real], environment) as listed:
            listed.tools()
        world.mkdir()
        shutil.copy(folder / "first" / "tools.json", world)
        (folder / "first").rename(folder / "behind")
        (world / "world.toml").write_text(f"{toml}\n[shadow]\nreal_reads = {json.dumps(reads)}\n")
    behind = [MCP_SIM, "record", str(folder / "behind"), "--session", "behind", "--", *real]
    with Shadow([MCP_SIM, "serve", str(world), "--shadow", "--", *behind], environment) as shadow:
        yield shadow


def asked(data_home: Path) -> list[str]:
    """Return what the real server was asked to do, as the recorder behind the simulation saw it."""
    shelved = shelf.find(data_home / "mcp-sim" / "sessions", "behind")
    return [json.loads(line)["action"]["params"]["name"] for line in shelved.path.read_text().splitlines()[1:]]


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def test_files_are_real_until_they_are_written(tmp_path: Path, data_home: Path) -> None:
    place = tmp_path / "place"
    (place / "sub" / "deep").mkdir(parents=True)
    (place / "a.txt").write_text("one\ntwo\n")
    (place / "sub" / "b.txt").write_text("b")
    (place / "full.txt").write_text("full")
    before = snapshot(place)
    real = [*npm_server("server-filesystem"), str(place)]
    failing: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "/etc/x", "content": ""}),
        ("write_file", {"path": f"{place}/no/where.txt", "content": ""}),
        ("write_file", {"path": f"{place}/sub", "content": ""}),
        ("edit_file", {"path": f"{place}/full.txt", "edits": [{"oldText": "absent", "newText": ""}]}),
        ("edit_file", {"path": f"{place}/none.txt", "edits": []}),
        ("move_file", {"source": f"{place}/full.txt", "destination": f"{place}/sub"}),
        ("move_file", {"source": f"{place}/none.txt", "destination": f"{place}/x"}),
    ]
    with RawServer(real) as server:
        failures = [_UNIQUE.sub("", server.call(name, arguments)["content"][0]["text"]) for name, arguments in failing]
    with shadowed(tmp_path, real, FILES_READ, "[behaviours.filesystem]") as shadow:
        assert shadow.source("read_text_file", {"path": f"{place}/a.txt"}) == ("real", [])
        assert "+three" in shadow.text("edit_file", {"path": f"{place}/a.txt", "edits": [{"oldText": "two", "newText": "three"}]})
        assert shadow.text("read_text_file", {"path": f"{place}/a.txt"}) == "one\nthree\n"
        assert shadow.source("read_text_file", {"path": f"{place}/sub/b.txt"}) == ("real", [])
        assert "Successfully wrote" in shadow.text("write_file", {"path": f"{place}/sub/c.txt", "content": "c"})
        assert shadow.text("list_directory", {"path": f"{place}/sub"}) == "[FILE] b.txt\n[FILE] c.txt\n[DIR] deep"
        assert shadow.text("list_directory", {"path": str(place)}) == "[FILE] a.txt\n[FILE] full.txt\n[DIR] sub"
        assert "moved" in shadow.text("move_file", {"source": f"{place}/sub/b.txt", "destination": f"{place}/sub/deep/d.txt"})
        assert shadow.text("list_directory", {"path": f"{place}/sub"}) == "[FILE] c.txt\n[DIR] deep"
        assert shadow.text("read_text_file", {"path": f"{place}/sub/deep/d.txt"}) == "b"
        assert "ENOENT" in shadow.text("read_text_file", {"path": f"{place}/sub/b.txt"})
        assert "Successfully created" in shadow.text("create_directory", {"path": f"{place}/new/er"})
        assert shadow.text("list_directory", {"path": f"{place}/new"}) == "[DIR] er"
        assert shadow.text("list_directory", {"path": str(place)}) == "[FILE] a.txt\n[FILE] full.txt\n[DIR] new\n[DIR] sub"
        assert "Successfully created" in shadow.text("create_directory", {"path": f"{place}/sub"})
        assert shadow.text("list_directory", {"path": f"{place}/sub"}) == "[FILE] c.txt\n[DIR] deep"
        source, notes = shadow.source("directory_tree", {"path": str(place)})
        assert source == "real"
        assert "may be missing" in notes[0]
        for name, arguments in failing:
            assert _UNIQUE.sub("", shadow.text(name, arguments)) == failures.pop(0)
        refusal = shadow.ask("tools/call", {"name": "move_file", "arguments": {"source": f"{place}/sub/deep", "destination": f"{place}/x"}})
        assert refusal["error"]["code"] == -32603
    assert snapshot(place) == before
    assert set(asked(data_home)) <= set(FILES_READ)


def test_the_graph_is_real_until_it_is_changed(tmp_path: Path, data_home: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", "name": "Ann", "entityType": "person", "observations": ["swims"]}) + "\n")
    before = file.read_bytes()
    reads = ["read_graph", "open_nodes", "search_nodes"]
    environment = {"MEMORY_FILE_PATH": str(file)}
    bob = {"entities": [{"name": "Bob", "entityType": "person", "observations": []}]}
    with shadowed(tmp_path, npm_server("server-memory"), reads, "[behaviours.memory]", environment) as shadow:
        assert shadow.source("open_nodes", {"names": ["Ann"]}) == ("real", [])
        shadow.call("create_entities", bob)
        names = [entity["name"] for entity in shadow.call("read_graph", {})["structuredContent"]["entities"]]
        assert names == ["Ann", "Bob"]
        shadow.call("delete_entities", {"entityNames": ["Ann"]})
        assert shadow.call("open_nodes", {"names": ["Ann", "Bob"]})["structuredContent"]["entities"] == bob["entities"]
    assert file.read_bytes() == before
    assert asked(data_home) == ["open_nodes", "read_graph"]


def test_tables_are_real_until_they_are_changed(tmp_path: Path, data_home: Path, pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, "mcp-server-sqlite", "mcp<2", "mcp-server-sqlite==2025.4.25")
    file = tmp_path / "real.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, weight REAL, raw BLOB);"
            "INSERT INTO t (name, weight, raw) VALUES ('Ann', 0.1, x'00ff'), ('it''s', NULL, NULL), ('gone', 3, NULL);"
            "DELETE FROM t WHERE name = 'gone'; CREATE VIEW names AS SELECT name FROM t;"
        )
    before = file.read_bytes()
    rows = {"query": "SELECT * FROM t"}
    real = [python, "-c", "from mcp_server_sqlite import main; main()", "--db-path", str(file)]
    reads = ["read_query", "list_tables", "describe_table"]
    with shadowed(tmp_path, real, reads, "[behaviours.sqlite]") as shadow:
        assert shadow.source("read_query", rows) == ("real", [])
        first = ast.literal_eval(shadow.text("read_query", rows))
        assert "affected_rows': 1" in shadow.text("write_query", {"query": "INSERT INTO t (name) VALUES ('Bob')"})
        assert "UNIQUE constraint failed" in shadow.text("write_query", {"query": "INSERT INTO t (name) VALUES ('Ann')"})
        later = ast.literal_eval(shadow.text("read_query", rows))
        assert later == [*first, {"id": 4, "name": "Bob", "weight": None, "raw": None}]
        assert shadow.source("read_query", {"query": "SELECT count(*) FROM names"}) == ("computed", [])
    assert file.read_bytes() == before
    assert set(asked(data_home)) == {"read_query"}


def test_without_a_list_nothing_is_served_and_one_is_proposed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError), shadowed(tmp_path, npm_server("server-memory"), [], ""):
        pass
