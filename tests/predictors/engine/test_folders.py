"""Files and folders that no behaviour answers, held against a dictionary of paths."""

import json
from pathlib import PurePosixPath
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.engine.engine import Engine
from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, tool, world_of

READS = {"readOnlyHint": True}
WORLD = world_of(
    "files",
    [
        tool("read_text_file", None, READS, path=TEXT, head_=NUMBER, tail_=NUMBER),
        tool("read_multiple_files", None, READS, paths=TEXTS),
        tool("write_file", path=TEXT, content=TEXT),
        tool(
            "edit_file",
            path=TEXT,
            edits={
                "type": "array",
                "items": {"type": "object", "properties": {"oldText": TEXT, "newText": TEXT}, "required": ["oldText", "newText"]},
            },
            dryRun_={"type": "boolean"},
        ),
        tool("create_directory", None, {"idempotentHint": True, "readOnlyHint": False}, path=TEXT),
        tool("list_directory", None, READS, path=TEXT),
        tool("directory_tree", None, READS, path=TEXT),
        tool("search_files", None, READS, path=TEXT, pattern=TEXT),
        tool("move_file", source=TEXT, destination=TEXT),
        tool("delete_file", path=TEXT),
    ],
)


class Disk:
    def __init__(self) -> None:
        self.engine = Engine(WORLD)
        self.session = Session.begin(WORLD, "files")

    def __call__(self, name: str, **arguments: Any) -> Observation:
        transition = self.engine.answer(self.session, Action.call(name, arguments))
        assert transition is not None, (name, arguments)
        self.session = self.session.append(transition)
        return transition.observation


def test_every_tool_is_followed() -> None:
    assert [tool.tool for tool in Engine(WORLD).understanding.values() if not tool.understood] == []


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_what_was_written_moved_edited_and_deleted_is_where_it_should_be(seed: int) -> None:
    random, disk = Random(seed), Disk()
    files: dict[str, str] = {}
    folders = [f"/w/{letter}" for letter in "abc"]
    for step in range(25):
        path = f"{random.choice(folders)}/{random.choice('xyz')}.txt"
        known = random.choice(sorted(files)) if files else ""
        deed = random.choice(("write", "write", "edit", "move", "move folder", "delete", "look"))
        if deed == "write" or not files:
            files[path] = f"first {step}\nlast {step}"
            assert not disk("write_file", path=path, content=files[path]).is_error
        elif deed == "edit":
            new = files[known].replace("first", f"edited{step}", 1)
            if new != files[known]:
                assert not disk("edit_file", path=known, edits=[{"oldText": "first", "newText": f"edited{step}"}]).is_error
                files[known] = new
        elif deed == "move":
            refused = disk("move_file", source=known, destination=path).is_error
            assert refused is (path in files)
            if not refused:
                files[path] = files.pop(known)
        elif deed == "move folder":
            source, target = str(PurePosixPath(known).parent), f"/w/moved{step}"
            assert not disk("move_file", source=source, destination=target).is_error
            files = {target + name.removeprefix(source) if name.startswith(f"{source}/") else name: text for name, text in files.items()}
        elif deed == "delete":
            assert not disk("delete_file", path=known).is_error
            del files[known]
        for name, text in files.items():
            assert text in disk("read_text_file", path=name).text
        for folder in {str(PurePosixPath(name).parent) for name in files}:
            inside = {f"[FILE] {name.removeprefix(f'{folder}/')}" for name in files if name.startswith(f"{folder}/")}
            assert set(disk("list_directory", path=folder).text.split("\n")) == inside


def test_parts_of_a_file_several_files_trees_and_searches() -> None:
    disk = Disk()
    disk("write_file", path="/w/notes.md", content="one\ntwo\nthree")
    disk("write_file", path="/w/deep/down/log.txt", content="x")
    disk("create_directory", path="/w/empty")
    assert disk("read_text_file", path="/w/notes.md", head=2).text == "one\ntwo"
    assert disk("read_text_file", path="/w/notes.md", tail=1).text == "three"
    assert disk("list_directory", path="/w").text.split("\n") == ["[DIR] deep", "[DIR] empty", "[FILE] notes.md"]
    tree = {entry["name"]: entry for entry in json.loads(disk("directory_tree", path="/w").text)}
    assert tree["empty"]["children"] == []
    assert tree["deep"]["children"][0]["children"] == [{"name": "log.txt", "type": "file"}]
    assert disk("search_files", path="/w", pattern="*.txt").text == "/w/deep/down/log.txt"
    both = disk("read_multiple_files", paths=["/w/notes.md", "/w/deep/down/log.txt"]).text
    assert "three" in both
    assert "/w/deep/down/log.txt:\nx" in both


def test_a_dry_run_edits_nothing() -> None:
    disk = Disk()
    disk("write_file", path="/w/a.txt", content="alk")
    disk("edit_file", path="/w/a.txt", edits=[{"oldText": "alk", "newText": "auk"}], dryRun=True)
    assert disk("read_text_file", path="/w/a.txt").text == "alk"


def test_a_file_is_never_told_with_an_empty_text_where_the_demonstrations_tell_more() -> None:
    told = {"type": "object", "properties": {"content": TEXT}, "required": ["content"]}
    tools = [
        tool("write_file", told, path=TEXT, content=TEXT),
        tool("get_file_info", told, READS, path=TEXT),
        tool("read_file", told, READS, path=TEXT),
    ]
    shown = Demonstration(
        action=Action.call("get_file_info", {"path": "/a.txt"}),
        observation=Observation.of_structured({"content": "size: 6\nisFile: true"}, "size: 6\nisFile: true"),
    )
    world = world_of("files", tools).model_copy(update={"demonstrations": (shown,)})
    engine, session = Engine(world), Session.begin(world, "files")
    for path, content in (("/new.txt", "fresh"), ("/empty.txt", "")):
        written = engine.answer(session, Action.call("write_file", {"path": path, "content": content}))
        assert written is not None
        session = session.append(written)
    for path in ("/new.txt", "/other.txt"):
        info = engine.answer(session, Action.call("get_file_info", {"path": path}))
        assert info is None or info.observation.text.strip()
    empty = engine.answer(session, Action.call("read_file", {"path": "/empty.txt"}))
    assert empty is not None
    assert not empty.observation.is_error
