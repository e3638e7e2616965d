"""A world that was recorded from a filesystem server: what is known is from the recording and from what is done, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

import mcp_sim
from mcp_sim.core.world import World
from mcp_sim.errors import FrozenMissError
from mcp_sim.tool_specs.world_folder import load_world, write_world

FILES = "/srv/files"
READ = [
    ("list_allowed_directories", {}, f"Allowed directories:\n{FILES}"),
    ("list_directory", {"path": FILES}, "[FILE] a.txt\n[DIR] sub"),
    ("read_text_file", {"path": f"{FILES}/a.txt"}, "hello\n"),
    ("search_files", {"path": FILES, "pattern": "*.txt"}, f"{FILES}/a.txt"),
]


@pytest.fixture(params=[READ, READ[1:]], ids=["all asked", "not asked what is allowed"])
def world(tmp_path: Path, request: pytest.FixtureRequest) -> World:
    listing: Any = {"tools": [tool.definition for tool in load_world("filesystem").tools]}
    lines = [
        {"name": name, "arguments": asked, "result": {"content": [{"type": "text", "text": told}], "structuredContent": {"content": told}}}
        for name, asked, told in request.param
    ]
    write_world(tmp_path / "w", listing=listing, settings={"behaviours": {"filesystem": {"recorded": True}}})
    beginning = load_world(tmp_path / "w").first_state_hash
    write_world(tmp_path / "w", frozen=[{**line, "fingerprint": beginning} for line in lines], replace=True)
    return load_world(tmp_path / "w")


async def test_what_is_written_is_among_what_was_recorded(world: World) -> None:
    async with mcp_sim.open_world(world) as opened:
        assert (await opened.call("list_directory", {"path": FILES})).source == "frozen"
        written = await opened.call("write_file", {"path": f"{FILES}/new.txt", "content": "fresh"})
        assert (written.source, written.text) == ("computed", f"Successfully wrote to {FILES}/new.txt")
        assert (await opened.call("read_text_file", {"path": f"{FILES}/new.txt"})).text == "fresh"
        assert "size: 5" in (await opened.call("get_file_info", {"path": f"{FILES}/new.txt"})).text
        listed = await opened.call("list_directory", {"path": FILES})
        assert (listed.source, listed.text) == ("computed", "[FILE] a.txt\n[FILE] new.txt\n[DIR] sub")
        found = await opened.call("search_files", {"path": FILES, "pattern": "*.txt"})
        assert found.text == f"{FILES}/a.txt\n{FILES}/new.txt"
        assert (await opened.call("read_text_file", {"path": f"{FILES}/a.txt"})).text == "hello\n"


async def test_a_recorded_file_is_edited_and_moved(world: World) -> None:
    async with mcp_sim.open_world(world) as opened:
        edits = [{"oldText": "hello", "newText": "bye"}]
        assert (await opened.call("edit_file", {"path": f"{FILES}/a.txt", "edits": edits})).source == "computed"
        assert (await opened.call("read_text_file", {"path": f"{FILES}/a.txt"})).text == "bye\n"
        assert not (await opened.call("move_file", {"source": f"{FILES}/a.txt", "destination": f"{FILES}/sub/a.txt"})).failed
        assert (await opened.call("read_text_file", {"path": f"{FILES}/sub/a.txt"})).text == "bye\n"
        assert (await opened.call("list_directory", {"path": FILES})).text == "[DIR] sub"
        assert (await opened.call("search_files", {"path": FILES, "pattern": "**/*.txt"})).source != "frozen"


async def test_of_what_was_not_recorded_nothing_is_called_computed(world: World) -> None:
    async with mcp_sim.open_world(world) as opened:
        await opened.call("write_file", {"path": f"{FILES}/new.txt", "content": "fresh"})
        for tool, path in (("read_text_file", "sub/b.txt"), ("list_directory", "sub"), ("get_file_info", "sub")):
            assert (await opened.call(tool, {"path": f"{FILES}/{path}"})).source == "imagined"


async def test_frozen_it_knows_nothing_but_what_was_recorded(world: World) -> None:
    async with mcp_sim.open_world(world, frozen=True) as opened:
        assert (await opened.call("read_text_file", {"path": f"{FILES}/a.txt"})).source == "frozen"
        for tool, asked in (
            ("read_text_file", {"path": f"{FILES}/b.txt"}),
            ("list_directory", {"path": f"{FILES}/sub"}),
            ("write_file", {"path": f"{FILES}/new.txt", "content": "fresh"}),
        ):
            with pytest.raises(FrozenMissError, match=f"Nothing is frozen for {tool}"):
                await opened.call(tool, asked)
