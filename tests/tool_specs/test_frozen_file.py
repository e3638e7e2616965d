"""Freezing into folders: what may be written there, and by how many at once."""

import json
import multiprocessing
from pathlib import Path

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.frozen_file import choose_folders, pin
from mcp_sim.tool_specs.world_folder import load_world


def answer(name: str, number: int) -> FrozenAnswer:
    return FrozenAnswer(action=Action.call(name, {"n": number}), observation=Observation.of_text(f"answer {number}"), fingerprint="f")


def write_tools(path: Path, *names: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{"name": name, "inputSchema": {"type": "object"}} for name in names]))
    return path


def freeze(source: str, into: Path, number: int) -> None:
    world = load_world(source)
    pin(world, [answer("look", number)], choose_folders(world, into))


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    source = str(write_tools(tmp_path / "mine.json", "look"))
    start = multiprocessing.get_context("spawn")
    freezers = [start.Process(target=freeze, args=(source, tmp_path / "specs" / "mine", number)) for number in range(8)]
    for freezer in freezers:
        freezer.start()
    for freezer in freezers:
        freezer.join(timeout=120)
    assert [freezer.exitcode for freezer in freezers] == [0] * 8
    assert len(load_world(str(tmp_path / "specs" / "mine")).frozen) == 8
    assert sorted(path.name for path in (tmp_path / "specs").iterdir()) == ["mine"]


def test_a_world_of_other_tools_is_left_as_it_is(tmp_path: Path) -> None:
    other = write_tools(tmp_path / "other" / "tools.json", "listen").parent
    with pytest.raises(SetupError, match=r"other: this is a world of other tools, which has no 'look'\. Name another folder with --into"):
        freeze(str(write_tools(tmp_path / "mine.json", "look")), other, 1)
    assert [path.name for path in other.iterdir()] == ["tools.json"]


def test_an_empty_folder_becomes_a_world(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    freeze(str(write_tools(tmp_path / "mine.json", "look")), tmp_path / "new", 1)
    assert len(load_world(str(tmp_path / "new")).frozen) == 1


@pytest.mark.parametrize("place", ["notes", "notes/todo.md", "notes/todo.md/deeper", "/dev/null", "/proc/mine"])
def test_what_can_hold_no_world_is_said_to_be_so_and_left_as_it_is(tmp_path: Path, place: str) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.md").write_text("sow")
    with pytest.raises(SetupError, match="is no world folder|cannot be written"):
        freeze(str(write_tools(tmp_path / "mine.json", "look")), tmp_path / place, 1)
    assert [(path.name, path.read_text()) for path in (tmp_path / "notes").iterdir()] == [("todo.md", "sow")]
