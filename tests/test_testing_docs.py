"""What docs/testing.md says, done in a new project."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.raw_server import RawServer

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "testing.md").read_text()
FILES = dict(re.findall(r"<!-- (\S+\.\S+) -->\n```\w+\n(.*?)```", TEXT, re.DOTALL))
COMMANDS = [line for block in re.findall(r"<!-- run -->\n```bash\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
AGENT = (
    FILES["test_subprocess.py"]
    .split('"""')[1]
    .replace('"write_file", {"path": "/projects/note.txt", "content": "from afar"}', '"search_code", {"q": "sluice"}')
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "agent.py").write_text(AGENT)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def test_the_commands_and_configs_work_in_this_order(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        done = subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert (project / "tool_specs" / "github" / "frozen.jsonl").is_file()

    monkeypatch.chdir(project)
    for name in (".mcp.json", ".vscode/mcp.json"):
        (servers,) = json.loads(FILES[name]).values()
        with RawServer([servers["github"]["command"], *servers["github"]["args"]]) as server:
            assert len(server.tools()) == 36
            server.call("list_issues", {"owner": "brinewatch", "repo": "tidegauge"})
    shown = subprocess.run(["mcp-sim", "sessions", "show", "ci", "--json"], capture_output=True, text=True, check=True)
    assert '"list_issues"' in shown.stdout


def test_an_agent_of_the_plain_sdk_in_a_frozen_world() -> None:
    command = ["mcp-sim", "run", "examples/weather", "--frozen", "--", sys.executable, "examples/frameworks/sdk_client.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "c3335845-8c5e-48d1-bf32-d596896e1c3a" in done.stdout
    assert "3 of 3 frozen answers used" in done.stderr


def test_an_agent_without_a_server_says_how_it_is_run() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "MCP_SIM_URL"}
    command = [sys.executable, "examples/frameworks/sdk_client.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith("Run: mcp-sim run examples/weather --frozen -- python examples/frameworks/sdk_client.py")
