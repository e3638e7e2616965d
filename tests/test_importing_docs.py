"""The commands of docs/importing.md and docs/lint.md, run in this order in a folder that has what they name."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tool_specs.importing.test_function_lists import OPENAI_CHAT
from tests.tool_specs.importing.test_har import RECORDING

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(("name", "count"), [("importing.md", 14), ("lint.md", 4)])
def test_every_command_runs(name: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    (tmp_path / "tools.openai.json").write_text(json.dumps(OPENAI_CHAT), encoding="utf-8")
    (tmp_path / "mytools.json").write_text(
        json.dumps([{"name": "a.b", "description": "A.", "inputSchema": {"type": "object"}}]), encoding="utf-8"
    )
    (tmp_path / "mytools.py").write_text("def search(query: str) -> list[str]:\n    'Search.'\n", encoding="utf-8")
    (tmp_path / "traffic.har").write_text(json.dumps(RECORDING), encoding="utf-8")
    entity = {"type": "entity", "name": "Ida", "entityType": "person", "observations": []}
    (tmp_path / "memory.jsonl").write_text(json.dumps(entity), encoding="utf-8")
    for folder in ("project", "pages"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("# A\n\nText.", encoding="utf-8")
    text = (DOCS / name).read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"<!-- run -->\n```bash\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(commands) == count
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_the_python_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    found = re.search(r"```python\n(.*?)```", (DOCS / "importing.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found

    def print_report(title: str) -> None:
        """Print it."""

    exec(compile(found[1], "docs/importing.md", "exec"), {"print_report": print_report})
    assert (tmp_path / "worlds" / "petstore" / "tools.json").is_file()
