from pathlib import Path

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs import bundled
from mcp_sim.tool_specs.world_folder import find_folder, load_source, load_world


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
    assert bundled.place_project_world("b") == project / "tool_specs/b", "a project's own world takes a bundled one's place"
    with pytest.raises(SetupError, match="cannot name a world"):
        bundled.place_project_world("a/b")


def test_the_source_tree_itself_is_no_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world_in(home / "site/tool_specs/b")
    monkeypatch.chdir(home / "site")
    assert bundled.project_worlds() == {}


def test_a_name_is_looked_for_in_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, names in (
        ("project/tool_specs", ("everywhere",)),
        ("site/tool_specs", ("everywhere", "bundled")),
        ("data/worlds", ("everywhere", "bundled", "own")),
    ):
        for name in names:
            world_in(home / place / name)
    monkeypatch.chdir(home / "project")
    assert [find_folder(name)[1] for name in ("everywhere", "bundled", "own")] == ["project", "bundled", "user"]
    assert load_world("everywhere").source == str(home / "project/tool_specs/everywhere"), "a client serves it from another directory"
    assert load_world("own").source == "own"
    assert [notice for notice in load_world("bundled").notices if "has the name bundled too" in notice]
    said = "\n".join(load_world("everywhere").notices)
    assert f"everywhere is the project's world here ({home / 'project/tool_specs/everywhere'})" in said
    assert f"the bundled world has the name everywhere too, and is served by its path: {home / 'site/tool_specs/everywhere'}" in said
    assert f"your own world has the name everywhere too, and is served by its path: {home / 'data/worlds/everywhere'}" in said
    with pytest.raises(SetupError, match="Known worlds: bundled, everywhere, own"):
        load_world("zzzzzzzz")


def test_what_a_session_was_begun_in_is_found_again_where_a_project_has_the_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world_in(home / "site/tool_specs/shop")
    world_in(home / "data/worlds/mine")
    elsewhere = {name: load_world(name) for name in ("shop", "mine")}
    for name in ("shop", "mine"):
        world_in(home / "project/tool_specs" / name)
    monkeypatch.chdir(home / "project")
    for name, world in elsewhere.items():
        assert load_world(name).key != world.key
        assert load_source(world.source).key == world.key
        assert load_source(load_world(name).source).key == load_world(name).key
