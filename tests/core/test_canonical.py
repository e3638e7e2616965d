"""JSON texts: laid out as `json.dumps` does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.canonical import indented

TEXTS = st.text(st.characters(exclude_categories=[]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


@given(VALUES, st.integers(1, 4))
def test_what_is_written_is_laid_out_as_json_dumps_does_and_read_back_the_same(value: object, indent: int) -> None:
    text = indented(value, indent)
    assert json.loads(text) == value
    assert [line.rstrip("-.e0123456789,") for line in text.splitlines()] == [
        line.rstrip("-.e0123456789,") for line in json.dumps(value, indent=indent, ensure_ascii=False).splitlines()
    ]


@pytest.mark.parametrize(("value", "text"), [(0.00001, "0.00001"), (1e-7, "1e-7"), (1.5, "1.5"), (1e21, "1e+21")])
def test_floats_are_spelled_as_json_stringify_does(value: float, text: str) -> None:  # the texts are Node's
    assert indented(value) == text


def test_what_is_nested_too_deeply_for_the_fast_way_is_written_all_the_same() -> None:
    value: object = "x"
    for _ in range(400):
        value = [value]
    assert json.loads(indented(value)) == value
