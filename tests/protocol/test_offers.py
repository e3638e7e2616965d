"""Resources and prompts on the wire: listed as sent, read and got, remembered, pinned, refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.tool_specs.world_folder import write_world
from tests.raw_server import LEGACY, MODERN, RawServer
from tests.served import MCP_SIM

LISTS: dict[str, Any] = {
    "resources/list": {
        "resources": [{"x-own": 1, "uri": "a://text", "name": "text", "description": "Words.", "mimeType": "text/markdown"}]
    },
    "resources/templates/list": {
        "resourceTemplates": [
            {"uriTemplate": "a://items/{id}", "name": "item", "mimeType": "application/json"},
            {"uriTemplate": "file://{+path}", "name": "file", "mimeType": "image/png"},
        ]
    },
    "prompts/list": {
        "prompts": [
            {"name": "greet", "description": "Greets.", "arguments": [{"name": "who", "required": True}, {"name": "how"}], "icons": []}
        ]
    },
}
PINNED = {"contents": [{"uri": "a://pinned", "text": "as it is", "_meta": {"k": 1}}]}
FROZEN = [{"method": "resources/read", "params": {"uri": "a://pinned"}, "result": PINNED}]
SERVER = {"capabilities": {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}}}


@pytest.fixture
def world(tmp_path: Path) -> str:
    tools = {"tools": [{"name": "put_it", "inputSchema": {"type": "object"}}]}
    write_world(tmp_path / "w", listing=tools, lists=LISTS, frozen=FROZEN, server=SERVER)
    return str(tmp_path / "w")


@pytest.mark.parametrize("version", [LEGACY, MODERN])
def test_what_is_offered(world: str, version: str) -> None:
    with RawServer([MCP_SIM, "serve", world], version=version) as ours:
        for method, result in LISTS.items():
            [key] = result
            assert json.dumps(ours.result(method)[key]) == json.dumps(result[key])
        assert ours.greeting["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}
        text = ours.result("resources/read", {"uri": "a://text"})
        [part] = text["contents"]
        assert (part["uri"], part["mimeType"]) == ("a://text", "text/markdown")
        assert "Words." in part["text"]
        assert text["_meta"]["mcp-sim/source"] == "imagined"
        item = ours.result("resources/read", {"uri": "a://items/7"})["contents"][0]
        assert json.loads(item["text"])["uri"] == "a://items/7"
        assert "blob" in ours.result("resources/read", {"uri": "file:///deep/in/a.png"})["contents"][0]
        pinned = ours.result("resources/read", {"uri": "a://pinned"})
        assert pinned["contents"] == PINNED["contents"]
        assert pinned["_meta"]["mcp-sim/source"] == "frozen"
        greeting = ours.result("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}})
        assert greeting["description"] == "Greets."
        assert [message["role"] for message in greeting["messages"]] == ["user"]
        assert "who: Ada" in greeting["messages"][0]["content"]["text"]
        again = ours.result("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}})
        assert again["_meta"]["mcp-sim/recalled"] == greeting["_meta"]["mcp-sim/turn"]
        assert again["messages"] == greeting["messages"]


@pytest.mark.parametrize(("version", "code"), [(LEGACY, -32002), (MODERN, -32602)])
def test_what_is_not_offered(world: str, version: str, code: int) -> None:
    with RawServer([MCP_SIM, "serve", world], version=version) as ours:
        unknown = ours.ask("resources/read", {"uri": "a://items/7/8"})["error"]
        assert (unknown["code"], unknown["data"]) == (code, {"uri": "a://items/7/8"})
        prompt = ours.ask("prompts/get", {"name": "no"})["error"]
        assert (prompt["code"], prompt["message"]) == (-32602, "Unknown prompt: no")
        missing = ours.ask("prompts/get", {"name": "greet", "arguments": {"how": "loud"}})["error"]
        assert (missing["code"], missing["message"]) == (-32602, "Prompt 'greet' needs the argument who")


def test_a_world_without_them_does_not_know_the_methods(tmp_path: Path) -> None:
    write_world(tmp_path / "w", listing={"tools": []})
    with RawServer([MCP_SIM, "serve", str(tmp_path / "w")], version=LEGACY) as ours:
        assert ours.greeting["capabilities"] == {"tools": {}}
        assert ours.ask("resources/list", {})["error"]["code"] == -32601
        assert ours.ask("prompts/get", {"name": "x"})["error"]["code"] == -32601


def test_frozen_imagines_none(world: str) -> None:
    with RawServer([MCP_SIM, "serve", world, "--frozen"], version=MODERN) as ours:
        assert ours.result("resources/read", {"uri": "a://pinned"})["contents"] == PINNED["contents"]
        error = ours.ask("resources/read", {"uri": "a://text"})["error"]
        assert error["code"] == -32603
        assert '{"method": "resources/read", "params": {"uri": "a://text"}' in error["message"]
