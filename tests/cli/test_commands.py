"""The commands as a person meets them: help that teaches, one clear line when something is wrong, and the promised exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from mcp_sim.cli.main import main
from tests.raw_server import LEGACY, RawServer
from tests.served import MCP_SIM


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MCP_SIM, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


def commands(command: click.Command, context: click.Context, path: str) -> Iterator[tuple[str, click.Command, click.Context]]:
    yield path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from commands(child, click.Context(child, info_name=name, parent=context), f"{path} {name}")


ALL = list(commands(main, click.Context(main, info_name="mcp-sim"), "mcp-sim"))


@pytest.mark.parametrize(("path", "command", "context"), ALL, ids=[path for path, _, _ in ALL])
def test_help_teaches_with_an_example(path: str, command: click.Command, context: click.Context) -> None:
    lines = command.get_help(context).splitlines()
    assert any(line.strip().startswith(path) for line in lines), "no example"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.opts[0]} says nothing"


def test_help_is_printed_by_the_real_command() -> None:
    shown = run("serve", "--help")
    assert shown.returncode == 0
    assert "mcp-sim serve github --http 127.0.0.1:8970" in shown.stdout


WRONG = {
    "no such world": (("serve", "githup"), 2, "Did you mean"),
    "a path that is none": (("tools", "./nowhere.json"), 2, "nowhere.json"),
    "no such tool": (("call", "memory", "open_node"), 2, "Did you mean open_nodes"),
    "arguments that are no JSON": (("call", "memory", "read_graph", "{"), 2, "ARGUMENTS is not JSON"),
    "arguments that are no object": (("call", "memory", "read_graph", "[1]"), 2, "not an object"),
    "arguments too deep for a parser": (("call", "memory", "read_graph", "[" * 100_000), 2, "ARGUMENTS is not JSON"),
    "no such session": (("sessions", "show", "none"), 2, "mcp-sim sessions list"),
    "no such command": (("sing",), 2, "No such command"),
    "a port that is none": (("serve", "memory", "--http", "127.0.0.1:99999"), 2, "HOST:PORT"),
    "an address that is not ours": (("serve", "memory", "--http", "192.0.2.1:0"), 2, "Cannot listen on 192.0.2.1"),
    "an option that means nothing here": (("serve", "memory", "--fsync"), 2, "--fsync has a meaning only with --session"),
    "a program that is not there": (("run", "memory", "--", "no-such-program-here"), 2, "cannot be started"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_is_said_in_a_line(kind: str) -> None:
    arguments, code, said = WRONG[kind]
    ended = run(*arguments)
    assert ended.returncode == code, ended.stderr
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    if code:
        assert ended.stdout == ""
        assert len(ended.stderr) < 1000


def test_our_own_failure_exits_with_1(tmp_path: Path) -> None:
    never = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 2, "maximum": 1}}, "required": ["n"]}
    (tmp_path / "t.json").write_text(json.dumps([{"name": "get_it", "inputSchema": {"type": "object"}, "outputSchema": never}]))
    ended = run("call", str(tmp_path / "t.json"), "get_it")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("mcp-sim: The output schema of 'get_it'")


def test_a_tool_that_fails_is_an_answer() -> None:
    ended = run("call", "filesystem", "read_text_file", '{"path": "/etc/passwd"}', "--json")
    assert ended.returncode == 0
    result = json.loads(ended.stdout)
    assert result["isError"]
    assert result["content"][0]["text"].startswith("Access denied - path outside allowed directories: /etc/passwd")


def test_run_gives_the_address_and_passes_on_the_exit_code() -> None:
    program = "import os, sys; print(os.environ['MCP_SIM_URL']); sys.exit(7)"
    ended = run("run", "memory", "--", sys.executable, "-c", program)
    assert ended.returncode == 7
    assert ended.stdout.startswith("http://127.0.0.1:")
    assert "No tool was called." in ended.stderr


@pytest.mark.parametrize("client", ["claude-desktop", "claude-code", "vscode", "cursor"])
def test_a_config_starts_a_server(client: str, tmp_path: Path) -> None:
    ended = run("config", "memory", "--client", client, "--session", "mine", "--seed", "3")
    assert ended.returncode == 0, ended.stderr
    snippet = json.loads(ended.stdout)
    (entry,) = snippet["servers" if client == "vscode" else "mcpServers"].values()
    assert Path(entry["command"]).is_absolute()
    # A client starts it from anywhere, with an environment of its own making.
    environment = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": os.environ["XDG_DATA_HOME"], **entry["env"]}
    variables = [f"{key}={value}" for key, value in environment.items()]
    command = ["env", "-i", "-C", str(tmp_path), *variables, entry["command"], *entry["args"]]
    with RawServer(command, version=LEGACY) as server:
        meta = server.call("read_graph", {})["_meta"]
        assert meta["mcp-sim/session"] == "mine"
    shown = json.loads(run("sessions", "list", "--json").stdout)
    assert [(session["name"], session["seed"], session["turns"]) for session in shown] == [("mine", 3, 1)]


def test_output_that_nobody_reads_is_no_failure() -> None:
    ended = subprocess.run(f"{MCP_SIM} tools github --json | head -1", shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.stdout, ended.stderr) == ("{\n", "")
