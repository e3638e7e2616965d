import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_sim.core.schema import Schema
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importers import import_any, import_python
from mcp_sim.tool_specs.importing.imported import Imported
from tests.tool_specs.importing import sample_functions

MODULE = "tests.tool_specs.importing.sample_functions"


def test_a_function_by_its_name() -> None:
    (tool,) = import_any(f"{MODULE}:search").tools
    assert tool["name"] == "search"
    assert tool["description"] == "Search the web.\n\nFinds pages by words."
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for."},
            "limit": {"type": "integer", "default": 10, "description": "How many results\nat most."},
            "kind": {"type": "string", "enum": ["news", "web"], "default": "web"},
            "since": {
                "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                "default": None,
                "description": "Only what is newer.",
            },
        },
        "required": ["query"],
    }
    result = tool["outputSchema"]["properties"]["result"]
    assert result["type"] == "array"
    assert result["description"] == "The pages found, best first."
    assert Schema(tool["outputSchema"]).is_valid({"result": [{"title": "a", "url": "b"}]})


def test_every_style_of_docstring_and_type() -> None:
    imported = import_any(MODULE)
    tools = {tool["name"]: tool for tool in imported.tools}
    assert list(tools) == ["search", "order", "whisper", "with_context", "untyped", "decorated"]
    for tool in tools.values():
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator.check_schema(tool.get("outputSchema", {}))
    address = tools["order"]["inputSchema"]
    assert address["properties"]["address"]["description"] == "Where to send it."
    assert address["properties"]["note"] == {"type": "string", "maxLength": 5, "default": "", "description": "A word to the driver."}
    assert Schema(address).is_valid({"address": {"street": "a"}, "sizes": ["s"]})
    assert not Schema(address).is_valid({"address": {"street": "a"}, "sizes": ["small"]})
    assert tools["order"]["outputSchema"]["properties"].keys() == {"number", "total"}
    assert tools["whisper"]["inputSchema"]["additionalProperties"] is True
    assert tools["whisper"]["inputSchema"]["properties"]["volume"]["description"] == "How loud."
    assert "outputSchema" not in tools["whisper"]
    assert list(tools["with_context"]["inputSchema"]["properties"]) == ["copy", "_hidden"]
    assert tools["untyped"]["inputSchema"]["required"] == ["a"]
    assert tools["decorated"]["inputSchema"]["required"] == ["city"]
    assert [notice.split(":")[0] for notice in imported.notices] == [
        "with_context",
        "impossible was passed over",
    ]


def test_a_list_of_functions_and_of_what_frameworks_make_of_them() -> None:
    imported: Imported = import_any(f"{MODULE}:TOOLS")
    assert [tool["name"] for tool in imported.tools] == ["search", "renamed"]
    assert import_python(sample_functions.search).tools == imported.tools[:1]
    assert import_python([sample_functions.search]).tools == imported.tools[:1]


def test_a_module_where_the_command_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_local_tools.py").write_text("def hello(name: str) -> str:\n    'Greet.'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert [tool["name"] for tool in import_any("my_local_tools").tools] == ["hello"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_module_here:f", "there is no module 'no_such_module_here'"),
        (f"{MODULE}:nothing", "has no 'nothing'"),
        (f"{MODULE}:Size", "holds no function that can be a tool"),
        (f"{MODULE}:impossible", "a type without a JSON Schema"),
        ("broken_tools", "SyntaxError"),
        ("ending_tools", "SystemExit"),
        ("missing_import", "there is no module 'not_there'"),
    ],
)
def test_what_cannot_be_imported_is_one_clear_error(name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_tools.py").write_text("def (", encoding="utf-8")
    (tmp_path / "ending_tools.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "missing_import.py").write_text("import not_there", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SetupError) as caught:
        import_any(name)
    assert said in str(caught.value)
