import json
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importers import detect, import_any, import_value

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OPENAI_CHAT = [{"type": "function", "function": {"name": "get_weather", "description": "Weather.", "parameters": SCHEMA, "strict": True}}]
OPENAI_RESPONSES = [{"type": "function", "name": "get_weather", "description": "Weather.", "parameters": SCHEMA}, {"type": "web_search"}]
OPENAI_LEGACY = {"model": "m", "functions": [{"name": "get_weather", "description": "Weather.", "parameters": SCHEMA}]}
ANTHROPIC = [{"name": "get_weather", "description": "Weather.", "input_schema": SCHEMA}, {"type": "bash_20250124", "name": "bash"}]
GEMINI_SCHEMA = {
    "type": "OBJECT",
    "properties": {"city": {"type": "STRING"}},
    "required": ["city"],
    "propertyOrdering": ["city"],
}
GEMINI = {
    "tools": [
        {"functionDeclarations": [{"name": "get_weather", "description": "Weather.", "parameters": GEMINI_SCHEMA}]},
        {"googleSearch": {}},
    ]
}
GEMINI_NEW = [{"name": "get_weather", "description": "Weather.", "parametersJsonSchema": SCHEMA}]
MCP = {"tools": [{"name": "get_weather", "description": "Weather.", "inputSchema": SCHEMA}]}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (OPENAI_CHAT, "openai"),
        ({"tools": OPENAI_CHAT, "model": "m", "messages": []}, "openai"),
        (OPENAI_RESPONSES, "openai"),
        (OPENAI_LEGACY, "openai"),
        (OPENAI_CHAT[0], "openai"),
        (ANTHROPIC, "anthropic"),
        ({"tools": ANTHROPIC}, "anthropic"),
        (GEMINI, "gemini"),
        (GEMINI["tools"][0], "gemini"),
        ([{"name": "get_weather", "description": "Weather.", "parameters": GEMINI_SCHEMA}], "gemini"),
        (GEMINI_NEW, "gemini"),
        (MCP, "mcp"),
        (MCP["tools"], "mcp"),
        ({"jsonrpc": "2.0", "id": 1, "result": MCP}, "mcp"),
    ],
)
def test_the_form_is_told_by_its_shape(value: Any, kind: str, tmp_path: Path) -> None:
    assert detect(value) == kind
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    tools = import_any(path).tools
    assert tools == [{"name": "get_weather", "description": "Weather.", "inputSchema": SCHEMA}]


def test_what_the_provider_runs_is_told_and_passed_over() -> None:
    assert import_value(OPENAI_RESPONSES).notices == ('Entry 2 ("web_search") is no function with a schema; it was passed over.',)
    assert import_value(ANTHROPIC).notices == ('Entry 2 ("bash") is no function with a schema; it was passed over.',)


def test_gemini_schemas_become_json_schema() -> None:
    declaration = {
        "name": "f",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "when": {"type": "STRING", "format": "date-time", "nullable": True},
                "kind": {"type": "STRING", "format": "enum", "enum": ["a", "b"]},
                "many": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1", "maxItems": "9"},
                "either": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "example": "x"},
            },
        },
        "response": {"type": "ARRAY", "items": {"type": "STRING"}},
    }
    (tool,) = import_value([{"functionDeclarations": [declaration]}]).tools
    assert tool["inputSchema"]["properties"] == {
        "when": {"type": ["string", "null"], "format": "date-time"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "many": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 9},
        "either": {"anyOf": [{"type": "string"}, {"type": "number"}], "examples": ["x"]},
    }
    assert tool["outputSchema"] == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
        "required": ["result"],
    }


def test_a_function_without_parameters_takes_none() -> None:
    (tool,) = import_value([{"type": "function", "function": {"name": "now"}}]).tools
    assert tool["inputSchema"] == {"type": "object", "properties": {}}


def test_names_are_made_plain_and_unique() -> None:
    imported = import_value([{"name": name, "input_schema": SCHEMA} for name in ("a.b", "a.b", "a_b")])
    assert [tool["name"] for tool in imported.tools] == ["a_b", "a_b_2", "a_b_3"]
    assert len(imported.notices) == 3


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        ([], None, "no known kind"),
        ({}, None, "no known kind"),
        ("text", None, "holds a text that is of no known kind"),
        (None, None, "holds null"),
        ([1, "a"], None, "no known kind"),
        ([], "openai", "The list is empty"),
        ([{"type": "web_search"}], "openai", "none of its 1 entries"),
        ({"a": 1}, "anthropic", 'without "tools"'),
        ({"mcpServers": {}}, "mcp", "client's configuration"),
        ({"a": 1}, "har", "no HAR recording"),
        ([], "openapi", "no OpenAPI document"),
        (SCHEMA, "python", "not the name of a Python function"),
        ({"a": float("nan"), "tools": []}, None, "no JSON number"),
    ],
)
def test_anything_else_is_one_clear_error(value: Any, form: Any, said: str) -> None:
    with pytest.raises(SetupError, match="^here: ") as caught:
        import_value(value, "here", form)
    assert said in str(caught.value)
