import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.language.failures import Failures
from tests.predictors.language.worlds import demonstration, session_of, tool, world

MISSING = "ENOENT: no such file or directory, open '/home/ada/notes.txt'"
WORLD = world(
    demonstrations=(
        demonstration("read_file", {"path": "/home/ada/notes.txt"}, MISSING, is_error=True),
        demonstration("read_file", {"path": "/home/ada/log"}, "Error: disk full at 10:31"),
    )
)
READ = Action.call("read_file", {"path": "/x"})


@pytest.mark.parametrize(
    ("reply", "failed"),
    [
        (MISSING, True),
        ("ENOENT: no such file or directory, open '/other'", True),
        ("ENOENT: no such file or directory", False),
        ("ENOENT: no such file or directory, open '/other'\nand more of the file", False),
        ("ENOENT: no such file or directory, open 'a\nb'", False),
        ("Error: something", False),
        ("error", False),
        ("", False),
        ("MCP error -32602: nope", True),  # how this world's server library wraps failures
        ("log: MCP error -32602: nope", False),
        ("x" * 10_000, False),
    ],
)
def test_only_a_known_shape_is_a_failure(reply: str, failed: bool) -> None:
    assert Failures(WORLD).reports(session_of(WORLD), READ, reply) is failed


def test_a_shape_of_another_tool_is_none_of_this() -> None:
    assert not Failures(WORLD).reports(session_of(WORLD), Action.call("write_file", {}), MISSING)


@pytest.mark.parametrize("text", [MISSING, "MCP error -32602: nope"])
def test_a_file_with_the_words_of_a_failure_stays_a_file(text: str) -> None:
    written = session_of(WORLD, (Action.call("write_file", {"path": "/x", "content": f"{text}\nmore"}), Observation.of_text("ok")))
    shown = session_of(WORLD, (READ, Observation.of_text(text)))
    assert not Failures(WORLD).reports(written, READ, text)
    assert not Failures(WORLD).reports(shown, READ, text)


def test_a_shape_that_a_success_has_as_well_tells_nothing() -> None:
    demonstrations = (
        demonstration("query", {"sql": "select 1"}, "Database error: no such table", is_error=True),
        demonstration("query", {"sql": "select 2"}, "Database error: no such table"),
    )
    of = world(tool("query"), demonstrations=demonstrations)
    assert not Failures(of).reports(session_of(of), Action.call("query"), "Database error: no such table")


@given(st.text())
def test_hostile_contents_are_no_failures_unless_they_are_word_for_word_so(text: str) -> None:
    assert not Failures(WORLD).reports(session_of(WORLD), READ, "Error: " + text)
    assert text.isspace() or not text or not Failures(WORLD).reports(session_of(WORLD), READ, text + "\n" + MISSING)


CORPUS = Path(os.environ.get("MCP_SIM_CORPUS", "/nonexistent")) / "trajectories"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="MCP_SIM_CORPUS names no folder of recordings")
@pytest.mark.parametrize("name", ["filesystem", "sqlite"])
def test_no_recorded_success_turns_into_a_failure_and_recorded_failures_are_known(name: str) -> None:
    recorded = [
        Demonstration(action=Action.call(row["name"], row["arguments"]), observation=Observation.of_result(row["result"]))
        for row in map(json.loads, (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines())
    ]
    of = world(*(tool(name) for name in sorted({item.action.name for item in recorded})), demonstrations=tuple(recorded))
    failures, session = Failures(of), session_of(of)
    for item in recorded:
        said = failures.reports(session, item.action, item.observation.text)
        assert said <= item.observation.is_error, item
    failed = [item for item in recorded if item.observation.is_error]
    known = sum(failures.reports(session, item.action, item.observation.text) for item in failed)
    assert known >= 0.8 * len(failed)
