"""Odd outputs, odd files and odd arguments: one line that helps, and never a traceback or a hang."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.served import MCP_SIM

CRUD = [
    {"name": "create_note", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
    {"name": "list_notes", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "get_note", "inputSchema": {"type": "object", "properties": {"note_id": {"type": "string"}}, "required": ["note_id"]}},
    {"name": "ponder", "inputSchema": {"type": "object", "properties": {}}, "execution": {"taskSupport": "required"}},
]
SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}}
        if asked["method"] == "tools/list":
            result = {"tools": TOOLS}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MCP_SIM, *arguments], capture_output=True, text=True, check=False, timeout=60, cwd=cwd)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("tools", "memory"),
        ("call", "memory", "read_graph"),
        ("call", "memory", "read_graph", "--json"),
        ("world", "list"),
        ("--help",),
        ("sessions", "list"),
    ],
)
def test_a_full_disk_behind_the_output_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([MCP_SIM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "(computed" not in line] == [
        "mcp-sim: the output cannot be written: No space left on device. Free space, or send it elsewhere."
    ]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_holds_no_session(kind: str) -> None:
    folder = Path(os.environ["XDG_DATA_HOME"]) / "mcp-sim" / "sessions" / "memory"
    folder.mkdir(parents=True)
    path = folder / "odd.jsonl"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    for arguments in (("call", "memory", "read_graph", "--session", "odd"), ("serve", "memory", "--session", "odd")):
        done = run(*arguments)
        assert done.returncode == 1
        assert done.stderr.startswith(f"mcp-sim: {path}: is no regular file")
        assert len(done.stderr.splitlines()) == 1
    assert "is no regular file" in run("sessions", "show", "odd").stderr
    assert "is no regular file" in run("sessions", "list").stderr
    assert "no kept session 'other'" in run("sessions", "show", "other").stderr


@pytest.mark.parametrize(("typed", "meant"), [("srve", "serve"), ("tool", "tools"), ("docter", "doctor")])
def test_a_command_that_is_nearly_one_is_suggested(typed: str, meant: str) -> None:
    done = run(typed)
    assert done.returncode == 2
    assert f"Did you mean {meant}?" in done.stderr


def test_a_number_that_nobody_can_read_is_the_callers_to_shorten() -> None:
    done = run("call", "memory", "search_nodes", '{"query": ' + "9" * 5000 + "}")
    assert done.returncode == 2
    assert "a number of more digits than can be read" in done.stderr
    assert "sys." not in done.stderr


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('[frozen]\npatterns = ["(("]\n', "frozen.patterns: '((' is no regular expression of RE2: missing ): ((."),
        (
            '[frozen.redaction]\nkey = "k"\npatterns = ["a{9999}"]\n',
            "frozen.redaction.patterns: 'a{9999}' is no regular expression of RE2: invalid repetition size: {9999}.",
        ),
        ("[behaviours.memry]\n", "there is no behaviour 'memry'."),
    ],
)
@pytest.mark.parametrize("command", ["tools", "call", "doctor", "serve"])
def test_a_wrong_setting_is_told_with_its_file(settings: str, says: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps(CRUD[:3]))
    (tmp_path / "world.toml").write_text(settings)
    done = run(command, str(tmp_path), *(["list_notes"] if command == "call" else []))
    assert done.returncode == 2
    assert done.stderr.startswith(f"mcp-sim: {tmp_path / 'world.toml'}: {says}")
    assert len(done.stderr.splitlines()) == 1


def test_capture_says_how_much_is_understood_and_what_was_mended_and_calls_do_not_repeat_it(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(SERVER.replace("TOOLS", repr(CRUD)))
    told = run("capture", "notes", "--", sys.executable, str(program))
    assert told.returncode == 0, told.stderr
    assert "1 tool had to be mended for clients; `mcp-sim tools notes` says why." in told.stdout
    assert "3 of 4 tools are understood" in told.stdout
    assert "by example: ponder. What helps them: real answers (mcp-sim record notes -- ...), a language model (--model URL)" in told.stdout
    called = run("call", "notes", "list_notes")
    assert called.returncode == 0
    assert "mended" not in called.stderr
    program.write_text(SERVER.replace("TOOLS", repr(CRUD[:3])))
    assert "All of its tools are understood" in run("capture", "notes", "--replace", "--", sys.executable, str(program)).stdout


def test_a_usage_error_is_not_taken_for_missing_credentials(tmp_path: Path) -> None:
    program = "import sys; sys.exit('error: unknown option ' + sys.argv[1])"
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"a": {"command": sys.executable, "args": ["-c", program, "--key=sk-ARGSECRET999"]}}}))
    done = run("wrap", str(config), "--yes")
    assert done.returncode == 2
    assert "ARGSECRET999" not in done.stdout + done.stderr
    assert "It does not know an option that it was given" in done.stdout
    assert "credentials" not in done.stdout
