"""`mcp-sim record` as a person uses it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcp_sim.cli.main import main
from mcp_sim.tool_specs.world_folder import load_world
from tests.raw_server import RawServer
from tests.served import MCP_SIM

SERVER = """
import json, os, sys
TOOL = {"name": "read", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "mine", "version": "1"}}
    elif asked["method"] == "tools/list":
        result = {"tools": [TOOL]}
    else:
        text = json.dumps(asked.get("params", {}).get("arguments")) + os.environ.get("MY_API_TOKEN", "")
        result = {"content": [{"type": "text", "text": text}]}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "server.py").write_text(SERVER)
    return [sys.executable, str(tmp_path / "server.py")]


def kept(folder: Path) -> str:
    places = [folder, Path(os.environ["XDG_DATA_HOME"])]
    return "\n".join(path.read_text() for place in places for path in place.rglob("*") if path.is_file())


def test_a_recording_is_replayed_without_the_server(tmp_path: Path, command: list[str]) -> None:
    world = tmp_path / "world"
    with RawServer([MCP_SIM, "record", str(world), "--session", "monday", "--", *command]) as real:
        real.tools()
        answer = real.call("read", {"a": 1})
    with RawServer([MCP_SIM, "serve", str(world), "--frozen"]) as replay:
        assert replay.call("read", {"a": 1})["content"] == answer["content"]
    listed = CliRunner().invoke(main, ["sessions", "list", "--json"])
    assert [(session["name"], session["turns"]) for session in json.loads(listed.output)] == [("monday", 1)]


def test_answers_are_kept_of_a_client_that_never_asks_for_the_tools(tmp_path: Path, command: list[str]) -> None:
    world = tmp_path / "world"
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read", "arguments": {"a": 1}}}
    recorded = subprocess.run(
        [MCP_SIM, "record", str(world), "--", *command],
        input=json.dumps(call) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "another client asks the server for its lists" in recorded.stderr
    assert len(recorded.stdout.splitlines()) == 1
    assert [answer.action.arguments for answer in load_world(world).frozen] == [{"a": 1}]


def test_what_was_answered_survives_a_kill(tmp_path: Path, command: list[str]) -> None:
    world = tmp_path / "world"
    with RawServer([MCP_SIM, "record", str(world), "--", *command]) as real:
        real.tools()
        for number in range(3):
            real.call("read", {"number": number})
        deadline = time.monotonic() + 30
        while not (world / "frozen.jsonl").exists() or (world / "frozen.jsonl").read_bytes().count(b"\n") < 3:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        real.process.kill()
    assert len(load_world(world).frozen) == 3
    with RawServer([MCP_SIM, "serve", str(world), "--frozen"]) as replay:
        assert json.loads(replay.call("read", {"number": 2})["content"][0]["text"]) == {"number": 2}


def test_a_secret_of_the_environment_is_kept_nowhere_and_matches(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_TOKEN", "correct horse battery")
    world = tmp_path / "world"
    with RawServer([MCP_SIM, "record", str(world), "--redact", "acct-([0-9]+)", "--", *command]) as real:
        real.tools()
        assert "correct horse battery" in real.call("read", {"a": "correct horse battery", "b": "acct-4711"})["content"][0]["text"]
    assert "correct horse" not in kept(world)
    assert "4711" not in kept(world)
    monkeypatch.delenv("MY_API_TOKEN")
    with RawServer([MCP_SIM, "serve", str(world), "--frozen"]) as replay:
        replay.call("read", {"a": "correct horse battery", "b": "acct-4711"})
        assert "error" in replay.ask("tools/call", {"name": "read", "arguments": {"a": "correct horse battery", "b": "acct-4712"}})


def test_no_redact_warns(tmp_path: Path, command: list[str]) -> None:
    world = tmp_path / "world"
    recorded = subprocess.run(
        [MCP_SIM, "record", str(world), "--no-redact", "--", *command],
        input='{"id":1,"method":"tools/list"}\n{"id":2,"method":"tools/call","params":{"name":"read","arguments":{"password":"hunter2"}}}\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "secret" in recorded.stderr.splitlines()[0]
    assert "hunter2" in kept(world)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["w"], "Give either a command after -- or --url."),
        (["w", "--url", "http://x", "--", "cmd"], "Give either"),
        (["w", "--http", "127.0.0.1:1", "--", "cmd"], "have a meaning only with --url"),
        (["w", "--redact", "(", "--", "cmd"], "no regular expression of RE2"),
        (["w", "--redact", "x", "--no-redact", "--", "cmd"], "contradict"),
        (["memory", "--", "cmd"], "is the name of a bundled world"),
        (["a b", "--", "cmd"], "a path needs a slash"),
        (["w", "--session", "A B", "--", "cmd"], "Session name"),
    ],
)
def test_wrong_options_say_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["record", *arguments])
    assert result.exit_code == 2
    assert message in result.output


REFUSING = SERVER.replace(
    'print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)',
    """
        token = os.environ["API_TOKEN"]
        told = "no " + "x " * 60 + token + " " + token.encode().hex()
        body = {"error": {"code": -1, "message": told}} if asked["method"] == "tools/call" else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
""",
)


def test_what_a_server_refuses_with_is_kept_without_its_secret(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(REFUSING)
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "read"}},
    ]
    run = subprocess.run(
        [MCP_SIM, "record", str(tmp_path / "world"), "--", sys.executable, str(tmp_path / "server.py")],
        input="".join(json.dumps(message) + "\n" for message in asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "API_TOKEN": "SUPERSECRET-plain-words"},
    )
    kept = (tmp_path / "world" / "frozen.jsonl").read_text()
    assert '"error": {"code": -1, "message": "no x x' in kept
    for text in (run.stderr, kept):
        assert "SUPERSECRET" not in text
        assert "5355504552" not in text
