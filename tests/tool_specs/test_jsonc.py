"""JSON with comments: read as what it says, and every value found where it stands."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.jsonc import blank, find, members, read_jsonc

WHERE = Path("settings.json")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)
GAP = st.sampled_from([" ", "\n", "\t", '// a, } ] " comment\n', '/* { " , \n */', ""])


@st.composite
def commented(draw: st.DrawFn) -> tuple[Any, str]:
    """A value, and a text of it with comments and trailing commas between its tokens."""
    value = draw(JSON)

    def write(node: Any) -> str:
        if isinstance(node, list):
            body = ",".join(draw(GAP) + write(item) + draw(GAP) for item in node)
            return "[" + body + (draw(st.sampled_from(["", ","])) if node else "") + draw(GAP) + "]"
        if isinstance(node, dict):
            body = ",".join(f"{draw(GAP)}{json.dumps(key)}{draw(GAP)}:{draw(GAP)}{write(item)}" for key, item in node.items())
            return "{" + body + (draw(st.sampled_from(["", ","])) if node else "") + draw(GAP) + "}"
        return json.dumps(node, ensure_ascii=draw(st.booleans()))

    return value, draw(GAP) + write(value) + draw(GAP)


@given(commented())
def test_comments_and_trailing_commas_say_nothing(pair: tuple[Any, str]) -> None:
    value, text = pair
    assert read_jsonc(text, WHERE) == value
    assert len(blank(text)) == len(text)
    assert blank(text).count("\n") == text.count("\n")


@given(commented())
def test_every_member_is_found_where_it_stands(pair: tuple[Any, str]) -> None:
    value, text = pair
    plain = blank(text)
    place = find(plain, ())
    assert place
    if isinstance(value, dict):
        found = {key: json.loads(plain[begin:end]) for key, begin, end in members(plain, place[0])}
        assert found == value
        for key in value:
            spot = find(plain, (key,))
            assert spot
            assert json.loads(plain[slice(*spot)]) == value[key]
    assert find(plain, ("no such key at all",)) is None


@pytest.mark.parametrize("text", ['{"a": 1,,}', "[1 2]", '{"a": 1 /* }', "// only\n", "{'a': 1}", '"//', "[1,]]"])
def test_what_is_none_is_said(text: str) -> None:
    with pytest.raises(SetupError, match=r"settings\.json"):
        read_jsonc(text, WHERE)


@pytest.mark.parametrize("text", ["/*" * 200_000, '"' * 200_001, ", " * 200_000, "//" * 200_000, "{" * 5_000, '{"a":' * 5_000])
def test_no_text_takes_long(text: str) -> None:
    with pytest.raises(SetupError):
        read_jsonc(text, WHERE)
