"""A frozen file as git, an editor or a full disk may leave it: one clear error that names the line."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.answers import read_frozen
from mcp_sim.tool_specs.mending import mend_all

TOOLS: dict[str, ToolSpec] = {tool.name: tool for tool in mend_all([{"name": "echo", "inputSchema": {"type": "object"}}])[0]}


def line(number: int, text: str = "hi") -> str:
    return json.dumps({"name": "echo", "arguments": {"n": number}, "result": {"content": [{"type": "text", "text": text}]}})


LINES = [line(number) for number in range(5)]


def refusal(path: Path) -> tuple[int, str]:
    with pytest.raises(SetupError) as refused:
        read_frozen(path, TOOLS)
    message = str(refused.value)
    found = re.match(re.escape(str(path)) + r":(\d+): ", message)
    assert found, message
    return int(found[1]), message


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    named = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    return subprocess.run(named, cwd=folder, capture_output=True, text=True, check=False)


def test_a_merge_that_git_could_not_finish(tmp_path: Path) -> None:
    path = tmp_path / "frozen.jsonl"
    git(tmp_path, "init", "-b", "main")
    for branch, text in (("main", "first"), ("other", "theirs"), ("main", "ours")):
        git(tmp_path, "checkout", *(["-b", "other"] if branch == "other" else ["main"] if text == "ours" else ["-B", "main"]))
        path.write_text("\n".join([LINES[0], line(1, text), LINES[2]]) + "\n")
        git(tmp_path, "add", "frozen.jsonl")
        git(tmp_path, "commit", "-m", text)
    assert git(tmp_path, "merge", "other").returncode == 1
    assert "<<<<<<<" in path.read_text()
    number, message = refusal(path)
    assert number == 2
    assert "merge conflict" in message


def test_a_conflict_that_lost_its_first_mark_is_still_one(tmp_path: Path) -> None:
    path = tmp_path / "frozen.jsonl"
    path.write_text("\n".join([LINES[0], "=======", LINES[1], ">>>>>>> other"]))
    assert refusal(path)[0] == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(cut=st.integers(min_value=0, max_value=sum(len(text) + 1 for text in LINES)))
def test_a_file_that_ends_anywhere(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "frozen.jsonl"
    whole = "\n".join(LINES) + "\n"
    path.write_text(whole[:cut])
    *before, last = whole[:cut].split("\n")
    if last in ("", LINES[min(len(before), 4)]):
        assert len(read_frozen(path, TOOLS)) == len(before) + (last != "")
    else:
        assert refusal(path)[0] == len(before) + 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(data=st.data())
def test_any_byte_changed_is_another_answer_or_an_error_with_its_line(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "frozen.jsonl"
    whole = bytearray(("\n".join(LINES) + "\n").encode())
    at = data.draw(st.integers(min_value=0, max_value=len(whole) - 1))
    whole[at] = data.draw(st.integers(min_value=0, max_value=255))
    path.write_bytes(whole)
    error = ""
    try:
        assert 4 <= len(read_frozen(path, TOOLS)) <= 5
    except SetupError as refused:
        error = str(refused)
    if error:
        found = re.match(re.escape(str(path)) + r":(\d+): ", error)
        # the byte may have torn a line in two, or made one call of two
        assert found is None or abs(int(found[1]) - whole[:at].count(b"\n") - 1) <= 4
        assert found is not None or b"\0" in whole or whole.startswith((b"\xff\xfe", b"\xfe\xff")), error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LINES[0] + ",", "is not JSON"),
        ("[" + LINES[0] + "]", "is a list"),
        (LINES[0].replace('"result"', '"reslut"'), "unknown key"),
        (LINES[0].replace('"echo"', '"ecko"'), "no tool"),
        (LINES[0].replace('"content"', '"contents"'), 'did "contents" mean that?'),
        (LINES[0].replace('"text", "text"', '"txt", "text"'), "content block 1"),
        (LINES[0][:-1] + ', "changes": "no"}', "not true or false"),
        (line(1, "another"), "pins another answer"),
    ],
)
def test_a_slip_of_the_hand(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "frozen.jsonl"
    path.write_text("\n".join([LINES[1], "", text]) + "\n")
    number, message = refusal(path)
    assert number == 3
    assert said in message
