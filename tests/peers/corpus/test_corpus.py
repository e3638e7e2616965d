"""The tool lists of real servers, served: whole, and on the wire as their servers sent them."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from mcp_sim.cli.tools import tools
from tests.raw_server import LEGACY, MODERN, RawServer, write_request
from tests.served import MCP_SIM, served

LISTS = sorted((Path(os.environ.get("MCP_SIM_CORPUS", "/nonexistent")) / "toolslists").glob("*.json"))

pytestmark = [pytest.mark.peers, pytest.mark.skipif(not LISTS, reason="MCP_SIM_CORPUS names no corpus")]


def as_to_be_served(tool: dict[str, Any]) -> dict[str, Any]:
    """Return what a list without tasks must hold of a tool: all of it, but for a promise of tasks."""
    support = tool.get("execution", {}).get("taskSupport", "forbidden")
    if support == "forbidden":
        return tool
    rest = {key: value for key, value in tool["execution"].items() if key != "taskSupport"}
    return {key: rest if key == "execution" else value for key, value in tool.items() if key != "execution" or rest}


def reported_changes(path: Path) -> dict[str, list[str]]:
    """Return what `mcp-sim tools --json` says was mended, by tool."""
    run = CliRunner().invoke(tools, [str(path), "--json"], catch_exceptions=False)
    report = json.loads(run.stdout)
    assert report["left_out"] == []
    return {tool["definition"]["name"]: tool["mended"] for tool in report["tools"]}


def assert_told_whole(path: Path, served_tools: list[dict[str, Any]], greeting: dict[str, Any]) -> None:
    real = json.loads(path.read_text(encoding="utf-8"))
    mended = reported_changes(path)
    assert [tool["name"] for tool in served_tools] == [tool["name"] for tool in real["tools"]]
    for ours, theirs in zip(served_tools, real["tools"], strict=True):
        expected = as_to_be_served(theirs)
        assert json.dumps(ours) == json.dumps(expected), "the order of keys is part of what a model reads"
        assert bool(mended[theirs["name"]]) == (expected != theirs)
    own_info = greeting.get("serverInfo") or greeting["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert own_info == real["initialize"]["serverInfo"]
    assert greeting.get("instructions") == real["initialize"].get("instructions")


@contextmanager
def serving(path: Path, version: str) -> Iterator[RawServer]:
    with RawServer([MCP_SIM, "serve", str(path)], version=version) as server:
        yield server


@pytest.mark.parametrize("version", [LEGACY, MODERN])
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_over_stdio(path: Path, version: str) -> None:
    with serving(path, version) as server:
        assert_told_whole(path, server.tools(), server.greeting)


def test_over_http() -> None:
    path = next(path for path in LISTS if path.stem == "chrome-devtools-mcp")  # has annotations that no specification knows
    with served(str(path)) as url:
        told = [ask_over_http(url, method) for method in ("tools/list", "server/discover")]
    assert_told_whole(path, told[0]["tools"], told[1])


def ask_over_http(url: str, method: str) -> dict[str, Any]:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    reply = httpx2.post(url, json=write_request(1, method, {}, MODERN), headers=headers)
    text = reply.text
    if reply.headers["content-type"].startswith("text/event-stream"):
        text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: "))
    result: dict[str, Any] = json.loads(text)["result"]
    return result
