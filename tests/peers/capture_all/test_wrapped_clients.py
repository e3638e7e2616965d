"""A client's config wrapped, and the MCP Inspector started on what was written: real servers swapped for simulated ones."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.peers.node import node, npm_file, npm_server
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

TOKEN = "ghp_planted0123456789abcdefghijklmnop"


def inspect(config: Path, server: str, *options: str, home: Path) -> Any:
    launcher = npm_file("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
    command = [node(22), str(launcher), "--cli", "--config", str(config), "--server", server, "--format", "json", *options]
    environment = {"PATH": str(Path(node(22)).parent), "HOME": str(home), "XDG_DATA_HOME": os.environ["XDG_DATA_HOME"]}
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout)["result"]


def test_the_inspector_works_with_a_wrapped_config(tmp_path: Path) -> None:
    filesystem, github = (npm_server(name) for name in ("server-filesystem", "server-github"))
    folder = tmp_path / "files"
    folder.mkdir()
    servers = {
        "filesystem": {"command": filesystem[0], "args": [*filesystem[1:], str(folder)]},
        "github": {"command": github[0], "args": github[1:], "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": TOKEN}},
    }
    config = tmp_path / "claude_desktop_config.json"
    config.write_text(json.dumps({"mcpServers": servers}))
    real = inspect(config, "filesystem", "--method", "tools/list", home=tmp_path)
    run = subprocess.run([MCP_SIM, "wrap", str(config), "--yes"], capture_output=True, text=True, timeout=120, check=True)
    wrapped = tmp_path / "claude_desktop_config.simulated.json"
    assert TOKEN not in run.stdout + run.stderr + wrapped.read_text()
    assert inspect(wrapped, "filesystem", "--method", "tools/list", home=tmp_path)["tools"] == real["tools"]
    # What the real server is allowed to is what the simulated one is, and the real folder stays as it was.
    arguments = json.dumps({"path": f"{folder}/a.txt", "content": "hi"})
    call = ("--method", "tools/call", "--tool-name", "write_file", "--tool-args-json", arguments)
    written = inspect(wrapped, "filesystem", *call, home=tmp_path)
    assert written["structuredContent"] == {"content": f"Successfully wrote to {folder}/a.txt"}
    assert list(folder.iterdir()) == []
    issues = ("--method", "tools/call", "--tool-name", "list_issues", "--tool-args-json", json.dumps({"owner": "a", "repo": "b"}))
    assert inspect(wrapped, "github", *issues, home=tmp_path)["content"]
