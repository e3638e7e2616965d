import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import MAX_DEPTH, flaw, parse, read_json, read_text, shown

HERE = Path("some.json")


def nested(depth: int) -> object:
    value: object = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}\n\n{", "some.json:3: is not JSON: Extra data"),
        ('{"a": 1,\n "a": 2}', 'has the key "a" twice'),
        ("[NaN]", "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("[1e999]", "1e999 is too large"),
        ("[" + "9" * 5000 + "]", "number that is too long"),
        ("[" * 100_000, "deeper than 150 levels"),
        ("// a comment\n{}", "some.json:1: is not JSON"),
        ("", "is empty"),
        (" \n", "is empty"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse(text, HERE)
    assert said in str(caught.value)
    assert str(caught.value).startswith("some.json")


def test_a_line_of_a_larger_file_is_named_by_its_number_there() -> None:
    with pytest.raises(SetupError, match=r"some\.json:7: is not JSON"):
        parse("{", HERE, first_line=7)


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_json_is_read_as_the_standard_parser_reads_it(value: object) -> None:
    assert parse(json.dumps(value), HERE) == value


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"a": 1}'.encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary"),
        (b'{\n"a": "\xe9"}', ":2: is not UTF-8 (byte 0xe9)"),
        (b"x" * 101, "larger than"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(SetupError) as caught:
        read_text(path, max_bytes=100)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'\xef\xbb\xbf{"a": "\xc3\xa9"}')
    assert read_json(tmp_path / "x.json") == {"a": "é"}


@pytest.mark.parametrize(("name", "said"), [("gone.json", "no such file"), ("folder", "not a regular file"), ("a\0b", "a")])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SetupError, match=said):
        read_text(tmp_path / name)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": ["\ud800"]}, "half of a surrogate pair"),
        ({"\udfff": 1}, "half of a surrogate pair"),
        ([float("nan")], "no JSON number"),
        ({1: 2}, "no text"),
        ({"a": b""}, "type bytes"),
        (nested(MAX_DEPTH + 1), "nested deeper"),
        (nested(5000), "nested deeper"),
    ],
)
def test_a_flaw_is_named(value: object, said: str) -> None:
    assert said in str(flaw(value))


@pytest.mark.parametrize("value", [None, 1, True, "é\U0001f600", [1.5, {"a": []}], nested(MAX_DEPTH)])
def test_what_can_be_sent_has_no_flaw(value: object) -> None:
    assert flaw(value) is None


@given(st.recursive(st.none() | st.floats() | st.text(st.characters()), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_is_shown_is_one_short_printable_line(value: object) -> None:
    text = shown(value)
    assert len(text) <= 80
    assert text.isascii()
    assert text.isprintable()
