"""Reading a real folder into a state."""

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.folder_import import import_folder


def without_times(node: Any) -> Any:
    return {name: without_times(inner) for name, inner in node.items() if name != "/modified"} if isinstance(node, dict) else node


def test_text_bytes_modes_links_and_directories(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    (folder / "src").mkdir(parents=True)
    (folder / "a.txt").write_bytes("ä\r\n".encode())
    (folder / "raw").write_bytes(b"\xff\x00")
    (folder / "src" / "run").write_text("x")
    (folder / "src" / "run").chmod(0o700)
    (folder / "link").symlink_to("src/")
    (folder / "absolute").symlink_to(folder / "src")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    state = import_folder(folder, as_directory="/projects/demo")
    assert state["filesystem"]["allowed"] == ["/projects/demo"]
    assert without_times(state["filesystem"]["tree"]) == {
        "projects": {
            "demo": {
                "a.txt": {"/text": "ä\r\n"},
                "raw": {"/base64": base64.b64encode(b"\xff\x00").decode()},
                "src": {"run": {"/text": "x", "/mode": "700"}},
                "link": {"/link": "src/"},
                "absolute": {"/link": "/projects/demo/src"},
                "dangling": {"/link": "nowhere"},
                "loop": {"/link": "loop"},
            }
        }
    }


def test_times_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    os.utime(tmp_path / "a", (0, 86400))
    state = import_folder(tmp_path, as_directory="/p")
    assert state["filesystem"]["tree"]["p"]["a"]["/modified"] == "1970-01-02T00:00:00+00:00"


def test_what_links_lead_to_outside_is_stood_for_and_never_read(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "secret.txt").write_text("secret")
    (folder / "file").symlink_to("../secret.txt")
    (folder / "directory").symlink_to(tmp_path / "more")
    (folder / "up").symlink_to("..")
    state = import_folder(folder, as_directory="/projects/demo")
    assert "secret'" not in str(state)
    tree = state["filesystem"]["tree"]
    assert tree["projects"]["secret.txt"] == ""
    assert tree["projects"]["demo"]["up"] == {"/link": ".."}
    for name in (tmp_path / "more").parts[1:]:
        tree = tree[name]
    assert tree == {}


def test_the_folder_has_its_own_name_if_none_is_given(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    assert import_folder(tmp_path / "demo")["filesystem"]["allowed"] == ["/demo"]


@pytest.mark.parametrize("bound", [{"max_entries": 1}, {"max_bytes": 3}])
def test_what_is_too_much_is_refused(tmp_path: Path, bound: dict[str, int]) -> None:
    (tmp_path / "a").write_text("aa")
    (tmp_path / "b").write_text("bb")
    with pytest.raises(SetupError, match="more than"):
        import_folder(tmp_path, **bound)


def test_nesting_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "/".join("d" * 102)).mkdir(parents=True)
    with pytest.raises(SetupError, match="nested"):
        import_folder(tmp_path)


def test_names_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")).write_text("")
    with pytest.raises(SetupError, match="not UTF-8"):
        import_folder(tmp_path)


@pytest.mark.parametrize("place", ["projects", "/a/../b"])
def test_a_place_must_be_absolute_and_plain(tmp_path: Path, place: str) -> None:
    with pytest.raises(SetupError, match="absolute path"):
        import_folder(tmp_path, as_directory=place)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="is no folder"):
        import_folder(tmp_path / "nope")
