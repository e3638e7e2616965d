"""`mcp-sim wrap` on the files of six clients: a real session through what it writes, and no secret anywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.tool_specs.jsonc import read_jsonc
from tests.answering import Answer, Request, answering
from tests.raw_server import RawServer
from tests.served import MCP_SIM

LEAKY = str(Path(__file__).with_name("leaky_server.py"))
PLANTED = {
    "env": "plant-env-8c1f2e7d55",
    "odd env": "hunter2hunter2",
    "argument": "plant-arg-1b7e9f0a22",
    "joined": "plant-joined-77aa1c9e0b",
    "url": "plant-url-5d2c8b1e93",
    "url password": "plant-pw-4e9a7c2b16",
    "comment": "plant-env-8c1f2e7d55",
}
ARGS = [LEAKY, "--api-key", PLANTED["argument"], f"--token={PLANTED['joined']}", "postgres://me:" + PLANTED["url password"] + "@db/x"]
ENV = {"LEAK_TOKEN": PLANTED["env"], "LEAK_ACME": PLANTED["odd env"], "LOG_LEVEL": "debug"}
STDIO = {"command": sys.executable, "args": ARGS, "env": ENV}
DEAD = {"command": "no-such-command-here", "args": ["x"], "env": {"LEAK_B": "left-as-it-was-1"}}


def text_of(value: Any) -> str:
    return json.dumps(value, indent=2)


VSCODE = """{
\t// asks for a key: COMMENT
\t"inputs": [{"type": "promptString", "id": "key", "password": true},],
\t"servers": {
\t\t/* ours */
\t\t"leaky": ENTRY,
\t},
}
"""
ZED = """{
  // Zed
  "theme": "One Dark",
  "context_servers": {
    "leaky": ENTRY,
  },
}
"""
PROJECTS = {"/home/me/p.q": {"allowedTools": [], "mcpServers": {"leaky": STDIO}}}
IN_VSCODE = {"type": "stdio", **STDIO, "env": {**ENV, "LEAK_IN": "${input:key}"}}
IN_CURSOR = {**STDIO, "env": {**ENV, "LEAK_TOKEN": "${env:PLANTED_IN_SHELL}"}}
IN_WINDSURF = {**STDIO, "disabled": False, "alwaysAllow": ["look"]}
CONFIGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude_desktop_config.json": (text_of({"scale": 2, "mcpServers": {"leaky": STDIO, "Dead One": DEAD}}), ("mcpServers",)),
    ".mcp.json": (text_of({"mcpServers": {"leaky": {"type": "stdio", **STDIO}}}), ("mcpServers",)),
    ".claude.json": (text_of({"mcpServers": {}, "projects": PROJECTS}), ("projects", "/home/me/p.q", "mcpServers")),
    ".vscode/mcp.json": (VSCODE.replace("COMMENT", PLANTED["comment"]).replace("ENTRY", json.dumps(IN_VSCODE)), ("servers",)),
    ".cursor/mcp.json": (text_of({"mcpServers": {"leaky": IN_CURSOR}}), ("mcpServers",)),
    "mcp_config.json": (text_of({"mcpServers": {"leaky": IN_WINDSURF}}), ("mcpServers",)),
    "zed/settings.json": (ZED.replace("ENTRY", json.dumps({"source": "custom", **STDIO})), ("context_servers",)),
}


def wrap(config: Path, *options: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PLANTED_IN_SHELL": PLANTED["env"]}
    command = [MCP_SIM, "wrap", str(config), *options]
    return subprocess.run(command, capture_output=True, text=True, input=answer, timeout=120, check=False, env=environment)


def write_config(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CONFIGS[name][0])
    return path


def find_planted(text: str) -> list[str]:
    return [where for where, secret in PLANTED.items() if secret in text]


def texts_under(*folders: Path) -> str:
    return "\n".join(file.read_text() for folder in folders for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("name", CONFIGS)
def test_a_session_through_the_wrapped_config(name: str, tmp_path: Path) -> None:
    path = write_config(tmp_path, name)
    before = path.read_text()
    run = wrap(path, "--yes")
    assert run.returncode == (1 if "Dead One" in before else 0), run.stderr
    assert path.read_text() == before
    out = path.with_name(f"{path.stem}.simulated.json")
    written = read_jsonc(out.read_text(), out)
    servers = written
    for key in CONFIGS[name][1]:
        servers = servers[key]
    entry = servers["leaky"]
    with RawServer([entry["command"], *entry["args"]], version="2025-06-18") as ours:
        assert [tool["name"] for tool in ours.tools()] == ["look"]
        assert "content" in ours.call("look", {"where": "here"})
        assert ours.result("resources/list")["resources"][0]["uri"] == "leak://one"
        assert ours.greeting["serverInfo"] == {"name": "leaky", "version": "1"}
    path.unlink()
    kept = Path(os.environ["XDG_DATA_HOME"])
    assert find_planted(run.stdout + run.stderr + texts_under(tmp_path, kept)) == []
    assert "REDACTED" in texts_under(kept)


def test_what_is_not_a_server_stays_byte_for_byte(tmp_path: Path) -> None:
    path = write_config(tmp_path, ".vscode/mcp.json")
    assert wrap(path, "--yes").returncode == 0
    out = path.with_name("mcp.simulated.json").read_text()
    assert out.startswith('{\n\t// asks for a key: REDACTED\n\t"inputs": [{')
    assert '\n\t\t/* ours */\n\t\t"leaky": {\n' in out
    assert out.endswith("},\n\t},\n}\n")


def test_a_server_that_cannot_be_started_stays_and_is_named(tmp_path: Path) -> None:
    path = write_config(tmp_path, "claude_desktop_config.json")
    run = wrap(path, "--yes")
    assert run.returncode == 1
    assert "Dead One is left as it was" in run.stdout
    written = json.loads((tmp_path / "claude_desktop_config.simulated.json").read_text())
    assert written["mcpServers"]["Dead One"] == DEAD
    assert list(written["mcpServers"]) == ["leaky", "Dead One"]
    assert "left-as-it-was-1" not in run.stdout + run.stderr


def test_what_a_failing_server_says_is_masked(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(text_of({"mcpServers": {"leaky": {**STDIO, "args": [*ARGS, "--die"]}}}))
    run = wrap(path, "--yes")
    assert run.returncode == 2
    assert "it ended before it answered initialize." in run.stdout
    assert "It said: hello, " in run.stdout
    assert find_planted(run.stdout + run.stderr) == []


def test_a_server_at_a_url(tmp_path: Path) -> None:
    with answering(leak) as url:
        secret_url = url.replace("http://", f"http://me:{PLANTED['url password']}@") + f"?api_key={PLANTED['url']}"
        entry = {"type": "http", "url": secret_url, "headers": {"Authorization": f"Bearer {PLANTED['env']}", "X-Org": PLANTED["odd env"]}}
        path = tmp_path / ".mcp.json"
        path.write_text(text_of({"mcpServers": {"far": entry}}))
        run = wrap(path, "--yes")
        assert run.returncode == 0, run.stdout + run.stderr
    path.unlink()
    kept = texts_under(tmp_path, Path(os.environ["XDG_DATA_HOME"]))
    assert find_planted(run.stdout + run.stderr + kept) == []
    assert '"description": "Basic REDACTED REDACTED /mcp?api_key=REDACTED"' in kept


def leak(request: Request) -> Answer:
    if "id" not in request.message:
        return Answer(202)
    said = f"{request.headers.get('authorization')} {request.headers.get('x-org')} {request.path}".replace("Bearer ", "")
    results: dict[str, Any] = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "far", "version": "1"}},
        "tools/list": {"tools": [{"name": "look", "description": said, "inputSchema": {"type": "object"}}]},
    }
    return Answer.result(request, results[request.message["method"]])


def test_an_env_file_and_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"# ours\nexport LEAK_FILE='{PLANTED['env']}'\n")
    (tmp_path / "sub").mkdir()
    program = "import os, runpy, sys; sys.argv[1:] = [os.getcwd()]; runpy.run_path(" + repr(LEAKY) + ")"
    entry = {"command": sys.executable, "args": ["-c", program], "envFile": "${workspaceFolder}/.env", "cwd": "${workspaceFolder}/sub"}
    path = tmp_path / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text(text_of({"servers": {"leaky": entry}}))
    run = wrap(path, "--yes")
    assert run.returncode == 0, run.stdout + run.stderr
    kept = texts_under(Path(os.environ["XDG_DATA_HOME"]))
    assert find_planted(run.stdout + kept) == []
    assert f'"instructions": "I was started with {tmp_path}/sub LEAK_FILE=REDACTED"' in kept


def test_in_place_and_back(tmp_path: Path) -> None:
    path = write_config(tmp_path, "mcp_config.json")
    before = path.read_bytes()
    run = wrap(path, "--yes", "--in-place")
    assert run.returncode == 0, run.stderr
    assert find_planted(path.read_text() + run.stdout + run.stderr) == []
    assert json.loads(path.read_text())["mcpServers"]["leaky"]["alwaysAllow"] == ["look"]
    [backup] = tmp_path.glob("*.bak")
    assert backup.read_bytes() == before
    restored = wrap(path, "--restore", "--yes")
    assert restored.returncode == 0, restored.stderr
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.bak"))
    assert find_planted(restored.stdout + restored.stderr) == []
    again = wrap(path, "--restore", "--yes")
    assert again.returncode == 2
    assert "there is no backup" in again.stderr


def test_nothing_is_started_before_a_person_agrees(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    program = f"import pathlib; pathlib.Path({str(mark)!r}).touch()"
    path = tmp_path / ".mcp.json"
    path.write_text(text_of({"mcpServers": {"one": {"command": sys.executable, "args": ["-c", program]}}}))
    run = wrap(path, answer="n\n")
    assert run.returncode == 1
    assert sys.executable in run.stdout
    assert not mark.exists()
    assert not list(tmp_path.glob("*.simulated.json"))


def test_only_some(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(text_of({"mcpServers": {"one": STDIO, "two": STDIO}}))
    assert wrap(path, "--yes", "--only", "two").returncode == 0
    written = json.loads((tmp_path / ".mcp.simulated.json").read_text())["mcpServers"]
    assert written["one"] == STDIO
    assert written["two"]["args"] == ["serve", f"{os.environ['XDG_DATA_HOME']}/mcp-sim/worlds/my-two"]
    again = wrap(path, "--yes")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    wrong = wrap(path, "--yes", "--only", "tow", "--out", str(tmp_path / "other.json"))
    assert wrong.returncode == 2
    assert "there is no server 'tow'. Did you mean two?" in wrong.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON"),
        ("[]", "is a list, not a client's configuration"),
        ('{"theme": "dark"}', "holds no servers"),
        ('{"mcpServers": {"a": 1}}', "holds no servers"),
        ('{"mcpServers": {"a": {}}}', "None of the servers could be captured"),
        ("\x00\x01", "is a binary file"),
    ],
)
def test_a_config_that_is_none(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(text)
    run = wrap(path, "--yes")
    assert run.returncode == 2
    assert reason in run.stderr
    assert "Traceback" not in run.stderr


def test_what_is_simulated_already_is_passed_over_and_the_real_servers_come_back(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    before = text_of({"mcpServers": {"leaky": STDIO}})
    path.write_text(before)
    assert wrap(path, "--yes", "--in-place").returncode == 0
    wrapped = path.read_text()
    again = wrap(path, "--yes", "--in-place")
    assert (again.returncode, path.read_text()) == (0, wrapped)
    assert "leaky is simulated already" in again.stdout
    assert len(list(tmp_path.glob("*.bak"))) == 1

    servers = {**json.loads(wrapped)["mcpServers"], "Far": {"command": "C:\\Tools\\mcp-sim.EXE", "args": ["serve", "x"]}, "two": STDIO}
    path.write_text(text_of({"mcpServers": servers}))
    path.with_name(".mcp.json.99999999-000000.bak").write_text(path.read_text())
    mixed = wrap(path, "--yes")
    assert mixed.returncode == 0, mixed.stderr
    assert "3 of 3 servers are simulated" in mixed.stdout
    restored = wrap(path, "--restore", "--yes")
    assert "is the oldest backup with the fewest simulated servers (0), of 2 backups." in restored.stdout
    assert path.read_text() == before


def test_one_server_is_one_world_however_often_it_is_wrapped(tmp_path: Path) -> None:
    path = tmp_path / ".claude.json"
    projects = {name: {"mcpServers": {"leaky": STDIO}} for name in ("/a", "/b")}
    path.write_text(text_of({"mcpServers": {"leaky": STDIO}, "projects": projects}))
    assert wrap(path, "--yes").returncode == 0
    assert [world.name for world in (Path(os.environ["XDG_DATA_HOME"]) / "mcp-sim" / "worlds").iterdir()] == ["my-leaky"]
