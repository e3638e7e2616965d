"""Agents of four frameworks, really installed, each in an environment of its own, against a frozen world."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.peers.pip_server import pip_server
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

ROOT = Path(__file__).parents[3]
FRAMEWORKS = {
    "langchain_adapters": ("langchain>=1.5,<2", "langchain-mcp-adapters>=0.3,<1"),
    "openai_agents": ("openai-agents>=0.24,<1",),
    "pydantic_ai_agent": ("pydantic-ai-slim[mcp]>=2.68,<3",),
    "google_adk": ("google-adk[mcp]>=2.13,<3",),
}
# Whatever looks for another machine finds a proxy that is not there.
NOWHERE = "http://127.0.0.1:9"
OFFLINE = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "ALL_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost"}


@pytest.mark.parametrize("name", list(FRAMEWORKS))
def test_an_agent_works_offline_in_a_frozen_world(name: str, pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, f"framework-{name}", *FRAMEWORKS[name])
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")} | OFFLINE
    command = [MCP_SIM, "run", "examples/weather", "--frozen", "--", python, f"examples/frameworks/{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment, timeout=180)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Done: .*c3335845-8c5e-48d1-bf32-d596896e1c3a", done.stdout, re.DOTALL)
    assert "3 of 3 frozen answers used" in done.stderr


@pytest.mark.parametrize("name", list(FRAMEWORKS))
def test_what_nothing_is_frozen_for_is_told_at_the_end_of_the_run(name: str, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    python = pip_server(pytestconfig, f"framework-{name}", *FRAMEWORKS[name])
    world = tmp_path / "weather"
    world.mkdir()
    for file in ("tools.json", "world.toml"):
        (world / file).write_bytes((ROOT / "examples" / "weather" / file).read_bytes())
    lines = (ROOT / "examples" / "weather" / "frozen.jsonl").read_text().splitlines()
    (world / "frozen.jsonl").write_text("\n".join(line for line in lines if '"create_alert"' not in line))
    command = [MCP_SIM, "run", str(world), "--frozen", "--", python, f"examples/frameworks/{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | OFFLINE, timeout=180)
    assert 'Nothing is frozen for create_alert {"city": "Port Merrow", "when": "storm"}' in done.stderr
    assert "c3335845-8c5e-48d1-bf32-d596896e1c3a" not in done.stdout  # a later read is not answered from the recording


@pytest.mark.parametrize("name", list(FRAMEWORKS))
def test_without_a_server_the_agent_says_in_a_line_how_it_is_run(name: str, pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, f"framework-{name}", *FRAMEWORKS[name])
    environment = {key: value for key, value in os.environ.items() if key != "MCP_SIM_URL"} | OFFLINE
    command = [python, f"examples/frameworks/{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment, timeout=180)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith(f"examples/frameworks/{name}.py")
