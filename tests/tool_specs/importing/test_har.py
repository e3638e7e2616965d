import base64
import json
from typing import Any

import pytest

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importers import import_value, write_imported
from mcp_sim.tool_specs.importing.har.reading import MOST_DEMONSTRATIONS
from mcp_sim.tool_specs.importing.har.secrets import is_secret_name, redact_text
from mcp_sim.tool_specs.importing.har.template import make_template
from mcp_sim.tool_specs.world_folder import load_world

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PLANTED = {
    "bearer": "planted-bearer-0001",
    "cookie": "planted-cookie-0002",
    "query": "planted-query-0003",
    "body": "planted-body-0004",
    "answer": "planted-answer-0005",
    "jwt": JWT,
    "github": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "url": "planted-url-0006",
    "inner": "planted-inner-0007",
    "opaque": "Zm9vYmFyQmF6UXV4MTIzNDU2Nzg5MEFCQ0RFRkdISUprbG1ub3A",
}


def entry(method: str, url: str, answer: Any = None, status: int = 200, body: Any = None, **content: Any) -> dict[str, Any]:
    request: dict[str, Any] = {
        "method": method,
        "url": url,
        "headers": [
            {"name": "Authorization", "value": f"Bearer {PLANTED['bearer']}"},
            {"name": "Cookie", "value": f"s={PLANTED['cookie']}"},
        ],
        "cookies": [{"name": "s", "value": PLANTED["cookie"]}],
    }
    if body is not None:
        request["postData"] = {"mimeType": "application/json", "text": json.dumps(body)}
    said = {"mimeType": "application/json", "text": json.dumps(answer), **content}
    return {"request": request, "response": {"status": status, "statusText": "Said", "headers": [], "content": said}}


