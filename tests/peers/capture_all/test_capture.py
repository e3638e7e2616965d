"""`mcp-sim capture` of real servers from npm and PyPI: what is then served is what they serve, on the wire, in each era that they speak.

Their tokens are dummies and nothing is called. What differs must be what `mcp-sim tools --json` says.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.peers.node import node, npm_file, npm_server
from tests.peers.pip_server import pip_server
from tests.raw_server import LEGACY, MODERN, RawServer
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

LISTS = {
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("resources", "resourceTemplates"),
    "prompts/list": ("prompts", "prompts"),
}


@dataclass(frozen=True)
class Npm:
    """A server of an npm package: where its program lies in it, its arguments and its environment; and what is guessed of it."""

    path: str
    arguments: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    errors: str = "zod"
    behaviour: str | None = None

    def command(self, config: pytest.Config) -> list[str]:
        return [node(18), str(npm_file(*self.path.split("/"))), *self.arguments]


@dataclass(frozen=True)
class Pip:
    """A server of a PyPI package."""

    module: str
    requirements: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    errors: str = "pydantic"
    behaviour: str | None = None

    def command(self, config: pytest.Config) -> list[str]:
        name = "git" if self.module == "mcp_server_git" else self.module.replace("_", "-")
        return [pip_server(config, name, *self.requirements), "-c", f"import {self.module}; {self.module}.main()", *self.arguments]


OWN = "@modelcontextprotocol"
SERVERS: dict[str, Npm | Pip] = {
    "filesystem": Npm(f"{OWN}/server-filesystem/dist/index.js", ("{folder}",), behaviour="filesystem"),
    "memory": Npm(f"{OWN}/server-memory/dist/index.js", behaviour="memory"),
    "everything": Npm(f"{OWN}/server-everything/dist/index.js"),
    "sequential-thinking": Npm(f"{OWN}/server-sequential-thinking/dist/index.js", behaviour="sequential-thinking"),
    "github": Npm(f"{OWN}/server-github/dist/index.js", env=(("GITHUB_PERSONAL_ACCESS_TOKEN", "dummy-token"),)),
    "slack": Npm(f"{OWN}/server-slack/dist/index.js", env=(("SLACK_BOT_TOKEN", "xoxb-dummy"), ("SLACK_TEAM_ID", "T0"))),
    "brave-search": Npm(f"{OWN}/server-brave-search/dist/index.js", env=(("BRAVE_API_KEY", "dummy-key"),)),
    "google-maps": Npm(f"{OWN}/server-google-maps/dist/index.js", env=(("GOOGLE_MAPS_API_KEY", "dummy-key"),)),
    "puppeteer": Npm(f"{OWN}/server-puppeteer/dist/index.js"),
    "playwright": Npm("@playwright/mcp/cli.js"),
    "notion": Npm("@notionhq/notion-mcp-server/bin/cli.mjs", env=(("NOTION_TOKEN", "ntn_dummy"),)),
    "context7": Npm("@upstash/context7-mcp/dist/index.js"),
    "git": Pip("mcp_server_git", ("mcp-server-git==2026.10.19",)),
    "time": Pip("mcp_server_time", ("mcp-server-time==2026.10.19",), ("--local-timezone", "UTC"), behaviour="time"),
    "fetch": Pip("mcp_server_fetch", ("mcp-server-fetch==2026.10.24",), behaviour="fetch"),
    "sqlite": Pip(
        "mcp_server_sqlite",
        ("mcp<2", "mcp-server-sqlite==2025.4.25"),
        ("--db-path", "{folder}/a.db"),
        errors="jsonschema",
        behaviour="sqlite",
    ),
}


def run(*arguments: str, env: dict[str, str]) -> str:
    done = subprocess.run([MCP_SIM, *arguments], capture_output=True, text=True, timeout=180, check=False, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr
    return done.stdout


def speaks_modern(command: Sequence[str], env: dict[str, str]) -> bool:
    """Whether the server answers `server/discover`; one that is silent does not."""
    try:
        with RawServer(command, env, MODERN) as server:
            return "supportedVersions" in server.greeting
    except AssertionError:
        return False


class Patient(RawServer):
    """Ends a server that never answers."""

    def __enter__(self) -> "Patient":
        self._timer = Timer(60, lambda: self.process.kill())
        self._timer.start()
        super().__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._timer.cancel()
        super().__exit__(*exception)


def without(capabilities: dict[str, Any], notices: Sequence[str]) -> dict[str, Any]:
    """Return the real server's capabilities without what is said to be missing."""
    said = next((notice.partition(": ")[2].rstrip(".").split(", ") for notice in notices if "not announced" in notice), [])
    rest: dict[str, Any] = {}
    for name, capability in capabilities.items():
        if name not in said:
            rest[name] = {key: value for key, value in capability.items() if f"{name}.{key}" not in said and value is not False}
    rest.pop("experimental", None)
    return rest


