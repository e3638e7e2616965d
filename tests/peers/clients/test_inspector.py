"""The MCP Inspector's command line from npm, over stdio and HTTP."""

import json
import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.peers.clients.scenarios import SCENARIOS, text_of, tool_names
from tests.peers.node import node, npm_file
from tests.served import MCP_SIM, served

pytestmark = pytest.mark.peers


def inspect(target: list[str], *options: str, home: Path) -> Any:
    launcher = npm_file("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
    command = [node(22), str(launcher), "--cli", *target, "--format", "json", *options]
    # Its own settings file would otherwise be written to the home folder of whoever runs the tests.
    environment = {"PATH": str(Path(node(22)).parent), "HOME": str(home), "XDG_DATA_HOME": str(home)}
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout)["result"]


@pytest.mark.parametrize("way", ["stdio", "http"])
@pytest.mark.parametrize("world", SCENARIOS)
def test_a_bundled_world(world: str, way: str, tmp_path: Path) -> None:
    step = SCENARIOS[world][0]
    call = ("--method", "tools/call", "--tool-name", step.tool, "--tool-args-json", json.dumps(step.arguments))
    with nullcontext() if way == "stdio" else served(world) as url:
        target = [url] if url else [MCP_SIM, "serve", world]
        listed = inspect(target, "--method", "tools/list", home=tmp_path)
        called = inspect(target, *call, home=tmp_path)
    assert [tool["name"] for tool in listed["tools"]] == tool_names(world)
    assert step.holds in text_of(called)
