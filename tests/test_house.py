"""The rules of the house that no linter knows."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mcp_sim

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mcp_sim"
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOMS = [path for path in MODULES if path.name == "__init__.py"]
DOORS = [path for path in ROOMS if path.parent.parent == PACKAGE]
MOST_LINES = 300
EMPTY_MODULE_NAMES = re.compile(r"_?(utils?|misc|common|base|helpers?|shared|tools?_?lib)")
EMPTY_NAMES = re.compile(r"_?(get_\w+|handle\w*|process|process_\w+|utils?|helpers?|\w*(Manager|Handler|Processor|Helper|Utils?))")
ASKED_FOR_BY_LIBRARIES = {"get_command", "handle_data", "handle_starttag", "handle_endtag"}
OWN_PATHS = {str(ROOT), f"{Path.home()}/", *({sys.prefix} - {"/usr"})}
SUFFIXES = {".py", ".md", ".toml", ".json", ".jsonl", ".mjs", ".sh", ".txt", ".yaml", ".yml"}
TEXTS = [
    path
    for folder in ("mcp_sim", "tests", "benchmarks", "examples", "docs", "tool_specs", "prompts")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".toml", ".json", ".jsonl", ".mjs", ".sh", ".txt", ".yaml", ".yml"}
    and "node_modules" not in path.parts
]


def of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_storeys_hold() -> None:
    linted = subprocess.run([Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize("path", DOORS, ids=of)
def test_a_room_has_a_door_plate(path: Path) -> None:
    plate = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert all(f"\n{line}: " in plate for line in ("For", "Looks at", "Touches")), "says what it is for, looks at and touches"


@pytest.mark.parametrize("path", [path for path in ROOMS if path.parent != PACKAGE], ids=of)
def test_a_room_exports_nothing_of_others(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert not [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("path", MODULES, ids=of)
def test_a_module_is_no_longer_than_a_minutes_reading(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_things_have_names_that_say_something() -> None:
    bad = [of(path) for path in MODULES if EMPTY_MODULE_NAMES.fullmatch(path.stem)]
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and EMPTY_NAMES.fullmatch(node.name):
                bad += [f"{of(path)}: {node.name}"] if node.name not in ASKED_FOR_BY_LIBRARIES else []
    assert bad == []


def test_no_text_tells_whose_machine_it_was_written_on() -> None:
    found = [
        f"{of(path)}:{number}"
        for path in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if any(own in line for own in OWN_PATHS)
    ]
    assert found == []


def test_the_top_package_exports_what_it_says() -> None:
    assert all(hasattr(mcp_sim, name) for name in getattr(mcp_sim, "__all__", ()))
