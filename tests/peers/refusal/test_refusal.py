"""Refusals against the servers whose words they borrow: the same call must be refused, or not, in the same words."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.core.refusal import admit, refuse, unknown_tool
from mcp_sim.core.schema import Schema
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import ErrorStyle
from tests.peers.node import NODE_MODULES, npm_server
from tests.peers.pip_server import pip_server
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

HERE = Path(__file__).parent
Call = tuple[str, dict[str, Any]]


def refusal(style: ErrorStyle, tool: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    spec = ToolSpec(name=tool["name"], input_schema=tool["inputSchema"], definition=tool)
    _, problems = admit(style, Schema(spec.input_schema), arguments)
    return refuse(style, spec, arguments, problems).text if problems else None


def compare(style: ErrorStyle, command: list[str], calls: Iterable[Call], *, refused: bool = False) -> None:
    with RawServer(command) as server:
        tools = {tool["name"]: tool for tool in server.tools()}
        for name, arguments in calls:
            result = server.call(name, arguments)
            theirs = result["content"][0]["text"] if result.get("isError") else None
            if name in tools:
                ours = refusal(style, tools[name], arguments)
            else:
                unknown = unknown_tool(style, name)
                ours = unknown.text if unknown else None
            assert ours == theirs, f"{name} {arguments}"
            assert not refused or ours is not None


ZOD: list[dict[str, Any]] = [
    *({"name": value} for value in ("a", "aaaaaaaa", 5, None)),
    *({"exact": value} for value in ("aaa", "aaaaa")),
    *({"number": value} for value in (0, 11, "x", True, [], {})),
    *({"open": value} for value in (0, 1)),
    *({"integer": value} for value in (1.5, "x", 1e20)),
    *({"positive": value} for value in (0, -1.5)),
    {"step": 7},
    *({"list": value} for value in (["a"], [1], ["a", "b", "c", "d"], "a", {})),
    *({"three": value} for value in ([1], [1, 2, 3, 4])),
    *({"pair": value} for value in (["a"], ["a", "b"], ["a", 1, 2], 5)),
    *({"literal": value} for value in ("y", 5)),
    *({"literals": value} for value in ("q", 2)),
    *({"choice": value} for value in ("z", None)),
    *({"nullable": value} for value in (5, "a", None)),
    {"nullish": "x"},
    *({"union": value} for value in (True, "abc", 5)),
    *({"mixed": value} for value in (5, {"a": "x"}, {})),
    *({"record": value} for value in ({"a": "x"}, 5)),
    {"keyed": {"y": 1}},
    {"chosen": {"k3": 1}},
    *({"strict": value} for value in ({"a": "x", "b": 1}, {"a": 1, "b": 1, "c": 2}, {"z": 1})),
    *({"plain": value} for value in ({"odd-key": {"b": [{"c": "x"}]}}, {"odd-key": 5}, {"odd-key": {"b": [{}, 5]}, "extra": 1})),
    *({"either": value} for value in ({"kind": "three"}, {}, {"kind": "one"}, {"kind": "two", "b": "x"}, 5)),
    *({name: "x"} for name in ("email", "uuid", "time", "address")),
    *({"flag": value} for value in ("true", None)),
    {"never": 1},
    {"extra": 1, "three": ["x"], "number": 0, "name": 5},
    {"extra": 1},
]


def test_zod(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (NODE_MODULES / "@modelcontextprotocol" / "sdk").is_dir():
        pytest.skip("set MCP_SIM_NODE_MODULES to a node_modules folder that has @modelcontextprotocol/sdk")
    monkeypatch.setenv("MCP_SIM_NODE_MODULES", str(NODE_MODULES))
    calls: list[Call] = [("optional", arguments) for arguments in ZOD]
    calls += [("needed", {}), ("needed", {"list": [1]}), ("strict", {"a": 1, "c": 1}), ("strict", {"c": 1, "d": 2}), ("nope", {})]
    compare("zod", ["node", str(HERE / "zod_server.mjs")], calls)


def test_filesystem(tmp_path: Path) -> None:
    calls: list[Call] = [
        ("read_text_file", {}),
        ("read_text_file", {"path": 5, "head": "x", "zz": 1}),
        ("read_text_file", {"path": "/x", "tail": None}),
        ("read_multiple_files", {"paths": []}),
        ("read_multiple_files", {"paths": ["a", 5, None]}),
        ("edit_file", {"path": "/a", "edits": [{"oldText": 1}, {}, "x"], "dryRun": "yes"}),
        ("list_directory_with_sizes", {"path": "/a", "sortBy": "date"}),
        ("write_file", {"content": [], "path": True}),
        ("nope", {}),
    ]
    compare("zod", [*npm_server("server-filesystem"), str(tmp_path)], calls, refused=True)


def test_memory() -> None:
    calls: list[Call] = [
        ("create_entities", {"entities": [{"name": "a", "entityType": 5, "observations": ["x", 3]}, {}]}),
        ("open_nodes", {"names": {}}),
        ("search_nodes", {"query": 1.5}),
    ]
    compare("zod", npm_server("server-memory"), calls, refused=True)


PYDANTIC: list[dict[str, Any]] = [
    *({"text": value} for value in (5, "b", "bbbbb", None, "é" * 30 + "日本")),
    *({"whole": value} for value in (9, -3, [], "x", None, 1.5, "4", "9", True, "4.0", " 4 ", 2.0)),
    *({"number": value} for value in ("x", [], "1.5")),
    *({"flag": value} for value in ("maybe", 5, 1.5, [], "yes", 1)),
    *({"few": value} for value in (["x", "1"], [1], [1, 2, 3, 4], {}, [1, "x", "y", "z"], "[1,2]", "[1", [1.5, True, "3"])),
    *({"table": value} for value in (5, {"a": "x"}, '{"a":1}')),
    *({"choice": value} for value in ("z", 5)),
    {"literal": "z"},
    {"constant": "z"},
    *({"maybe": value} for value in ("x", "5", "null")),
    *({"union": value} for value in ([], True)),
    *({"edit": value} for value in (5, {}, [], '{"old":"x","count":"2"}')),
    *({"edits": value} for value in ([{"old": 1}], [5, {}])),
    {"mixed": 5},
    *({"pair": value} for value in ([1], [1, 2, 3], [1, 2], 5)),
    *({"low": value} for value in (1, "1", "4")),
    {"zz": 1, "whole": [], "text": 5},
]


def test_pydantic() -> None:
    calls: list[Call] = [("optional", arguments) for arguments in PYDANTIC]
    needed: list[dict[str, Any]] = [{}, {"b": "q"}, {"a": 1, "c": 5}, {"a": "", "b": 1, "c": [{}]}, {"c": [], "a": []}]
    compare("pydantic", [sys.executable, str(HERE / "pydantic_server.py")], [*calls, *(("needed", arguments) for arguments in needed)])


def test_pydantic_answers_unknown_tools_by_an_error_of_the_protocol(pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, "git", "mcp-server-git==2026.10.19")
    with RawServer([python, "-m", "mcp_server_git"]) as server:
        reply = server.ask("tools/call", {"name": "nope", "arguments": {}})
        assert reply["error"] == {"code": -32602, "message": "Unknown tool: nope"}
    assert unknown_tool("pydantic", "nope") is None
    compare("pydantic", [python, "-m", "mcp_server_git"], [("git_status", {}), ("git_add", {"repo_path": [], "files": ["a", 5]})])


def test_jsonschema(pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, "sdk-1", "mcp==1.30.0")
    arguments: list[dict[str, Any]] = [
        {},
        {"text": 1},
        {"text": "b"},
        {"text": "a", "whole": 0, "zz": 1},
        *({"text": "ab", "rows": rows} for rows in ([{}], [{"n": 1}, {"n": 1}], [1, 2, 3, 4, 5])),
        *({"text": "ab", "either": either} for either in (5, {"q": "x"}, "a", {})),
        *({"text": "ab", "one": one} for one in (4, [], 1.5)),
        {"choice": "q"},
        {"text": None, "whole": "x", "choice": 5, "rows": "q"},
        {"text": "ab", "x": 1, "y": 2},
    ]
    compare("jsonschema", [python, str(HERE / "jsonschema_server.py")], [*(("plain", each) for each in arguments), ("nope", {})])
