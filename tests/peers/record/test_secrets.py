"""Planted secrets between a client and real servers: none is in any file that is kept, and what was redacted still matches."""

import os
import shlex
from pathlib import Path

import pytest

from mcp_sim.cli.main import main
from mcp_sim.tool_specs.settings_file import settings_of
from tests.peers.node import npm_server
from tests.raw_server import LEGACY, RawServer
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

DOCUMENT = Path(__file__).parents[3] / "docs" / "recording.md"
ENVIRONMENT = {
    "TRACKER_API_KEY": "plain words as a key",
    "DB_PWD": "tiger tiger",
    "AUTH_HEADER": "Bearer abcdef0123456789",
    "DATABASE_URL": "postgres://joe:burning8right@db.example.com/x?sslpassword=forests0f",
    "DEPLOY_TOKEN": "ghp_abcdefghij0123456789abcdefghij012345",
}
NEEDLES = ("plain words as", "tiger tiger", "abcdef0123456789", "burning8right", "forests0f", "abcdefghij0123456789", "4929-0000")


def kept() -> str:
    places = [Path.cwd() / "tool_specs", Path(os.environ["XDG_DATA_HOME"])]
    return "\n".join(path.read_text() for place in places for path in place.rglob("*") if path.is_file())


def test_what_a_server_tells_of_its_environment_and_what_is_said_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = f"my card is 4929-0000 and {ENVIRONMENT['DEPLOY_TOKEN']} with {ENVIRONMENT['TRACKER_API_KEY']}"
    record = [MCP_SIM, "record", "./tool_specs/it", "--redact", "card is ([0-9-]+)", "--", *npm_server("server-everything")]
    with RawServer(record, ENVIRONMENT, LEGACY) as real:
        real.tools()
        environment = real.call("get-env", {})["content"][0]["text"]
        assert all(value in environment for value in ENVIRONMENT.values())
        assert said in real.call("echo", {"message": said})["content"][0]["text"]
    files = kept()
    assert "{{redacted:" in files
    assert [needle for needle in NEEDLES if needle in files] == []
    with RawServer([MCP_SIM, "serve", "./tool_specs/it", "--frozen"], version=LEGACY) as replay:
        assert "{{redacted:" in replay.call("echo", {"message": said})["content"][0]["text"]
        assert "error" in replay.ask("tools/call", {"name": "echo", "arguments": {"message": said.replace("4929", "4930")}})
        assert replay.call("get-env", {})["content"]


def test_the_commands_of_the_document_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = DOCUMENT.read_text().split("```")[1::2]
    lines = [line.partition("  #")[0].strip() for block in blocks if block.startswith("sh\n") for line in block.splitlines()[1:]]
    lines = [line for line in lines if line.startswith("mcp-sim ")]
    assert len(lines) == 10
    package = "npx -y @modelcontextprotocol/server-filesystem"
    ran = 0
    for line in lines:
        command = shlex.split(line.replace(package, shlex.join(npm_server("server-filesystem"))).replace("mcp-sim", MCP_SIM, 1))
        group = main.get_command(main.make_context("mcp-sim", ["--verbose"], resilient_parsing=True), command[1])  # type: ignore[arg-type]
        assert group is not None
        group.make_context(command[1], command[2:])
        if package in line or "--frozen" in line:
            with RawServer(command, version=LEGACY) as server:
                server.tools()
                assert "/tmp" in server.call("list_allowed_directories", {})["content"][0]["text"]
            ran += 1
    assert ran == 2


def test_the_settings_of_the_document_are_settings() -> None:
    tomllib = pytest.importorskip("tomllib")
    for block in DOCUMENT.read_text().split("```")[1::2]:
        if block.startswith("toml\n"):
            settings_of(tomllib.loads(block.removeprefix("toml\n")), "docs/recording.md")
