import json
import sys

import pytest
from click.testing import CliRunner, Result

from mcp_sim.cli import model as module
from mcp_sim.cli.main import main

NOBODY = "http://127.0.0.1:9/v1"


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"MCP_SIM_MODEL": None, **environment})


def test_print_shows_the_command_line_and_runs_nothing() -> None:
    shown = run("model", "serve", "Qwen/Qwen-AgentWorld-35B-A3B", "--tp", "4", "--print", "--", "--log-level", "debug")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("python -m sglang.launch_server --model-path Qwen/Qwen-AgentWorld-35B-A3B")
    assert shown.stdout.endswith("--page-size 64 --log-level debug\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["x.gguf", "--engine", "vllm"], "Leave out --engine"),
        (["x.gguf", "--", "--flash-attn"], "takes no further options"),
        (["/nowhere/x.gguf"], "There is no file /nowhere/x.gguf"),
    ],
)
def test_what_cannot_be_served_is_a_matter_for_the_operator(arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: name)
    failed = run("model", "serve", *arguments)
    assert failed.exit_code == 2
    assert says in failed.stderr


def test_a_missing_engine_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    failed = run("model", "serve", "some/model")
    assert failed.exit_code == 2
    assert "pip install 'mcp-sim[sglang]'" in failed.stderr


def test_an_engine_that_dies_says_what_to_shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: name)
    monkeypatch.setattr(module, "command_line", lambda plan, python: [sys.executable, "-c", "raise SystemExit(3)"])
    failed = run("model", "serve", "some/model", "--tp", "2")
    assert failed.exit_code == 1
    assert "status 3. If memory ran out, try in this order: --tp 4" in failed.stderr


def test_doctor_finds_nobody_and_says_what_to_start() -> None:
    found = run("doctor", "--model", NOBODY, "--json")
    assert found.exit_code == 1
    report = json.loads(found.stdout)
    assert report["up"] is False
    assert "mcp-sim model serve" in report["problems"][0]
    assert run("doctor", MCP_SIM_MODEL=NOBODY).exit_code == 1


def test_doctor_looks_at_a_world_without_a_model() -> None:
    found = run("doctor", "filesystem")
    assert found.exit_code == 0
    assert "World filesystem can be served: 14 tools" in found.stderr
    assert "and no model" in found.stdout
    assert run("doctor").exit_code == 2
