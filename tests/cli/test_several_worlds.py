"""Several worlds served as one: the tools of all, one session, and each also alone over HTTP."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2

from mcp_sim.tool_specs.world_folder import load_world, write_world
from tests.raw_server import LEGACY, MODERN, RawServer, write_request
from tests.served import MCP_SIM, served


def ask(url: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": MODERN, "mcp-method": method}
    if "name" in params:
        headers["mcp-name"] = params["name"]
    with httpx2.stream("POST", url, json=write_request(1, method, params, MODERN), headers=headers, timeout=60) as response:
        body = response.read().decode()
    return json.loads(body if body.startswith("{") else body.partition("data: ")[2])


def call(url: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = ask(url, "tools/call", {"name": name, "arguments": arguments})["result"]
    return result


def test_bundled_worlds_as_one_over_stdio() -> None:
    names = ["github", "filesystem", "search"]
    for version in (LEGACY, MODERN):
        with RawServer([MCP_SIM, "serve", *names], version=version) as ours:
            tools = ours.tools()
            assert [tool["name"] for tool in tools] == [tool.name for name in names for tool in load_world(name).tools]
            assert "tidegauge" in str(ours.call("list_directory", {"path": "/projects"}))
            assert ours.call("list_issues", {"owner": "brinewatch", "repo": "tidegauge"})["content"]
            refusals = [ours.call(tool, {}) for tool in ("read_text_file", "web_search")]
            assert [refusal["content"][0]["text"][:24] for refusal in refusals] == ["MCP error -32602: Input ", "Input validation error: "]


def write_twins(folder: Path) -> list[str]:
    """Two worlds with a tool of one name, of which one is a filesystem under other names."""
    for name in ("left", "right"):
        tools = [{"name": "note", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}]
        frozen = [{"name": "note", "arguments": {"text": "x"}, "result": {"content": [{"type": "text", "text": f"{name} noted"}]}}]
        settings = {"errors": "zod" if name == "left" else "jsonschema"}
        write_world(folder / name, listing={"tools": tools}, settings=settings, frozen=frozen)
    return [str(folder / "left"), str(folder / "right")]


def test_a_name_that_clashes_and_each_world_alone(tmp_path: Path) -> None:
    with served(*write_twins(tmp_path), "filesystem") as url:
        base = url.removesuffix("/mcp")
        names = [tool["name"] for tool in ask(url, "tools/list", {})["result"]["tools"]]
        assert names[:2] == ["left__note", "right__note"]
        alone = [tool["name"] for tool in ask(f"{base}/w/right/mcp", "tools/list", {})["result"]["tools"]]
        assert alone == ["note"]
        assert call(url, "left__note", {"text": "x"})["content"][0]["text"] == "left noted"
        assert call(f"{base}/w/right/mcp", "note", {"text": "x"})["content"][0]["text"] == "right noted"
        refused = call(f"{base}/w/right/mcp", "note", {})["content"][0]["text"]
        assert refused == "Input validation error: 'text' is a required property"
        assert (
            call(f"{base}/w/right/mcp", "read_text_file", {"path": "/projects/a"})["content"][0]["text"] == "Unknown tool: read_text_file"
        )


def test_one_state_for_all_and_sessions_apart(tmp_path: Path) -> None:
    with served(*write_twins(tmp_path), "filesystem") as url:
        base = url.removesuffix("/mcp")
        file = {"path": "/projects/new.txt"}
        call(f"{base}/w/filesystem/s/ann/mcp", "write_file", {**file, "content": "by ann"})
        assert call(f"{base}/s/ann/mcp", "read_text_file", file)["structuredContent"] == {"content": "by ann"}
        assert call(f"{base}/w/filesystem/s/ann/mcp", "read_text_file", file)["structuredContent"] == {"content": "by ann"}
        assert call(f"{base}/s/bob/mcp", "read_text_file", file)["isError"]
        assert httpx2.post(f"{base}/w/nowhere/mcp", json={}).status_code == 404


def test_a_run_against_several(tmp_path: Path) -> None:
    program = (
        "import os; from tests.cli.test_several_worlds import call; url = os.environ['MCP_SIM_URL'];"
        "call(url, 'left__note', {'text': 'x'}); call(url.replace('/mcp', '/w/right/mcp'), 'note', {'text': 'x'})"
    )
    command = [MCP_SIM, "run", "+".join(write_twins(tmp_path)), "--", sys.executable, "-c", program]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    assert "2 calls answered" in done.stderr
