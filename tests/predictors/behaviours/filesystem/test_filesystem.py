"""The filesystem behaviour against recorded answers of the real server, and what a world may rely on besides."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import canonical
from mcp_sim.core.state import apply, thaw
from mcp_sim.errors import PredictionError, SetupError
from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from tests.predictors.behaviours.filesystem.masking import masked
from tests.predictors.behaviours.filesystem.sequence import CALLS, TOP, TREE, answers
from tests.predictors.behaviours.play import Play, begin


def play(tree: dict[str, Any], *allowed: str) -> Play:
    return Play(FilesystemBehaviour({}), begin({"filesystem": {"allowed": list(allowed or ["/p"]), "tree": tree}}))


def test_every_recorded_answer_of_the_real_server() -> None:
    ours = play({"files": TREE}, f"{TOP}/allowed")
    for (name, arguments), answer in zip(CALLS, answers(), strict=True):
        assert masked(ours.call(name, **arguments)) == answer, (name, arguments)


def test_a_replayed_log_leads_to_the_same_state() -> None:
    ours = play({"files": TREE}, f"{TOP}/allowed")
    first = ours.session.state
    for name, arguments in CALLS:
        ours.call(name, **arguments)
    log = [json.loads(step.model_dump_json(exclude_unset=True)) for step in ours.session.trajectory]
    state = first
    for step, kept in zip(ours.session.trajectory, log, strict=True):
        changes = [type(change).model_validate(raw) for change, raw in zip(step.patch, kept.get("patch", []), strict=True)]
        state = apply(state, changes)
    assert canonical(thaw(state)) == canonical(thaw(ours.session.state))


def test_only_what_changes_the_tree_moves_the_clock() -> None:
    ours = play({"p": {"a": "one"}})
    for name, arguments, changed in [
        ("read_text_file", {"path": "a"}, False),
        ("edit_file", {"path": "a", "edits": [{"oldText": "one", "newText": "two"}], "dryRun": True}, False),
        ("edit_file", {"path": "a", "edits": [{"oldText": "none", "newText": "two"}]}, False),
        ("create_directory", {"path": "/p"}, False),
        ("create_directory", {"path": "b"}, True),
        ("write_file", {"path": "a", "content": "one"}, True),
        ("move_file", {"source": "a", "destination": "b"}, False),
        ("move_file", {"source": "a", "destination": "b/a"}, True),
    ]:
        ours.call(name, **arguments)
        assert ours.changed is changed, name


def test_times_follow_the_world_clock() -> None:
    clock = datetime(2030, 5, 6, 7, 8, 9, tzinfo=UTC)
    tree = {"p": {"old": {"/text": "", "/modified": "2029-01-01T01:00:00+01:00"}, "plain": ""}}
    state = {"filesystem": {"allowed": ["/p"], "tree": tree}}
    ours = Play(FilesystemBehaviour({}), begin(state, clock=clock))
    ours.call("create_directory", path="d")
    ours.call("write_file", path="d/new", content="")
    zone = "GMT+0000 (Coordinated Universal Time)"
    assert f"modified: Mon May 06 2030 07:08:10 {zone}\n" in ours.text("get_file_info", path="d/new")
    assert f"modified: Mon May 06 2030 07:08:10 {zone}\n" in ours.text("get_file_info", path="d")
    assert f"created: Mon May 06 2030 07:08:09 {zone}\n" in ours.text("get_file_info", path="d")
    assert f"created: Mon Jan 01 2029 00:00:00 {zone}\n" in ours.text("get_file_info", path="old")
    assert f"modified: Mon May 06 2030 07:08:09 {zone}\n" in ours.text("get_file_info", path="plain")


def test_a_large_directory_is_moved_without_naming_its_content() -> None:
    ours = play({"p": {"big": {f"f{number}": "x" * 100 for number in range(1000)}}})
    ours.call("move_file", source="big", destination="moved")
    assert len(ours.session.trajectory[-1].model_dump_json()) < 2000
    assert ours.text("read_text_file", path="moved/f999") == "x" * 100


def test_a_world_without_files_starts_with_an_empty_directory() -> None:
    ours = Play(FilesystemBehaviour({}))
    assert ours.text("list_allowed_directories") == "Allowed directories:\n/projects"
    assert ours.text("list_directory", path="/projects") == ""
    ours.call("write_file", path="a.txt", content="a")
    assert ours.text("list_directory", path="/projects") == "[FILE] a.txt"
    assert ours.text("read_text_file", path="/projects/a.txt") == "a"


def test_lone_surrogates_reach_the_disk_as_replacement_characters() -> None:
    ours = play({"p": {}})
    ours.call("write_file", path="a", content="x\ud800y")
    assert ours.text("read_text_file", path="a") == "x\ufffdy"


def test_moves_cannot_make_the_tree_too_deep() -> None:
    ours = play({"p": {}})
    results = []
    for number in range(9):
        ours.call("create_directory", path=f"/p/{number}" + "/d" * 99)
        if number:
            results.append(ours.call("move_file", source=f"/p/{number - 1}", destination=f"/p/{number}{'/d' * 99}/in").get("isError"))
    canonical(thaw(ours.session.state))  # does not run out of stack
    assert True in results


def test_a_file_cannot_grow_without_bound() -> None:
    ours = play({"p": {}})
    assert ours.call("write_file", path="a", content="x" * 50_000_001) == {
        "content": [{"type": "text", "text": "ENOSPC: no space left on device, write"}],
        "isError": True,
    }
    assert ours.text("list_directory", path="/p") == ""


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*a" * 100 + "b", 3000),
        ("+(a|+(a|aa))" * 5 + "b", 300),
        ("!(a)" * 40, 10),
        ("{a,b}" * 40, 10),
        ("+(" * 3000, 10),
    ],
)
def test_pathological_patterns_end(pattern: str, names: int) -> None:
    ours = play({"p": {"a" * 100 + str(number): "" for number in range(names)}})
    with suppress(PredictionError):
        ours.call("search_files", path="/p", pattern=pattern)


def test_arguments_of_other_types_are_refused_as_the_server_refuses_them() -> None:
    ours = play({"p": {}})
    start = "MCP error -32602: Input validation error: Invalid arguments for tool"
    assert ours.text("read_text_file", path=5) == f"{start} read_text_file: Invalid input: expected string, received number at path"
    assert ours.text("write_file", path="a") == f"{start} write_file: Invalid input: expected string, received undefined at content"
    edits = [{"oldText": "a", "newText": None}]
    assert ours.text("edit_file", path="a", edits=edits).endswith("expected string, received null at edits.0.newText")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"filesystem": []}, "`filesystem` must be an object"),
        ({"filesystem": {"allowed": "/p"}}, "`allowed`"),
        ({"filesystem": {"allowed": ["/p"], "tree": "x"}}, "`tree`"),
        ({"filesystem": {"allowed": ["/p"], "tree": {"p": {"a": {"/base64": "!"}}}}}, "`/base64`"),
        ({"filesystem": {"allowed": ["/p"], "tree": {"p": {"a": 5}}}}, "neither text nor an object"),
        ({"filesystem": {"allowed": ["/p"], "tree": {"p": {"a": {"/text": "", "/modified": "once"}}}}}, "ISO 8601"),
    ],
)
def test_a_malformed_state_is_named(state: dict[str, Any], words: str) -> None:
    ours = Play(FilesystemBehaviour({}), begin(state))
    name = "get_file_info" if "ISO" in words else "read_text_file"
    with pytest.raises(PredictionError, match=words):
        ours.call(name, path="/p/a")


def test_options_are_refused() -> None:
    with pytest.raises(SetupError, match="Known options: none"):
        FilesystemBehaviour({"root": "/"})


def test_other_tools_are_not_answered() -> None:
    assert FilesystemBehaviour({}).answer(begin(), Action.call("delete_file")) is None


names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8).filter(lambda name: name.strip() == name)


@given(st.dictionaries(names.filter(lambda name: name not in (".", "..")), st.text(st.characters(codec="utf-8"), max_size=40), max_size=6))
def test_what_was_written_is_read_and_listed(files: dict[str, str]) -> None:
    ours = play({"p": {"d": {}}})
    spellings = {normalize("NFC", name) for name in files}
    assume(len(spellings) == len(files))  # else two names are one file
    for name, content in files.items():
        ours.call("write_file", path=f"/p/d/{name}", content=content)
    for name, content in files.items():
        assert ours.text("read_text_file", path=f"/p/d/{name}") == content
    assert ours.text("list_directory", path="/p/d") == "\n".join(f"[FILE] {name}" for name in sorted(files))