def har(*entries: Any) -> dict[str, Any]:
    return {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": list(entries)}}


API = "https://api.shop.example/v1"
RECORDING = har(
    entry("GET", f"{API}/orders?state=open&page=2&api_key={PLANTED['query']}", [{"id": 41, "state": "open"}]),
    entry("GET", f"{API}/orders/41", {"id": 41, "state": "open", "note": None}),
    entry("GET", f"{API}/orders/42", {"id": 42, "state": "closed", "note": "gift"}),
    entry("GET", f"{API}/orders/43", {"error": "no such order"}, status=404),
    entry("POST", f"{API}/orders", {"id": 44, "state": "open"}, status=201, body={"item": "pen", "count": 2}),
    entry("POST", f"{API}/orders", {"id": 45, "state": "open"}, status=201, body={"item": "ink"}),
    entry("DELETE", f"{API}/orders/44", status=204, text=""),
    entry("GET", "https://shop.example/index.html", text="<html></html>", mimeType="text/html"),
    entry("GET", "https://cdn.example/logo.png", text=base64.b64encode(b"\x89PNG").decode(), encoding="base64", mimeType="image/png"),
    entry("OPTIONS", f"{API}/orders"),
    entry(
        "POST",
        "https://shop.example/graphql",
        {"data": {"me": {"name": "Ida"}}},
        body={"operationName": "Me", "query": "query Me {...}", "variables": {"deep": True}},
    ),
)


def test_requests_become_tools_by_method_and_path() -> None:
    imported = import_value(RECORDING)
    tools = {tool["name"]: tool for tool in imported.tools}
    assert list(tools) == ["get_v1_orders", "get_v1_orders_order_id", "post_v1_orders", "delete_v1_orders_order_id", "Me"]
    assert tools["get_v1_orders"]["inputSchema"] == {
        "type": "object",
        "properties": {"state": {"type": "string"}, "page": {"type": "integer"}},
    }
    assert tools["get_v1_orders_order_id"]["inputSchema"] == {
        "type": "object",
        "properties": {"order_id": {"type": "integer"}},
        "required": ["order_id"],
    }
    assert tools["post_v1_orders"]["inputSchema"]["required"] == ["item"]
    assert tools["Me"]["inputSchema"]["properties"] == {"deep": {"type": "boolean"}}
    assert tools["get_v1_orders_order_id"]["outputSchema"]["required"] == ["id", "note", "state"]
    assert imported.settings["tools"]["post_v1_orders"]["resource"] == "order"
    assert imported.notices == ("3 of 11 entries are no API calls and were passed over.",)


def test_answers_become_demonstrations() -> None:
    lines = [line for line in import_value(RECORDING).demonstrations if line["name"] == "get_v1_orders_order_id"]
    assert [line["arguments"] for line in lines] == [{"order_id": 41}, {"order_id": 42}, {"order_id": 43}]
    assert lines[1]["result"]["structuredContent"] == {"id": 42, "state": "closed", "note": "gift"}
    assert lines[2]["result"]["isError"] is True
    assert lines[2]["result"]["content"][0]["text"].startswith("HTTP error 404: Said - ")


async def test_the_world_loads_whole_and_answers(tmp_path: Any) -> None:
    write_imported(import_value(RECORDING), tmp_path / "shop")
    world = load_world(tmp_path / "shop")
    assert len(world.demonstrations) == 8
    assert not world.left_out
    assert not world.notices
    async with open_simulator(world, SimulatorOptions()) as simulator:
        made = (await simulator.call("s", Action.call("post_v1_orders", {"item": "cup"}))).observation.structured_content
        found = await simulator.call("s", Action.call("get_v1_orders_order_id", {"order_id": made["id"]}))
        assert not found.observation.is_error


def test_no_credential_is_kept() -> None:
    recording = har(
        entry(
            "GET",
            f"{API}/me?token={PLANTED['query']}&sig={PLANTED['query']}",
            {"name": "Ida", "access_token": PLANTED["answer"], "jwt": JWT},
        ),
        entry(
            "POST",
            f"{API}/login",
            {"ok": True, "next": f"https://x.example/?session_id={PLANTED['url']}"},
            body={"user": "ida", "password": PLANTED["body"]},
        ),
        entry(
            "GET",
            f"{API}/keys/{PLANTED['opaque']}",
            {"text": f"use {PLANTED['github']} or {PLANTED['aws']}", "deep": [{"apiKey": PLANTED["inner"]}]},
        ),
        entry("GET", f"{API}/raw", {"value": PLANTED["opaque"], "link": f"https://user:{PLANTED['url']}@x.example/"}),
        entry("PUT", f"{API}/text", text=f"Bearer {PLANTED['bearer']}", mimeType="text/plain"),
    )
    imported = import_value(recording)
    kept = json.dumps([imported.tools, imported.demonstrations, imported.settings, imported.background, imported.notices])
    assert len(imported.tools) == 5
    assert [name for name, secret in PLANTED.items() if secret in kept] == []


@pytest.mark.parametrize("name", ["password", "accessToken", "X-Api-Key", "client_secret", "sessionId", "csrf_token", "refresh-token"])
def test_names_of_credentials(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["pageToken", "next_token", "max_tokens", "author", "passenger", "key", "id", "signed"])
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "2026-01-01T00:00:00Z",
        "https://a.example/some/long/path/with/many/Parts1/and/More2",
        "plain words",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("v1/orders/41/items/7", "/v1/orders/{order_id}/items/{item_id}"),
        ("users/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/users/{user_id}"),
        ("commits/9fceb02d0ae598e95dc970b74767f19372d61af8", "/commits/{commit_id}"),
        ("issues/PROJ-123", "/issues/{issue_id}"),
        ("1/2", "/{id}/{id_2}"),
        ("api/v2/search", "/api/v2/search"),
        ("", "/"),
    ],
)
def test_ids_in_paths_are_parameters(path: str, template: str) -> None:
    assert make_template(tuple(part for part in path.split("/") if part))[0] == template


def test_a_tool_keeps_a_bounded_number_of_calls() -> None:
    entries = [entry("GET", f"{API}/orders/{number}", {"id": number}) for number in range(200)]
    imported = import_value(har(*entries))
    assert len(imported.tools) == 1
    assert len(imported.demonstrations) == MOST_DEMONSTRATIONS


@pytest.mark.parametrize(
    ("recording", "said"),
    [
        ({"log": {"entries": {}}}, 'has no "log" with "entries"'),
        (har(), "none of its 0 entries"),
        (har(3, None, {"request": []}, entry("GET", "::::", {})), "none of its 4 entries is a call of an API"),
        (har(entry("GET", "https://[broken", {"a": 1})), "none of its 1 entries"),
    ],
)
def test_what_is_no_recording_is_one_clear_error(recording: Any, said: str) -> None:
    with pytest.raises(SetupError, match="^here: ") as caught:
        import_value(recording, "here")
    assert said in str(caught.value)
