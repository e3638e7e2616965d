"""The built wheel, installed into an empty environment, serves a bundled world from another folder."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.raw_server import LEGACY, MODERN, RawServer

pytestmark = pytest.mark.peers

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    installed = subprocess.run([folder / "env" / "bin" / "pip", "install", "--quiet", wheel], capture_output=True, text=True, check=False)
    if "No matching distribution" in installed.stderr or "Connection" in installed.stderr:
        pytest.skip(f"the dependencies cannot be installed here: {installed.stderr[-300:]}")
    assert installed.returncode == 0, installed.stderr
    return folder / "env" / "bin"


@pytest.mark.parametrize("world", ["filesystem", "github", "memory", "search"])
def test_a_bundled_world_is_served_from_elsewhere(home: Path, world: str, tmp_path: Path) -> None:
    command = ["env", "-C", str(tmp_path), "-u", "PYTHONPATH", str(home / "mcp-sim"), "serve", world]
    for version in (LEGACY, MODERN):
        with RawServer(command, version=version) as server:
            assert server.tools()


def test_it_has_its_prompts_and_a_demo(home: Path, tmp_path: Path) -> None:
    script = "from mcp_sim.tool_specs.bundled import bundled_folder; print(*sorted(p.name for p in bundled_folder('prompts').iterdir()))"
    shown = subprocess.run([home / "python", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == "android mcp os search swe terminal web".split()
    demo = subprocess.run([home / "mcp-sim", "demo"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert demo.returncode == 0, demo.stderr
    assert "create_issue" in demo.stdout


def test_it_carries_its_types_and_its_licence(home: Path) -> None:
    (package,) = home.parent.glob("lib/python*/site-packages/mcp_sim")
    assert (package / "py.typed").is_file()
    (licence,) = home.parent.glob("lib/python*/site-packages/mcp_sim-*.dist-info/licenses/LICENSE")
    assert "Apache License" in licence.read_text()
