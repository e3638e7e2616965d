from typing import Any

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.listing import read_listing, read_server

TOOL = {"name": "echo", "inputSchema": {"type": "object"}}
INFO = {"name": "s", "version": "1", "icons": [{"src": "x"}], "x-more": 1}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": INFO, "instructions": "Be kind."}


@pytest.mark.parametrize(
    "value",
    [
        [TOOL],
        {"tools": [TOOL]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        {"server": "a label", "initialize": INITIALIZE, "tools": [TOOL]},
        [{"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}],
        [{"jsonrpc": "2.0", "id": 0, "result": INITIALIZE}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}],
    ],
)
def test_every_shape_that_people_have_holds_its_tools(value: Any) -> None:
    assert read_listing(value, "x.json").tools == [TOOL]


def test_pages_are_joined_in_order() -> None:
    pages = [{"tools": [{"name": "a"}], "nextCursor": "1"}, {"tools": [{"name": "b"}], "nextCursor": None}]
    listing = read_listing([{"jsonrpc": "2.0", "id": i, "result": page} for i, page in enumerate(pages)], "x.json")
    assert [tool["name"] for tool in listing.tools] == ["a", "b"]
    assert listing.notices == ()


def test_a_page_of_several_says_that_there_are_more() -> None:
    assert "more pages" in read_listing({"tools": [TOOL], "nextCursor": "1"}, "x.json").notices[0]


@pytest.mark.parametrize(
    "value",
    [
        {"initialize": INITIALIZE, "tools": [TOOL]},
        {"server": INFO, "tools": [TOOL]},
        {"serverInfo": INFO, "tools": [TOOL]},
        {"result": {"tools": [TOOL], "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}},
        [{"result": INITIALIZE}, {"result": {"tools": [TOOL]}}],
    ],
)
def test_the_server_is_known_with_every_key_it_sent(value: Any) -> None:
    assert read_listing(value, "x.json").server_info == INFO


def test_instructions_come_from_initialize() -> None:
    assert read_listing({"initialize": INITIALIZE, "tools": []}, "x.json").instructions == "Be kind."


@pytest.mark.parametrize("part", [{"serverInfo": {"name": "s"}}, {"serverInfo": 3}, {"instructions": ["a"]}, {"instructions": "\ud800"}, 7])
def test_what_a_server_says_of_itself_wrongly_is_passed_over_and_reported(part: Any) -> None:
    info, instructions, notices = read_server(part)
    assert (info, instructions) == ({}, None)
    assert len(notices) == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "holds a number, no tool list"),
        (None, "holds null"),
        ({}, 'an object without "tools"'),
        ({"tools": {"echo": {}}}, '"tools" is an object, not a list'),
        ({"result": {}}, 'an object without "tools"'),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no"}}, "an error response"),
        ({"mcpServers": {}}, "mcp-sim capture NAME"),
        ([{"result": INITIALIZE}], "none of the responses holds tools"),
        ([0] * 50_001, "holds 50001 tools"),
        ([{"result": {"tools": 3}}], '"tools" is a number'),
    ],
)
def test_what_is_no_tool_list_is_refused(value: Any, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        read_listing(value, "x.json")
    assert said in str(caught.value)
    assert str(caught.value).startswith("x.json: ")
