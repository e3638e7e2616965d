"""The examples run as they stand, and the README shows them as they are."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("file", "path"), re.findall(r"<!-- (examples/\S+) -->\n```\w+\n(.*?)```", README, re.DOTALL))
def test_the_readme_shows_the_file(file: str, path: str) -> None:
    assert (ROOT / file).read_text() == path


def test_stdio() -> None:
    assert "Readings stop at midnight" in run(sys.executable, "examples/python_stdio.py")


def test_http_keeps_agents_apart_over_new_connections() -> None:
    alice, bob = run(sys.executable, "examples/python_http.py").splitlines()
    assert alice == "alice: Alice was here."
    assert "ENOENT" in bob


def test_the_hand_written_world() -> None:
    call = ("mcp-sim", "call", "examples/weather", "get_forecast")
    assert run(*call, '{"city": "Port Merrow", "days": 1}') == "Storm, 9 degrees.\n"
    other = json.loads(run(*call, '{"city": "Lima"}', "--json"))
    assert other["structuredContent"]["city"] == "Lima"


@pytest.mark.parametrize("client", ["claude-desktop", "claude-code", "vscode", "cursor"])
def test_client_configs_are_what_the_command_prints(client: str) -> None:
    printed = json.loads(run("mcp-sim", "config", "github", "--client", client))
    shown = json.loads((ROOT / "examples" / "client-configs" / f"{client}.json").read_text())
    (servers,) = printed.values()
    assert Path(servers["github"]["command"]).is_absolute()
    servers["github"]["command"] = "/path/to/mcp-sim"
    assert printed == shown


def test_the_demo_works_in_the_bundled_world() -> None:
    assert "Readings stop at midnight UTC" in run("mcp-sim", "demo")
