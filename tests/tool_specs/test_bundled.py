from pathlib import Path

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs import bundled
from mcp_sim.tool_specs.world_folder import find_folder, load_world


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


def test_a_project_keeps_worlds_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world_in(home / "site/tool_specs/b")
    project = home / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert bundled.project_worlds() == {}
    shop = world_in(project / "tool_specs/shop")
    assert bundled.project_worlds() == {"shop": shop}
    assert bundled.place_project_world("new") == project / "tool_specs/new"


def test_the_source_tree_itself_is_no_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world_in(home / "site/tool_specs/b")
    monkeypatch.chdir(home / "site")
    assert bundled.project_worlds() == {}


def test_a_name_is_looked_for_in_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("site/tool_specs", "project/tool_specs", "data/worlds"):
        for name in ("everywhere", *(["project"] if place != "site/tool_specs" else []), *(["own"] if place == "data/worlds" else [])):
            world_in(home / place / name)
    monkeypatch.chdir(home / "project")
    assert [find_folder(name)[1] for name in ("everywhere", "project", "own")] == ["bundled", "project", "user"]
    assert load_world("project").source == str(home / "project/tool_specs/project"), "a client serves it from another directory"
    assert load_world("own").source == "own"
    assert [notice for notice in load_world("project").notices if "has the name project too" in notice]
    assert len([notice for notice in load_world("everywhere").notices if "has the name" in notice]) == 2
    with pytest.raises(SetupError, match="Known worlds: everywhere, own, project"):
        load_world("zzzzzzzz")
