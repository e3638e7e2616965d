"""`mcp-sim capture` of servers that are none: one clear message, exit code 2, and nothing left running."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.served import MCP_SIM

WRITE_PID = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid()));"
READ_ID = "import json; id = json.loads(sys.stdin.readline())['id'];"
BAD = {
    "exits": (
        "sys.stderr.write('no token in MY_TOKEN'); sys.exit(3)",
        "it ended before it answered initialize. It seems to need credentials even to list what it offers: give them in its environment "
        "(they are not kept). It said: no token",
    ),
    "prints garbage": ("print('Welcome!', flush=True); time.sleep(600)", "its standard output held 'Welcome!', which is no message"),
    "never answers": ("time.sleep(600)", "it did not answer within 2 seconds"),
    "never stops talking": ("\nwhile True: print('noise' * 20_000)", "'noisenoise"),
    "sends a line without end": ("\nwhile True: sys.stdout.write('x' * 100_000)", "it sent more than 64 MB without a line's end"),
    "ignores its end": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
        "it did not answer within 2 seconds",
    ),
    "refuses": (
        READ_ID
        + "print(json.dumps({'jsonrpc': '2.0', 'id': id, 'error': {'code': -1, 'message': 'log in first'}}), flush=True); time.sleep(9)",
        "it refused initialize: log in first",
    ),
    "answers something else": (
        READ_ID + "print(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': []}), flush=True); time.sleep(600)",
        "which is no message",
    ),
}


def capture(name: str, *command: str, timeout_seconds: int = 2) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [MCP_SIM, "capture", name, "--timeout", str(timeout_seconds), "--", *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kind", BAD)
def test_a_server_that_is_none(kind: str, tmp_path: Path) -> None:
    program, reason = BAD[kind]
    pid_file = tmp_path / "pid"
    patience = 60 if "without end" in kind else 2
    run = capture("mine", sys.executable, "-c", WRITE_PID + program, str(pid_file), timeout_seconds=patience)
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("mcp-sim: "), run.stderr
    assert reason in run.stderr
    assert "Traceback" not in run.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
    assert "mine" not in subprocess.run([MCP_SIM, "world", "list"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("command", ["no-such-command-here", "/etc/hostname"])
def test_a_command_that_cannot_be_started(command: str) -> None:
    run = capture("mine", command)
    assert run.returncode == 2
    assert run.stderr.startswith(f"mcp-sim: {command}: it cannot be started")
    assert len(run.stderr.splitlines()) == 1


def test_a_server_of_which_nothing_can_be_served_leaves_nothing() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        f"    result = {hello!r} if message['method'] == 'initialize' else {{'tools': [{{'description': 'no name'}}]}}\n"
        "    if 'id' in message: print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)\n"
    )
    for _ in range(2):
        run = capture("nameless", sys.executable, "-c", program, timeout_seconds=30)
        assert run.returncode == 2
        assert "none of its 1 tools can be served" in run.stderr


def test_what_a_server_says_again_and_again_is_told_once_in_whole_words_and_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_TOKEN", "plain-words-of-mine")
    program = (
        "import os, sys\n"
        "for _ in range(2_000): print('cannot connect', file=sys.stderr)\n"
        "for number in range(100): print(f'word{number}', os.environ['MY_API_TOKEN'], file=sys.stderr)\n"
        "for _ in range(3): print('gave up', file=sys.stderr)\n"
    )
    run = capture("mine", sys.executable, "-c", program)
    said = run.stderr.partition("It said: ")[2]
    assert "plain-words" not in said
    assert said.startswith("... ")
    assert said.strip().endswith("word99 REDACTED\ngave up (3 times)")
    assert set(said.split()) <= {"...", "REDACTED", "gave", "up", "(3", "times)", *(f"word{number}" for number in range(100))}
