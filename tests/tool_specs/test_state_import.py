"""Real folders and files as first states, read back by the behaviours that answer from them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.documents_import import import_documents
from mcp_sim.tool_specs.memory_import import import_memory
from mcp_sim.tool_specs.new_world import copy_world, scaffold_world
from mcp_sim.tool_specs.sqlite_import import import_database
from mcp_sim.tool_specs.state_import import read_state_from, write_state
from mcp_sim.tool_specs.world_folder import find_folder, load_world, write_world

QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
SQLITE_TOOLS = [{"name": name, "inputSchema": QUERY} for name in ("read_query", "write_query")]


async def ask(folder: Path, tool: str, **arguments: Any) -> Observation:
    async with open_simulator(load_world(folder), SimulatorOptions()) as simulator:
        return (await simulator.call("s", Action.call(tool, arguments))).observation


def bring(path: Path, folder: Path, **options: Any) -> str:
    world = load_world(folder)
    kind, state = read_state_from(path, world, **options)
    write_state(folder, world, state)
    return kind


def make_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, note TEXT, data BLOB);"
            "CREATE TABLE log (text TEXT); CREATE INDEX by_name ON people (name); CREATE VIEW names AS SELECT name FROM people;"
            "CREATE TRIGGER t AFTER INSERT ON people BEGIN INSERT INTO log VALUES (new.name); INSERT INTO log VALUES ('x;y'); END;"
        )
        connection.executemany(
            "INSERT INTO people (name, note, data) VALUES (?, ?, ?)",
            [("Ida", "it's; a\nline -- no comment", b"\x00\xff"), ("Bo", None, None)]
            + [(f"p{number}", "x" * 2000, None) for number in range(1000)],
        )
        connection.commit()


@pytest.fixture
def database_world(tmp_path: Path) -> Path:
    folder = tmp_path / "dbworld"
    write_world(folder, listing={"tools": SQLITE_TOOLS}, settings={"behaviours": {"sqlite": {}}}, state={"other": 1})
    return folder


async def test_a_database_is_answered_from(tmp_path: Path, database_world: Path) -> None:
    make_database(tmp_path / "shop.db")
    before = (tmp_path / "shop.db").read_bytes()
    assert bring(tmp_path / "shop.db", database_world) == "sqlite"
    told = await ask(database_world, "read_query", query="SELECT name, note, hex(data) AS data FROM people ORDER BY id LIMIT 2")
    assert told.text == str(
        [{"name": "Ida", "note": "it's; a\nline -- no comment", "data": "00FF"}, {"name": "Bo", "note": None, "data": ""}]
    )
    told = await ask(
        database_world, "read_query", query="SELECT (SELECT count(*) FROM people) AS people, (SELECT count(*) FROM log) AS log"
    )
    assert told.text == "[{'people': 1002, 'log': 2004}]"
    assert load_world(database_world).first_state["other"] == 1
    assert (tmp_path / "shop.db").read_bytes() == before


async def test_a_dump_is_answered_from(tmp_path: Path, database_world: Path) -> None:
    make_database(tmp_path / "shop.db")
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        (tmp_path / "dump.sql").write_text("\n".join(connection.iterdump()), encoding="utf-8")
    assert bring(tmp_path / "dump.sql", database_world) == "sqlite"
    assert (await ask(database_world, "read_query", query="SELECT count(*) AS n FROM names")).text == "[{'n': 1002}]"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"SQLite format 3\x00" + b"x" * 200, "no database that can be read"),
        (b"CREATE TABLE a (b; nonsense", "its SQL does not load"),
        (b"ATTACH 'x.db' AS x; CREATE TABLE x.a (b)", "not authorized"),
        (b"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", "interrupted"),
        (b"\xff\xfe\x00", "UTF-16"),
    ],
)
def test_what_is_no_database_is_one_clear_error(tmp_path: Path, content: bytes, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_sim.tool_specs.sqlite_import._MOST_STEPS", 1_000_000)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.db").write_bytes(content)
    with pytest.raises(SetupError, match="a.db: ") as caught:
        import_database(tmp_path / "a.db")
    assert said in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


async def test_a_memory_is_answered_from(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "Ida", "entityType": "person", "observations": ["likes tea"]},
        {"type": "entity", "name": "Larkfield", "entityType": "shop", "observations": []},
        {"type": "relation", "from": "Ida", "to": "Larkfield", "relationType": "works at"},
    ]
    (tmp_path / "memory.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    copy_world(find_folder("memory")[0], tmp_path / "mine")
    assert bring(tmp_path / "memory.jsonl", tmp_path / "mine") == "memory"
    graph = (await ask(tmp_path / "mine", "read_graph")).structured_content
    assert [entity["name"] for entity in graph["entities"]] == ["Ida", "Larkfield"]
    assert graph["relations"] == [{"from": "Ida", "to": "Larkfield", "relationType": "works at"}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no entities"),
        ('{"type": "note"}', ':1: has the type "note"'),
        ("3", ":1: has a number"),
        ('\n{"type": "entity", "name": "a", "entityType": 3, "observations": []}', ':2: "entityType" is a number'),
        ('{"type": "entity", "name": "a", "entityType": "b", "observations": [1]}', '"observations" is not a list of texts'),
        ("{", "is not JSON"),
    ],
)
def test_what_is_no_memory_is_one_clear_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "m.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match="m.jsonl") as caught:
        import_memory(tmp_path / "m.jsonl")
    assert said in str(caught.value)


async def test_pages_are_found_and_read(tmp_path: Path) -> None:
    docs = tmp_path / "Our Docs"
    (docs / "guides").mkdir(parents=True)
    (docs / ".git").mkdir()
    (docs / ".git" / "x.md").write_text("# no", encoding="utf-8")
    (docs / "guides" / "Set up.md").write_text("# Setting up\n\nPlug the zylofon in.", encoding="utf-8")
    (docs / "a.html").write_text(
        "<html><head><title>The  zylofon</title></head><body><p>A fine instrument.</p></body></html>", encoding="utf-8"
    )
    (docs / "more.json").write_text(json.dumps([{"url": "https://else.example/x", "title": "Else", "text": "Other."}]), encoding="utf-8")
    copy_world(find_folder("search")[0], tmp_path / "mine")
    assert bring(docs, tmp_path / "mine") == "documents"
    state = json.loads((tmp_path / "mine" / "state.json").read_text(encoding="utf-8"))["documents"]
    assert {url: page["title"] for url, page in state.items()} == {
        "https://our-docs.example/a.html": "The zylofon",
        "https://our-docs.example/guides/Set%20up.md": "Setting up",
        "https://else.example/x": "Else",
    }
    found = await ask(tmp_path / "mine", "web_search", query="zylofon")
    assert "https://our-docs.example/a.html" in found.text
    assert bring(docs, tmp_path / "mine", base_url="https://docs.example/v2") == "documents"
    assert "https://docs.example/v2/a.html" in load_world(tmp_path / "mine").first_state["documents"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '[{"title": "x"}]', "no web address as url"),
        ("a.json", "[3]", "page 1: is a number"),
        ("a.json", '{"https://a.example": {"text": 3}}', '"text" is a number'),
        ("a.json", '{"url": "https://a.example", "colour": "x"}', 'the unknown key "colour"'),
        ("a.json", '[{"url": "https://a.example"}, {"url": "https://a.example"}]', "the address of another page"),
        ("a.pdf", "x", "holds no pages"),
    ],
)
def test_what_is_no_page_is_one_clear_error(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SetupError) as caught:
        import_documents(tmp_path)
    assert said in str(caught.value)


async def test_files_are_read_from_a_copy_of_the_bundled_world(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.txt").write_text("hello", encoding="utf-8")
    copy_world(find_folder("filesystem")[0], tmp_path / "mine")
    assert bring(tmp_path / "project", tmp_path / "mine", as_directory="/project") == "filesystem"
    assert (await ask(tmp_path / "mine", "read_text_file", path="/project/a.txt")).text == "hello"


def test_a_world_that_would_not_read_it_says_so(tmp_path: Path, database_world: Path) -> None:
    scaffold_world(tmp_path / "plain", "plain")
    for path, folder, options, said in [
        (tmp_path, tmp_path / "plain", {}, "no behaviour of the world plain would read it (it has none)"),
        (tmp_path, database_world, {"form": "memory"}, "(it has sqlite (a database or a dump of SQL))"),
        (tmp_path / "none.db", database_world, {}, "cannot be read"),
        (tmp_path / "a.db", database_world, {"as_directory": "/x"}, "--as-directory is for a folder"),
        (tmp_path / "a.db", database_world, {"base_url": "https://x.example"}, "--base-url is for pages"),
    ]:
        with pytest.raises(SetupError) as caught:
            read_state_from(path, load_world(folder), **options)
        assert said in str(caught.value)


def test_a_new_world_is_whole(tmp_path: Path) -> None:
    scaffold_world(tmp_path / "shop", "shop")
    world = load_world(tmp_path / "shop")
    assert [tool.name for tool in world.tools] == ["get_order"]
    assert not world.tools[0].mended
    assert world.settings.title == "shop"
    assert "Larkfield" in world.background
    with pytest.raises(SetupError, match="exists already"):
        scaffold_world(tmp_path / "shop", "shop")
    lines = [line.removeprefix("# ") for line in (tmp_path / "shop" / "world.toml").read_text(encoding="utf-8").splitlines()]
    (tmp_path / "shop" / "world.toml").write_text(
        "\n".join(line for line in lines if "=" in line or line.startswith("[")), encoding="utf-8"
    )
    settings = load_world(tmp_path / "shop").settings
    assert settings.tools["get_order"].id == "order_number", "what is commented out is right when it is put in"
    assert list(settings.behaviours) == ["filesystem"]
