"""What others wrote never moves the cursor of whoever looks at it."""

import os
import pty
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.cli.terminal import visible
from mcp_sim.tool_specs.world_folder import write_world

MCP_SIM = str(Path(sys.executable).with_name("mcp-sim"))
EVIL = "a\x1b]0;pwn\x07\x1b[2J\x00\u202eb"
SCHEMA = {"type": "object"}


@pytest.fixture
def world(tmp_path: Path) -> str:
    tools = [{"name": "get_it", "description": EVIL, "inputSchema": SCHEMA}]
    pinned = {"name": "get_it", "arguments": {}, "result": {"content": [{"type": "text", "text": EVIL}]}}
    write_world(tmp_path / "w", listing={"tools": tools}, settings={"title": EVIL}, frozen=[pinned])
    return str(tmp_path / "w")


def on_a_terminal(*arguments: str) -> bytes:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [MCP_SIM, *arguments], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # Linux says so when the other side has closed
            pass
        process.wait()
    os.close(ours)
    return shown


@pytest.mark.parametrize("command", [("call", "{}", "get_it"), ("tools", "{}"), ("world", "show", "{}"), ("tools", "{}", "--explain")])
def test_a_terminal_gets_no_escape_sequences_of_others(world: str, command: tuple[str, ...]) -> None:
    shown = on_a_terminal(*(part.format(world) if part == "{}" else part for part in command))
    assert b"get_it" in shown or b"pwn" in shown
    for harmful in (b"\x1b]0;", b"\x1b[2J", b"\x00", b"\x07", "\u202e".encode()):
        assert harmful not in shown


def test_a_kept_session_is_shown_without_them(world: str) -> None:
    subprocess.run([MCP_SIM, "call", world, "get_it", "--session", "evil"], check=True, capture_output=True)
    assert b"\x1b]0;" not in on_a_terminal("sessions", "show", "evil")


def test_a_pipe_gets_the_text_as_it_is(world: str) -> None:
    done = subprocess.run([MCP_SIM, "call", world, "get_it"], check=True, capture_output=True)
    assert done.stdout.decode() == EVIL + "\n"


@given(st.text())
def test_whatever_is_made_visible_has_no_control_characters(text: str) -> None:
    shown = visible(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cs") and character not in "\n\t" for character in shown)
    assert visible(shown) == shown


@pytest.mark.parametrize("value", ['{"n": 1e999}', '{"n": "\\ud800"}', '{"n": NaN}'])
def test_arguments_that_json_cannot_carry_are_refused_in_one_line(world: str, value: str) -> None:
    done = subprocess.run([MCP_SIM, "call", world, "get_it", value], capture_output=True, text=True)
    assert done.returncode == 1
    assert "JSON cannot carry" in done.stderr
    assert done.stderr.count("\n") == 1
