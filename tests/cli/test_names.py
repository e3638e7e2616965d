"""One name means one world at every door."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.served import MCP_SIM

TOOLS = [{"name": "get_me", "inputSchema": {"type": "object"}}, {"name": "dance", "inputSchema": {"type": "object"}}]
TEST = """
async def test_it(mcp_sim):
    async with mcp_sim("github", mode="live") as world:
        print("names", sorted(tool.name for tool in (await world.client.list_tools()).tools))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tool_specs" / "github"
    folder.mkdir(parents=True)
    (folder / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    (tmp_path / "test_it.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "300")
    return tmp_path


def run(*arguments: str, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MCP_SIM, *arguments], capture_output=True, text=True, check=True, timeout=60, cwd=cwd, **options)


def test_a_projects_world_is_meant_by_commands_and_tests_alike(project: Path) -> None:
    shown = run("tools", "github", "--json", cwd=project)
    assert [tool["definition"]["name"] for tool in json.loads(shown.stdout)["tools"]] == ["get_me", "dance"]
    called = run("call", "github", "dance", cwd=project)
    assert "the bundled world has the name github too" in called.stderr
    tested = subprocess.run([sys.executable, "-m", "pytest", "-s", "-q"], capture_output=True, text=True, check=True, cwd=project)
    assert "names ['dance', 'get_me']" in tested.stdout


def test_the_list_of_worlds_says_which_is_meant(project: Path) -> None:
    listed = [world for world in json.loads(run("world", "list", "--json", cwd=project).stdout) if world["name"] == "github"]
    assert [(world["from"], world["by_name"]) for world in listed] == [("project", True), ("bundled", False)]
    assert f"bundled, by its path: {listed[1]['folder']}" in run("world", "list", cwd=project).stdout
    other = run("tools", listed[1]["folder"], "--json", cwd=project)
    assert len(json.loads(other.stdout)["tools"]) > 30


def test_a_session_stays_with_the_world_that_it_was_begun_in(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run("call", "github", "get_me", "--session", "friday", cwd=elsewhere)
    assert "get_me" in run("sessions", "show", "friday", cwd=project).stdout
    run("sessions", "fork", "friday", "saturday", cwd=project)
    run("call", "github", "get_me", "--session", "saturday", cwd=elsewhere)
