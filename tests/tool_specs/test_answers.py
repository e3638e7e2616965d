import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types.methods import validate_server_result
from pydantic import ValidationError

from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.answers import read_demonstrations, read_frozen
from mcp_sim.tool_specs.mending import mend_all

DEFINITIONS = [
    {"name": "echo", "inputSchema": {"type": "object"}},
    {
        "name": "add",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]},
    },
]
TEXT = {"content": [{"type": "text", "text": "hi"}]}


@pytest.fixture
def tools() -> dict[str, ToolSpec]:
    return {tool.name: tool for tool in mend_all(DEFINITIONS)[0]}


def write(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_a_recording_is_a_file_of_demonstrations(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    path = write(
        tmp_path,
        {"turn": 1, "name": "echo", "arguments": {"a": 1}, "result": TEXT, "latency_ms": 2.5},
        "",
        {"name": "echo", "result": TEXT},
    )
    (first, second), notices = read_demonstrations(path, tools)
    assert notices == ()
    assert (first.action.name, first.action.arguments, first.observation.to_result()) == ("echo", {"a": 1}, TEXT)
    assert second.action.arguments == {}


def test_a_frozen_line_says_how_widely_it_holds(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    structured = {"content": [], "structuredContent": {"sum": 3}}
    path = write(
        tmp_path,
        {"name": "echo", "arguments": {}, "result": TEXT},
        {"name": "echo", "arguments": {}, "result": TEXT, "fingerprint": "ab", "occurrence": 2},
        {"name": "add", "arguments": {}, "result": structured},
        {"name": "add", "arguments": {"a": "x"}, "result": {"content": [], "isError": True}},
    )
    answers = read_frozen(path, tools)
    assert [(answer.fingerprint, answer.occurrence) for answer in answers] == [(None, None), ("ab", 2), (None, None), (None, None)]
    assert answers[2].observation.structured_content == {"sum": 3}


def test_a_recorded_call_of_a_tool_that_is_not_served_is_passed_over_and_reported(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    path = write(tmp_path, {"name": "ehco", "result": TEXT})
    assert read_demonstrations(path, tools) == ((), (f'{path}:1: passed over, this world has no tool "ehco". Did you mean echo?',))


def test_frozen_answers_of_a_tool_that_was_left_out_are_passed_over(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    assert read_frozen(write(tmp_path, {"name": "odd", "result": TEXT}), tools, frozenset({"odd"})) == ()


def test_a_repeated_frozen_line_counts_once(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    line = {"name": "echo", "arguments": {"a": 1, "b": 2}, "result": TEXT}
    other_order = {"name": "echo", "arguments": {"b": 2, "a": 1}, "result": TEXT}
    assert len(read_frozen(write(tmp_path, line, other_order), tools)) == 1


def test_two_frozen_lines_that_contradict_each_other_are_both_named(tmp_path: Path, tools: dict[str, ToolSpec]) -> None:
    path = write(tmp_path, {"name": "echo", "result": TEXT}, "", {"name": "echo", "result": {"content": []}})
    with pytest.raises(SetupError) as caught:
        read_frozen(path, tools)
    assert f"{path}:3: " in str(caught.value)
    assert f"{path}:1" in str(caught.value)


BLOCKS = [
    {"type": "text", "text": "a"},
    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    {"type": "resource", "resource": {"uri": "file:///a", "text": ""}},
    {"type": "resource", "resource": {"uri": "file:///a", "blob": "aGk="}},
    {"type": "resource_link", "uri": "file:///a", "name": "a"},
]


@pytest.mark.parametrize("block", BLOCKS)
def test_content_blocks_are_refused_where_the_sdks_own_models_refuse_them(tmp_path: Path, tools: dict[str, ToolSpec], block: Any) -> None:
    assert len(read_frozen(write(tmp_path, {"name": "echo", "result": {"content": [block]}}), tools)) == 1
    inner = block.get("resource", block)
    for key in inner:
        lacking = {other: value for other, value in inner.items() if other != key}
        broken = {**block, "resource": lacking} if "resource" in block else lacking
        with pytest.raises(ValidationError):
            validate_server_result("tools/call", "2025-11-25", {"content": [broken]})
        with pytest.raises(SetupError, match="content block 1"):
            read_frozen(write(tmp_path, {"name": "echo", "result": {"content": [broken]}}), tools)


BOTH = [
    ("{", "is not JSON"),
    ('{"name": "echo", "name": "add"}', "twice"),
    ([1], "is a list, not an object"),
    ({"result": TEXT}, '"name" is null'),
    ({"name": "echo", "argument": {}, "result": TEXT}, "Did you mean arguments?"),
    ({"name": "echo", "arguments": [], "result": TEXT}, '"arguments" is a list'),
    ({"name": "echo"}, '"result" is null'),
    ({"name": "echo", "result": {"content": "hi"}}, "result: content"),
    ({"name": "echo", "result": {"content": [], "isError": "no!"}}, "result: is_error"),
    ({"name": "echo", "result": {"content": [{"type": "txet", "text": "a"}]}}, 'content block 1 has the type "txet"'),
    ({"name": "echo", "result": {"content": [{"type": "text"}]}}, 'needs "text"'),
    ({"name": "echo", "result": {"content": [{"type": "image", "data": ""}]}}, 'needs "mimeType"'),
    ({"name": "echo", "result": {"content": [{"type": "resource", "resource": "x"}]}}, 'needs "resource"'),
    ({"name": "echo", "arguments": {"a": "\ud800"}, "result": TEXT}, "surrogate"),
]
FROZEN = [
    ({"name": "ehco", "result": TEXT}, 'no tool "ehco". Did you mean echo?'),
    ({"name": "zzz", "result": TEXT}, "Remove the line"),
    ({"name": "echo", "result": TEXT, "fingerprint": 3}, '"fingerprint" is a number'),
    ({"name": "echo", "result": TEXT, "occurrence": 0}, '"occurrence" counts from 1, but is 0'),
    ({"name": "echo", "result": TEXT, "occurrence": True}, "but is true"),
    (
        {"name": "add", "result": {"content": [], "structuredContent": {"sum": "3"}}},
        "structuredContent/sum breaks the output schema of add",
    ),
    ({"name": "add", "result": TEXT}, 'clients want "structuredContent"'),
    ({"name": "echo", "error": "no"}, "code, message and perhaps data"),
    ({"name": "echo", "error": {"code": 1, "message": "m", "why": 1}}, "code, message and perhaps data"),
    ({"name": "echo", "error": {"code": True, "message": "m"}}, 'a number "code"'),
    ({"name": "echo", "error": {"code": 1}}, 'a text "message"'),
    ({"name": "echo", "error": {"code": 1, "message": "m"}, "result": TEXT}, 'both "result" and "error"'),
    ({"name": "echo", "result": TEXT, "progress": {"progress": 1}}, '"progress" is an object'),
    ({"name": "echo", "result": TEXT, "progress": [{"total": 1}]}, 'objects with "progress"'),
    ({"name": "echo", "result": TEXT, "progress": [{"progress": "1"}]}, '"progress" is a text'),
    ({"name": "echo", "result": TEXT, "progress": [{"progress": 1, "message": 2}]}, '"message" is a number'),
]


@pytest.mark.parametrize(("line", "said"), BOTH)
def test_a_wrong_demonstration_is_refused_with_its_line(tmp_path: Path, tools: dict[str, ToolSpec], line: Any, said: str) -> None:
    path = write(tmp_path, "", line)
    with pytest.raises(SetupError) as caught:
        read_demonstrations(path, tools)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(("line", "said"), BOTH + FROZEN)
def test_a_wrong_frozen_answer_is_refused_with_its_line(tmp_path: Path, tools: dict[str, ToolSpec], line: Any, said: str) -> None:
    path = write(tmp_path, "", line)
    with pytest.raises(SetupError) as caught:
        read_frozen(path, tools)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert said in str(caught.value)
