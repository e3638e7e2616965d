import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.core.state import thaw
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs import bundled
from mcp_sim.tool_specs.world_folder import load_world, write_world

TOOL = {"name": "echo", "inputSchema": {"type": "object"}}
SERVER = {"protocolVersion": "2025-11-25", "serverInfo": {"name": "s", "version": "1"}, "instructions": "Read me."}
LINE = {"name": "echo", "arguments": {}, "result": {"content": [{"type": "text", "text": "hi"}]}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bundled, "_PACKAGE", tmp_path / "site" / "mcp_sim")
    monkeypatch.setattr(bundled.platformdirs, "user_data_path", lambda *_args, **_kwargs: tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    write_world(tmp_path / "site/tool_specs/files", listing={"tools": [TOOL]})
    return tmp_path


def test_what_is_written_is_loaded(tmp_path: Path) -> None:
    listing = {"tools": [{**TOOL, "x-custom": "é"}], "_meta": {"a": 1}}
    write_world(
        tmp_path / "w",
        listing=listing,
        server=SERVER,
        settings={"title": "W", "errors": "jsonschema"},
        background="It rains.",
        state={"files": {"a": {"size": 1}}},
        demonstrations=[LINE],
        frozen=[LINE],
    )
    assert json.loads((tmp_path / "w/tools.json").read_text(encoding="utf-8")) == listing
    world = load_world("./w")
    assert world.tools[0].definition == listing["tools"][0]
    assert (world.name, world.server_info, world.instructions) == ("w", SERVER["serverInfo"], "Read me.")
    assert (world.settings.errors, world.background, thaw(world.first_state)) == ("jsonschema", "It rains.", {"files": {"a": {"size": 1}}})
    assert len(world.demonstrations) == len(world.frozen) == 1
    assert sorted(item.name for item in tmp_path.iterdir()) == ["site", "w"]


def test_a_world_has_the_same_key_by_whatever_way_it_is_reached(tmp_path: Path) -> None:
    write_world(tmp_path / "My World", listing=[TOOL])
    (tmp_path / "link").symlink_to(tmp_path / "My World")
    keys = {load_world(way).key for way in ("./My World", str(tmp_path / "My World"), tmp_path / "My World", "site/../link")}
    assert len(keys) == 1
    assert keys.pop().startswith("my-world-")
    write_world(tmp_path / "other/My World", listing=[TOOL])
    assert load_world("other/My World").key != load_world("./My World").key


def test_a_bare_name_is_never_a_path(home: Path) -> None:
    write_world(home / "mine", listing=[TOOL])
    with pytest.raises(SetupError, match=r"There is no world 'mine'\..* write \./mine"):
        load_world("mine")


def test_names_are_bundled_worlds_first_and_then_the_users_own(home: Path) -> None:
    write_world(home / "data/worlds/mine", listing=[TOOL])
    write_world(home / "data/worlds/files", listing=[{**TOOL, "name": "shadow"}])
    files, mine = load_world("files"), load_world("mine")
    assert (files.name, files.key, files.source, [tool.name for tool in files.tools]) == ("files", "files", "files", ["echo"])
    assert str(home / "data/worlds/files") in files.notices[0]
    assert (mine.name, mine.source, mine.notices) == ("mine", "mine", ())
    assert mine.key.startswith("mine-")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("filse", "Did you mean files?"),
        ("zzzzzz", "Known worlds: files"),
        ("My-World", "a path needs a slash or .json: ./My-World"),
        ("", "is no world's name"),
        ("gone.json", "no such file"),
        ("./gone", "no such file"),
        (".", "no tools.json"),
        ("a\0/b", "no usable path"),
        ("~nobody-of-that-name/x", "no usable path"),
        ("/" + "x" * 5000, ""),
    ],
)
def test_what_is_no_world_is_refused(name: str, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        load_world(name)
    assert said in str(caught.value)


def test_a_file_without_a_servable_tool_is_refused_with_the_first_reason(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('[{"name": "a", "inputSchema": 3}, 4]', encoding="utf-8")
    with pytest.raises(SetupError, match=r"none of its 2 tools can be served\. a: The input schema"):
        load_world("x.json")


def test_an_empty_list_is_a_world_without_tools(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"tools": []}', encoding="utf-8")
    assert "holds no tools" in load_world("x.json").notices[0]


@pytest.mark.parametrize(
    ("text", "said"), [("[]", "the first state is an object"), ('{"a": "\\ud800"}', "surrogate"), ("{", "is not JSON")]
)
def test_a_wrong_first_state_is_refused(tmp_path: Path, text: str, said: str) -> None:
    write_world(tmp_path / "w", listing=[TOOL])
    (tmp_path / "w/state.json").write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match=said):
        load_world("./w")


def test_a_setting_that_speaks_of_no_tool_is_reported(tmp_path: Path) -> None:
    write_world(tmp_path / "w", listing=[TOOL], settings={"reading": ["get_*", "ec*"], "tools": {"ehco": {}}})
    assert load_world("./w").notices == (
        "world.toml: reading: 'get_*' matches no tool.",
        "world.toml: there is no tool 'ehco'. Did you mean echo?",
    )


def test_an_existing_folder_is_only_replaced_when_told_and_what_was_not_given_stays(tmp_path: Path) -> None:
    write_world(tmp_path / "w", listing=[TOOL], background="Mine.")
    with pytest.raises(SetupError, match="exists already"):
        write_world(tmp_path / "w", listing=[])
    write_world(tmp_path / "w", listing=[{**TOOL, "name": "new"}], server=SERVER, replace=True)
    world = load_world("./w")
    assert ([tool.name for tool in world.tools], world.background, world.instructions) == (["new"], "Mine.", "Read me.")


def test_a_folder_that_is_no_world_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    with pytest.raises(SetupError, match="no world folder"):
        write_world(tmp_path / "photos", listing=[TOOL], replace=True)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []

    def fail_at_second(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail_at_second)
    with pytest.raises(SetupError, match="No space left"):
        write_world(tmp_path / "w", listing=[TOOL], background="It rains.")
    assert [item.name for item in tmp_path.iterdir()] == ["site"]


def test_a_listing_is_kept_as_sent_even_where_it_is_no_unicode(tmp_path: Path) -> None:
    write_world(tmp_path / "w", listing={"tools": [TOOL, {"name": "odd", "description": "\ud800"}]})
    world = load_world("./w")
    assert [tool.name for tool in world.tools] == ["echo"]
    assert [out.name for out in world.left_out] == ["odd"]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["tools", "result", "initialize", "name", "server"]), inner)
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON_VALUES.map(json.dumps) | st.text() | st.binary())
def test_any_file_gives_a_world_or_one_error(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "any.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    try:
        outcome = type(load_world(path)).__name__
    except SetupError as error:
        outcome = str(error)
    assert outcome == "World" or outcome.startswith(str(path))


LINES = st.fixed_dictionaries(
    {"name": st.just("echo") | JSON_VALUES},
    optional={
        "arguments": JSON_VALUES,
        "result": st.fixed_dictionaries({}, optional={"content": JSON_VALUES, "structuredContent": JSON_VALUES, "isError": JSON_VALUES})
        | JSON_VALUES,
        "fingerprint": JSON_VALUES,
        "occurrence": JSON_VALUES,
    },
)
PARTS = {
    "server.json": JSON_VALUES.map(json.dumps),
    "world.toml": st.text(),
    "state.json": JSON_VALUES.map(json.dumps),
    "demonstrations.jsonl": LINES.map(json.dumps) | st.text(),
    "frozen.jsonl": LINES.map(json.dumps) | st.text(),
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({}, optional=PARTS))
def test_any_folder_gives_a_world_or_one_error(tmp_path: Path, parts: dict[str, str]) -> None:
    folder = tmp_path / "w"
    folder.mkdir(exist_ok=True)
    for name in PARTS:
        (folder / name).unlink(missing_ok=True)
    (folder / "tools.json").write_text(json.dumps([TOOL]), encoding="utf-8")
    for name, text in parts.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        outcome = type(load_world(folder)).__name__
    except SetupError as error:
        outcome = str(error)
    assert outcome == "World" or outcome.startswith(str(folder))


@pytest.mark.parametrize("listing", [float("nan"), {1, 2}])
def test_what_is_no_json_is_not_written(tmp_path: Path, listing: Any) -> None:
    with pytest.raises(SetupError, match="cannot be written as JSON"):
        write_world(tmp_path / "w", listing=listing)
    assert not (tmp_path / "w").exists()
