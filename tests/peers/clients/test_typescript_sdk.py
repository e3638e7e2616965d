"""The TypeScript SDK's client from npm, over stdio and HTTP."""

import json
import subprocess
from contextlib import nullcontext
from typing import Any

import pytest

from tests.peers.clients.scenarios import HERE, SCENARIOS, text_of, tool_names
from tests.peers.node import node, npm_file
from tests.served import MCP_SIM, served

pytestmark = pytest.mark.peers


@pytest.mark.parametrize("way", ["stdio", "http"])
@pytest.mark.parametrize("world", SCENARIOS)
def test_a_bundled_world(world: str, way: str) -> None:
    sdk = npm_file("@modelcontextprotocol", "sdk", "package.json").parent
    calls = [{"name": step.tool, "arguments": step.arguments} for step in SCENARIOS[world]]
    with nullcontext() if way == "stdio" else served(world) as url:
        told: dict[str, Any] = {"calls": calls, **({"url": url} if url else {"command": [MCP_SIM, "serve", world]})}
        command = [node(), str(HERE / "call.mjs"), str(sdk), json.dumps(told)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    saw = json.loads(run.stdout)
    assert saw["tools"] == tool_names(world)
    for step, result in zip(SCENARIOS[world], saw["results"], strict=True):
        assert "isError" not in result or result["isError"] is False
        assert step.holds in text_of(result), step.tool
