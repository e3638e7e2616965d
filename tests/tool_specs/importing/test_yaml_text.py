import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.yaml_text import MOST_VALUES, parse_yaml

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10).filter(lambda key: key != "<<"), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES)
def test_what_pyyaml_writes_is_read_back(value: object) -> None:
    assert parse_yaml(yaml.safe_dump(value), "a.yaml") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("[yes, on, off, y]", ["yes", "on", "off", "y"]),
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"),
        ("012", 12),
        ("0o14", 12),
        ("0xff", 255),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1e3", 1000.0),
        ("+.5", 0.5),
        (".inf", ".inf"),
        ("~", None),
        ("'~'", "~"),
        ("!!str 12", "12"),
        ("200: ok\ntrue: x", {"200": "ok", "true": "x"}),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x {b: 1, d: 2}\nc:\n  <<: *x\n  d: 3", {"a": {"b": 1, "d": 2}, "c": {"b": 1, "d": 3}}),
        ("c:\n  <<: [{b: 1}, {b: 2, e: 4}]", {"c": {"b": 1, "e": 4}}),
        ("<<: text", {"<<": "text"}),
        ("\ufeffa: 1", {"a": 1}),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    assert parse_yaml(text, "a.yaml") == value


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGE_BOMB = "a: &a {k: v}\n" + "".join(
    f"{name}: &{name}\n  <<: [{','.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, f"a.yaml:7: holds more than {MOST_VALUES:,} values"),
        (MERGE_BOMB, "holds more than"),
        ("a: &a [*a]", "stands within its own anchor"),
        ("a: *b", "names none"),
        ("a: 1\nb: 2\na: 3", 'a.yaml:3: an object has the key "a" twice'),
        ("{[1]: 2}", "a key is a list or an object"),
        ("a: !!python/object/apply:os.system ['true']", "has no meaning in JSON"),
        ("a: !secret x", "the tag !secret"),
        ("a: 1\n---\nb: 2", "a.yaml:2: a second document"),
        ("a: [1, 2", "is not YAML"),
        ("a: 'x", "is not YAML"),
        ("a:\n\t- b", "a.yaml:2: is not YAML"),
        ("a: \x07", "is not YAML"),
        ("", "is empty"),
        ("9" * 5000, "too long"),
        ("[" * 3000, "is not YAML"),
        ("[" * 300 + "]" * 300, "nested deeper than 150"),
        ("\n".join(" " * depth + "a:" for depth in range(2000)), "is not YAML"),
    ],
)
def test_what_is_no_json_is_one_clear_error(text: str, said: str) -> None:
    with pytest.raises(SetupError, match="^a.yaml") as caught:
        parse_yaml(text, "a.yaml")
    assert said in str(caught.value)


@given(st.text(alphabet=st.sampled_from("abc:&*-[]{}<>!|'\"#\n ,0."), max_size=60))
def test_any_text_gives_a_value_or_one_error(text: str) -> None:
    try:
        told = repr(parse_yaml(text, "a.yaml"))
    except SetupError as error:
        told = str(error)
        assert told.startswith("a.yaml")
    assert told
