"""`mcp-sim serve --shadow` as a person uses it. The real server is the filesystem world, served: it is as good as a real one."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcp_sim.cli.main import main
from mcp_sim.tool_specs.world_folder import find_folder
from tests.raw_server import RawServer
from tests.served import MCP_SIM, served

READS = '[shadow]\nreal_reads = ["read_*", "list_*", "get_file_info"]\n'


def world_of(folder: Path, name: str, toml: str = READS, behaviours: str = "[behaviours.{}]\n") -> str:
    source, _ = find_folder(name)
    world = folder / "world"
    world.mkdir()
    shutil.copy(source / "tools.json", world)
    (world / "world.toml").write_text(behaviours.format(name) + toml)
    return str(world)


@contextmanager
def shadowed(world: str, *real: str) -> Iterator[RawServer]:
    with RawServer([MCP_SIM, "serve", world, *real]) as server:
        yield server


def text(server: RawServer, name: str, **arguments: str) -> str:
    return str(server.call(name, arguments)["content"][0]["text"])


@pytest.mark.parametrize("over_http", [False, True])
def test_reads_are_real_and_writes_are_not(tmp_path: Path, over_http: bool) -> None:
    world = world_of(tmp_path, "filesystem")
    with served("filesystem") as url:
        real = ["--shadow-url", url] if over_http else ["--shadow", "--", MCP_SIM, "serve", "filesystem"]
        with RawServer([MCP_SIM, "serve", "filesystem"]) as plain, shadowed(world, *real) as server:
            root = text(plain, "list_allowed_directories").split("\n")[1]
            listed = text(plain, "list_directory", path=root)
            assert text(server, "list_directory", path=root) == listed
            assert "Successfully wrote" in text(server, "write_file", path=f"{root}/zzz.txt", content="new")
            assert text(server, "list_directory", path=root) == "\n".join(
                sorted([*listed.split("\n"), "[FILE] zzz.txt"], key=lambda s: s.split(" ", 1)[1])
            )
            assert text(server, "read_text_file", path=f"{root}/zzz.txt") == "new"
        with RawServer([MCP_SIM, "serve", "filesystem"]) as untouched:
            assert text(untouched, "list_directory", path=root) == listed


def test_without_a_list_one_is_proposed_and_nothing_served(tmp_path: Path) -> None:
    world = world_of(tmp_path, "memory", toml="")
    failed = subprocess.run(
        [MCP_SIM, "serve", world, "--shadow", "--", "/no/such/server"], input="", capture_output=True, text=True, timeout=60, check=False
    )
    assert failed.returncode == 2
    assert '[shadow]\nreal_reads = ["read_graph", "search_nodes"]\n' in failed.stderr
    assert failed.stdout == ""


def test_a_hint_alone_proposes_nothing(tmp_path: Path) -> None:
    world = world_of(tmp_path, "memory", toml="", behaviours="")
    path = Path(world, "tools.json")
    listing = json.loads(path.read_text())
    for tool in listing["tools"]:
        tool["annotations"] = {"readOnlyHint": tool["name"] != "read_graph"}
    path.write_text(json.dumps(listing))
    result = CliRunner().invoke(main, ["serve", world, "--shadow", "--", "server"])
    assert result.exit_code == 2
    assert 'real_reads = ["search_nodes"]' in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["memory", "--shadow"], "the real server's command behind --"),
        (["memory", "--shadow", "--shadow-url", "http://x", "--", "server"], "the real server's command behind --"),
        (["memory", "--shadow", "--shadow-header", "A: b", "--", "server"], "only with --shadow-url"),
        (["memory", "--shadow-url", "http://x", "--shadow-header", "Ab"], "--header is not 'KEY: VALUE'"),
    ],
)
def test_wrong_options_say_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["serve", *arguments])
    assert result.exit_code == 2
    assert message in result.output
