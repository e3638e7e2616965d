"""import, lint and world as a person meets them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.served import MCP_SIM
from tests.tool_specs.importing.documents import CRUD, STYLES


def run(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [MCP_SIM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **options)


@pytest.fixture
def petstore(tmp_path: Path) -> Path:
    path = tmp_path / "Pet Store.json"
    path.write_text(json.dumps(CRUD), encoding="utf-8")
    return path


def test_import_serve_and_import_again(petstore: Path) -> None:
    done = run("import", petstore)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"5 tools of {petstore} (openapi) are now the world 'pet-store'")
    assert run("call", "pet-store", "createPet", '{"name": "Rex"}').stdout.count("Rex") == 1
    again = run("import", petstore)
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists already" in again.stderr
    assert run("import", petstore, "--replace").returncode == 0
    assert run("import", petstore, "--name", "other").returncode == 0
    assert {"pet-store", "other"} <= {world["name"] for world in json.loads(run("world", "list", "--json").stdout)}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.yaml"], "there is no such file"),
        (["nothing.at.all:f"], "there is no module 'nothing'"),
        (["{petstore}", "--as", "har"], "no HAR recording"),
        (["{petstore}", "--name", "Pet Store"], "cannot name a world"),
        (["{petstore}", "--name", "github"], "is the name of a bundled world"),
    ],
)
def test_a_failed_import_is_one_line_and_writes_nothing(petstore: Path, arguments: list[str], said: str) -> None:
    done = run("import", *(str(petstore) if part == "{petstore}" else part for part in arguments))
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "yours" not in run("world", "list").stdout


def test_python_functions_of_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "mytools.py").write_text("print('loud')\n\ndef add(a: int, b: int) -> int:\n    'Add.'\n", encoding="utf-8")
    done = run("import", "mytools:add", "--name", "sums", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 tool of mytools:add (python) is now the world 'sums'" in done.stdout


def test_lint_says_what_is_lost_and_mends_it(tmp_path: Path) -> None:
    bad = {
        "tools": [{"name": "find it", "description": "Find.", "inputSchema": {"type": "object", "properties": {"a": {"type": "array"}}}}]
    }
    (tmp_path / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    done = run("lint", tmp_path / "bad.json", "--client", "claude")
    assert done.returncode == 1
    assert "find it/name: 'find it'" in done.stdout
    assert "array" not in done.stdout
    found = json.loads(run("lint", tmp_path / "bad.json", "--json").stdout)["findings"]
    assert {client for finding in found if finding["loses"] for client in finding["clients"]} == {"claude", "openai", "gemini", "vscode"}
    fixed = run("lint", tmp_path / "bad.json", "--fix", "--out", tmp_path / "good")
    assert fixed.returncode == 0, fixed.stdout
    assert "mended  find it: is now called find_it." in fixed.stdout
    assert run("lint", tmp_path / "good").stdout == "good: nothing found.\n"
    assert json.loads((tmp_path / "bad.json").read_text(encoding="utf-8")) == bad
    for arguments in (["--fix"], ["--out", str(tmp_path / "x")]):
        assert run("lint", tmp_path / "bad.json", *arguments).returncode == 2
    assert "exists already" in run("lint", tmp_path / "bad.json", "--fix", "--out", tmp_path / "good").stderr


def test_lint_of_a_bundled_world_mended_into_a_world(tmp_path: Path) -> None:
    assert run("lint", "github", "--fix", "--out", tmp_path / "github").returncode == 0
    kept = {path.name for path in (tmp_path / "github").iterdir()}
    assert {"tools.json", "world.toml", "state.json", "background.md"} <= kept


def test_a_new_world_is_made_filled_and_shown(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("hello", encoding="utf-8")
    assert run("world", "new", "mine", "--like", "filesystem").returncode == 0
    filled = run("world", "import", "mine", tmp_path / "files", "--as-directory", "/project")
    assert filled.stdout.splitlines()[1] == "  filesystem: 1 files under /project"
    assert run("call", "mine", "read_text_file", '{"path": "/project/a.txt"}').stdout == "hello\n"
    shown = json.loads(run("world", "show", "mine", "--json").stdout)
    assert shown["behaviours"] == ["filesystem"]
    assert shown["first state"] == {"filesystem": "1 files under /project"}
    assert "filesystem: 1 files under /project" in run("world", "show", "mine").stdout
    assert run("world", "import", "filesystem", tmp_path).stderr.startswith("mcp-sim: filesystem is bundled and stays as it is.")
    assert "exists already" in run("world", "new", "mine").stderr


def test_a_world_that_is_filled_anew_does_not_speak_of_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    assert run("world", "new", "copied", "--like", "filesystem").returncode == 0
    told = run("world", "import", "copied", tmp_path / "files").stderr
    assert "may contradict this one: background.md, demonstrations.jsonl." in told
    assert run("world", "new", "plain", "--like", "copied", "--bare").returncode == 0
    assert run("world", "import", "plain", tmp_path / "files").stderr == ""
    shown = json.loads(run("world", "show", "plain", "--json").stdout)
    assert (shown["title"], shown["background"], shown["answers"]) == ("plain", "", {"demonstrations": 0, "frozen": 0})
    assert shown["behaviours"] == ["filesystem"]
    assert run("world", "new", "alone", "--bare").returncode == 2


def test_a_projects_world_is_found_by_name_there_and_by_path_elsewhere(tmp_path: Path) -> None:
    assert run("world", "new", "shop", "--project", cwd=tmp_path).returncode == 0
    assert (tmp_path / "tool_specs" / "shop" / "tools.json").is_file()
    listed = json.loads(run("world", "list", "--json", cwd=tmp_path).stdout)
    assert {"name": "shop", "folder": str(tmp_path / "tool_specs" / "shop"), "from": "project", "by_name": True} in listed
    snippet = json.loads(run("config", "shop", "--client", "cursor", cwd=tmp_path).stdout)
    assert snippet["mcpServers"]["shop"]["args"] == ["serve", str(tmp_path / "tool_specs" / "shop")]
    assert "There is no world 'shop'" in run("tools", "shop").stderr


def test_a_broken_world_does_not_hide_the_others(tmp_path: Path) -> None:
    broken = tmp_path / "tool_specs" / "broken"
    broken.mkdir(parents=True)
    (broken / "tools.json").write_text("{", encoding="utf-8")
    listed = run("world", "list", cwd=tmp_path)
    assert listed.returncode == 0
    assert "is not JSON" in listed.stdout
    assert "filesystem" in listed.stdout


def test_what_was_passed_over_is_told_but_not_for_pages(tmp_path: Path) -> None:
    paths = {f"/p{number}": {"get": number} for number in range(30)} | STYLES["crud"]["paths"]
    (tmp_path / "api.json").write_text(json.dumps({**CRUD, "paths": paths}), encoding="utf-8")
    lines = run("import", tmp_path / "api.json").stdout.splitlines()
    assert lines[1] == '  get "/p0" is a number, not an operation; it was passed over.'
    assert lines[9] == "  ... and 22 more like these."
