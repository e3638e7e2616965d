"""A few settings changed in a file that a person wrote."""

from pathlib import Path

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.settings_edit import change_settings
from mcp_sim.tool_specs.settings_file import read_settings

WRITTEN = """# what we know
title = "Mine"   # for now
volatile = ["poll"]

[frozen]
match = "call"  # reads in any order

[tools.close]
kind = "update"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.json").write_text('{"tools": []}')
    (tmp_path / "world.toml").write_text(WRITTEN)
    return tmp_path


def test_what_is_not_changed_stays_as_it_was_written(folder: Path) -> None:
    change_settings(folder, {"volatile": ["poll", "now"], "frozen": {"redaction": {"key": "k"}}})
    settings = read_settings(folder / "world.toml")
    assert settings.volatile == ("poll", "now")
    assert (settings.frozen.match, settings.frozen.redaction.key) == ("call", "k")
    text = (folder / "world.toml").read_text()
    for line in ("# what we know", 'title = "Mine"   # for now', 'match = "call"  # reads in any order', "[tools.close]"):
        assert line in text


def test_an_inline_table_is_changed_as_well(folder: Path) -> None:
    (folder / "world.toml").write_text('frozen = {match = "call"}\n')
    change_settings(folder, {"frozen": {"redaction": {"key": "k"}}})
    assert read_settings(folder / "world.toml").frozen.redaction.key == "k"


@pytest.mark.parametrize("text", ["title = ", "frozen = 5\n"])
def test_a_file_that_cannot_be_changed_stays(folder: Path, text: str) -> None:
    (folder / "world.toml").write_text(text)
    with pytest.raises(SetupError, match=r"world\.toml"):
        change_settings(folder, {"frozen": {"redaction": {"key": "k"}}})
    assert (folder / "world.toml").read_text() == text


def test_an_unknown_setting_is_refused(folder: Path) -> None:
    with pytest.raises(SetupError, match="no setting 'volatil'"):
        change_settings(folder, {"volatil": []})
    assert (folder / "world.toml").read_text() == WRITTEN
