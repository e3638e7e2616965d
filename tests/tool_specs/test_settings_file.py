from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.settings_file import read_settings, settings_text

TOML = """
title = "My files"
errors = "pydantic"
mutating = ["write_*"]
volatile = ["now"]
clock = 2026-03-01T08:00:00

[behaviours.filesystem]
root = "/srv"

[behaviours.search]

[model]
temperature = 0.2

[tools.echo]
kind = "other"
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "world.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_keys_are_the_fields_of_settings(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, TOML))
    assert settings.errors == "pydantic"
    assert settings.mutating == ("write_*",)
    assert list(settings.behaviours.items()) == [("filesystem", {"root": "/srv"}), ("search", {})]
    assert settings.model.temperature == 0.2
    assert settings.tools["echo"].kind == "other"


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("clock = 2026-03-01T08:00:00", datetime(2026, 3, 1, 8, tzinfo=UTC)),
        ("clock = 2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("clock = 2026-03-01T08:00:00+02:00", datetime(2026, 3, 1, 8, tzinfo=timezone(timedelta(hours=2)))),
    ],
)
def test_a_clock_without_zone_is_utc(tmp_path: Path, text: str, clock: datetime) -> None:
    found = read_settings(write(tmp_path, text)).clock
    assert found == clock
    assert found.tzinfo is not None


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("title = 'a'\nmutates = []", 2, "there is no setting 'mutates'. Did you mean mutating?"),
        ("xyzzy = 1", 1, "Known are title, domain"),
        ("[model]\ntemprature = 1", 2, "'model.temprature'. Did you mean temperature?"),
        ("[tools.echo]\nkin = 'other'", 2, "'tools.echo.kin'. Did you mean kind?"),
        ("\nerrors = 'zodd'", 2, "errors: Input should be 'zod', 'pydantic'"),
        ("mutating = 'write_*'", 1, "mutating: Input should be"),
        ("title = 3", 1, "title: Input should be a valid string"),
        ("clock = 'noon'", 1, "without quotes"),
        ("[behaviours.search]\nsince = 2026-01-01", 1, "behaviours: a value of type date is no JSON"),
        ("[behaviours.search]\nsince = nan", 1, "no JSON number"),
        ("behaviours = ['search']", 1, "behaviours: Input should be a valid dictionary"),
        ("title = ", 1, "is not TOML"),
        ("title = 'a'\ntitle = 'b'", 2, "is not TOML"),
    ],
)
def test_a_slip_is_refused_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SetupError) as caught:
        read_settings(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["title = " + "9" * 5000, "title = " + "[" * 5000, "title = " + "{a=" * 3000])
def test_hostile_toml_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SetupError):
        read_settings(write(tmp_path, text))


@given(st.text())
def test_any_text_gives_settings_or_one_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("toml") / "world.toml"
    path.write_bytes(text.encode())
    try:
        outcome = type(read_settings(path)).__name__
    except SetupError as error:
        outcome = str(error)
    assert outcome == "Settings" or outcome.startswith(str(path))


JSON_VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), st.dictionaries(st.text(), JSON_VALUES)), st.text(), st.lists(st.text()))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, behaviours: dict[str, dict[str, object]], title: str, globs: list[str]
) -> None:
    path = tmp_path_factory.mktemp("toml") / "world.toml"
    path.write_text(settings_text({"title": title, "volatile": globs, "behaviours": behaviours}), encoding="utf-8", newline="\n")
    settings = read_settings(path)
    assert (settings.title, list(settings.volatile), settings.behaviours) == (title, globs, behaviours)


@pytest.mark.parametrize("table", [{"titel": "x"}, {"behaviours": {"a": {"b": None}}}, {"errors": "none"}])
def test_what_would_not_load_is_not_written(table: dict[str, object]) -> None:
    with pytest.raises(SetupError):
        settings_text(table)
