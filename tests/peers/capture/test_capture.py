"""`mcp-sim capture` of real servers from npm: what is then served is what they serve, on the wire."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.peers.node import npm_server
from tests.raw_server import LEGACY, MODERN, RawServer
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

SERVERS = {
    "filesystem": ["server-filesystem", "{folder}"],
    "memory": ["server-memory"],
    "thinking": ["server-sequential-thinking"],
    "everything": ["server-everything"],
}


def capture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MCP_SIM, "capture", *arguments], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", SERVERS)
def test_a_captured_server_is_served_as_it_was(name: str, tmp_path: Path) -> None:
    package, *options = SERVERS[name]
    command = [*npm_server(package), *(option.format(folder=tmp_path) for option in options)]
    captured = capture(f"my-{name}", "--", *command)
    assert captured.returncode == 0, captured.stderr
    with RawServer(command, version=LEGACY) as real:
        expected, greeting = real.tools(), real.greeting
    for tool in expected:  # tasks are not served, and `mcp-sim tools` says so
        if tool.get("execution", {}).get("taskSupport", "forbidden") != "forbidden":
            del tool["execution"]
    for version in (LEGACY, MODERN):
        with RawServer([MCP_SIM, "serve", f"my-{name}"], version=version) as ours:
            assert json.dumps(ours.tools()) == json.dumps(expected)
            own_info = ours.greeting.get("serverInfo") or ours.greeting["_meta"]["io.modelcontextprotocol/serverInfo"]
            assert own_info == greeting["serverInfo"]
            assert ours.greeting.get("instructions") == greeting.get("instructions")