@pytest.mark.parametrize("name", SERVERS)
def test_a_captured_server_is_served_as_it_was(name: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    server = SERVERS[name]
    command = [part.format(folder=tmp_path) for part in server.command(pytestconfig)]
    env = dict(server.env)
    run("capture", f"my-{name}", "--", *command, env=env)
    report = json.loads(run("tools", f"my-{name}", "--json", env={}))
    mended = {tool["definition"]["name"] for tool in report["tools"] if tool["mended"]}
    left_out = {tool["name"] for tool in report["left_out"]}
    eras = [LEGACY, *([MODERN] if speaks_modern(command, env) else [])]
    for version in eras:
        with Patient(command, env, version) as real, RawServer([MCP_SIM, "serve", f"my-{name}"], version=version) as ours:
            expected = [tool for tool in real.tools() if tool["name"] not in left_out]
            served = ours.tools()
            assert [tool["name"] for tool in served] == [tool["name"] for tool in expected]
            for ours_of, real_of in zip(served, expected, strict=True):
                if ours_of["name"] not in mended:
                    assert ours_of == real_of
                if version == eras[0] and ours_of["name"] not in mended:
                    assert json.dumps(ours_of) == json.dumps(real_of)  # the order of keys too, in the era that was captured
            assert server_info(ours.greeting) == server_info(real.greeting)
            assert ours.greeting.get("instructions") == real.greeting.get("instructions")
            assert ours.greeting["capabilities"] == without(real.greeting["capabilities"], report["notices"])
            for method, (capability, key) in LISTS.items():
                if capability in real.greeting["capabilities"]:
                    assert ours.ask(method, {})["result"][key] == real.ask(method, {}).get("result", {key: []})[key]
    settings = (Path(os.environ["XDG_DATA_HOME"]) / "mcp-sim" / "worlds" / f"my-{name}" / "world.toml").read_text()
    assert f'errors = "{server.errors}"' in settings
    assert ("behaviours" in settings) == (server.behaviour is not None)
    assert server.behaviour is None or server.behaviour in settings


def server_info(greeting: dict[str, Any]) -> Any:
    return greeting.get("serverInfo") or greeting["_meta"]["io.modelcontextprotocol/serverInfo"]


@pytest.mark.parametrize("transport", ["streamableHttp", "sse"])
def test_a_server_at_a_url_is_captured_as_over_stdio(transport: str, tmp_path: Path) -> None:
    command = npm_server("server-everything")
    run("capture", "over-stdio", "--", *command, env={})
    port = "39127" if transport == "sse" else "39128"
    with subprocess.Popen([*command, transport], env={**os.environ, "PORT": port}, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            for line in server.stderr:
                if "port" in line.lower():
                    break
            run("capture", "over-http", f"http://127.0.0.1:{port}/{'sse' if transport == 'sse' else 'mcp'}", env={})
        finally:
            server.kill()
    worlds = Path(os.environ["XDG_DATA_HOME"]) / "mcp-sim" / "worlds"
    files = sorted(file.name for file in (worlds / "over-stdio").iterdir())
    assert files == ["prompts.json", "resource_templates.json", "resources.json", "server.json", "tools.json", "world.toml"]
    for file in files:
        assert (worlds / "over-http" / file).read_text() == (worlds / "over-stdio" / file).read_text()


def test_a_server_of_both_eras_of_the_python_sdk(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('both', version='1', instructions='Use it.')\n"
        "@server.tool()\ndef add(a: int, b: int = 2) -> int:\n    '''Add.'''\n    return a + b\n"
        "@server.resource('a://{b}')\ndef read(b: str) -> str:\n    return b\n"
        "@server.prompt()\ndef ask(of: str) -> str:\n    return of\n"
        "server.run()\n"
    )
    command = [sys.executable, str(program)]
    assert speaks_modern(command, {})
    run("capture", "both", "--", *command, env={})
    for version in (LEGACY, MODERN):
        with RawServer(command, version=version) as real, RawServer([MCP_SIM, "serve", "both"], version=version) as ours:
            assert ours.tools() == real.tools()
            for method, (_, key) in LISTS.items():
                assert ours.result(method)[key] == real.result(method)[key]
            assert server_info(ours.greeting) == server_info(real.greeting)
