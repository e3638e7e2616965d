from pathlib import Path

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs import bundled


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bundled, "_PACKAGE", tmp_path / "site" / "mcp_sim")
    monkeypatch.setattr(bundled.platformdirs, "user_data_path", lambda *_args, **_kwargs: tmp_path / "data")
    return tmp_path


def world_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "tools.json").write_text("[]", encoding="utf-8")
    return folder


def test_a_wheel_holds_the_worlds_inside_the_package(home: Path) -> None:
    inside = world_in(home / "site/mcp_sim/_bundled/tool_specs/a")
    world_in(home / "site/tool_specs/b")
    assert bundled.bundled_worlds() == {"a": inside}


def test_a_source_tree_holds_the_worlds_beside_the_package(home: Path) -> None:
    beside = world_in(home / "site/tool_specs/b")
    (home / "site/tool_specs/notes").mkdir()
    assert bundled.bundled_worlds() == {"b": beside}


def test_an_installation_without_its_folders_says_so(home: Path) -> None:
    with pytest.raises(SetupError, match="lacks its folder prompts/"):
        bundled.bundled_folder("prompts")


def test_the_prompts_are_found_like_the_worlds() -> None:
    assert bundled.bundled_folder("prompts").name == "prompts"
    assert bundled.bundled_folder("prompts").parent == bundled.bundled_folder("tool_specs").parent


def test_a_user_world_has_its_place_and_never_a_bundled_name(home: Path) -> None:
    world_in(home / "site/tool_specs/files")
    assert bundled.place_user_world("mine") == home / "data/worlds/mine"
    with pytest.raises(SetupError, match="bundled world"):
        bundled.place_user_world("files")
    for name in ("", "..", "A", "a/b", "a\n", "a" * 65):
        with pytest.raises(SetupError, match="cannot name a world"):
            bundled.place_user_world(name)


def test_user_worlds_are_found(home: Path) -> None:
    assert bundled.user_worlds() == {}
    mine = world_in(home / "data/worlds/mine")
    world_in(home / "data/worlds/.mine.x1")
    assert bundled.user_worlds() == {"mine": mine}
