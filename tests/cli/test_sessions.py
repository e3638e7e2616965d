"""`mcp-sim sessions` where several worlds have a session of one name."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.served import MCP_SIM

ROOT = Path(__file__).parents[2]
CALL = ("get_forecast", '{"city": "Port Merrow", "days": 1}', "--session", "ed")


def run(*command: str, code: int = 0, columns: int = 80) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": str(columns)}
    done = subprocess.run([MCP_SIM, *command], capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture
def worlds(tmp_path: Path) -> tuple[Path, Path]:
    """Two worlds with a space in their paths, each with a session `ed`."""
    one, other = tmp_path / "a place far away" / "one", tmp_path / "a place far away" / "other"
    for folder in (one, other):
        shutil.copytree(ROOT / "examples" / "weather", folder)
        run("call", str(folder), *CALL)
    return one, other


def test_a_world_is_named_by_path_by_key_or_by_name(worlds: tuple[Path, Path]) -> None:
    assert "Several worlds have a session 'ed'" in run("sessions", "show", "ed", code=2).stderr
    keys = {entry["source"]: entry["world"] for entry in json.loads(run("sessions", "list", "--json").stdout)}
    one, other = map(str, worlds)
    for number, world in enumerate((one, keys[one], "one")):
        run("sessions", "fork", "ed", f"ed{number}", "--world", world)
    forked = [entry for entry in json.loads(run("sessions", "list", "--json").stdout) if entry["name"] != "ed"]
    assert [(entry["name"], entry["source"]) for entry in forked] == [("ed0", one), ("ed1", one), ("ed2", one)]
    assert other in run("sessions", "rm", "ed", "--world", "other", code=1).stdout  # asks, and nobody answers
    assert "no world 'third'" in run("sessions", "show", "ed", "--world", "third", code=2).stderr


def test_a_name_that_two_worlds_have_is_not_guessed(worlds: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.copytree(worlds[0], tmp_path / "elsewhere" / "one")
    run("call", str(tmp_path / "elsewhere" / "one"), *CALL)
    assert "say which by its path" in run("sessions", "show", "ed", "--world", "one", code=2).stderr


def test_a_session_of_a_world_that_is_gone_can_be_removed(worlds: tuple[Path, Path]) -> None:
    shutil.rmtree(worlds[0])
    run("sessions", "rm", "ed", "--world", "one", "--yes")
    (left,) = json.loads(run("sessions", "list", "--json").stdout)
    assert left["source"] == str(worlds[1])


def test_the_way_out_of_a_changed_world_works_as_it_is_printed(worlds: tuple[Path, Path]) -> None:
    tools = worlds[0] / "tools.json"
    tools.write_text(tools.read_text().replace('"maximum": 7', '"maximum": 9'))
    refused = run("call", str(worlds[0]), "list_alerts", "--session", "ed", code=1).stderr
    command = shlex.split(refused.split("`")[1])
    assert command[:3] == ["mcp-sim", "sessions", "fork"]
    run(*[argument.replace("NEW", "eve") for argument in command[1:]])
    run("call", str(worlds[0]), "list_alerts", "--session", "eve")


def test_the_list_tells_worlds_apart_on_a_narrow_terminal(worlds: tuple[Path, Path]) -> None:
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in run("sessions", "list").stdout.splitlines() if "│" in line]
    assert "".join(row[1] for row in rows).replace(" ", "") == "".join(map(str, worlds)).replace(" ", "")
