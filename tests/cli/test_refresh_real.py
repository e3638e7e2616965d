"""`mcp-sim run --refresh --real`: what is missing is asked of a real server, and nothing else."""

import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcp_sim.cli.main import main
from tests.cli.test_run_frozen import run
from tests.protocol.tracker_tools import TOOLS
from tests.served import MCP_SIM, served

SERVER = Path(__file__).parents[1] / "protocol" / "tracker_server.py"
SECRET = "a plain value of the environment"


class Tracker:
    """A world, a real server of it, and what that heard."""

    def __init__(self, folder: Path) -> None:
        self.world = folder / "tracker"
        self.world.mkdir()
        (self.world / "tools.json").write_text(json.dumps({"tools": TOOLS}))
        self._data = folder / "issues.json"
        self._data.write_text(json.dumps([{"number": 1, "title": "one ghp_0123456789abcdefghij", "state": "open"}]))
        self.command = f"'{sys.executable}' '{SERVER}' '{self._data}' '{self.world / 'tools.json'}'"

    @property
    def heard(self) -> list[str]:
        log = Path(f"{self._data}.log")
        return log.read_text().split() if log.exists() else []

    @property
    def kept(self) -> str:
        return "".join(path.read_text() for path in self.world.iterdir())


@pytest.fixture
def tracker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tracker:
    monkeypatch.setenv("TRACKER_PASSWORD", SECRET)
    return Tracker(tmp_path)


LIST, CREATE = "list_issues {}", json.dumps({"title": SECRET})
CALLS = [LIST, f"create_issue {CREATE}", LIST, 'get_weather {"city": "Bern"}']


def test_what_is_missing_is_asked_once_and_kept_without_secrets(tracker: Tracker) -> None:
    first = run(tracker.world, "--refresh", "--real", tracker.command, "--", *CALLS)
    assert first.returncode == 0, first.stderr
    assert SECRET in first.stdout, "the agent sees what the server said"
    assert tracker.heard == ["list_issues", "create_issue", "list_issues", "get_weather"]
    assert sum(line.startswith("+{") for line in first.stderr.splitlines()) == 4
    for text in (tracker.kept, first.stderr):
        assert SECRET not in text
        assert "ghp_0123456789" not in text

    frozen = run(tracker.world, "--frozen", "--", *CALLS)
    assert frozen.returncode == 0, frozen.stderr
    assert "4 of 4 frozen answers used" in frozen.stderr
    changed = run(tracker.world, "--frozen", "--", CALLS[1].replace("plain", "other"), LIST)
    assert changed.stdout.splitlines() == ["refused -32603", frozen.stdout.splitlines()[0]], "nothing was changed"

    again = run(tracker.world, "--refresh", "--real", tracker.command, "--", LIST, 'get_weather {"city": "Rome"}')
    assert tracker.heard[4:] == ["get_weather"], again.stderr
    assert "5 answers are frozen" in again.stderr


def test_a_server_in_another_state_than_the_session_is_not_asked(tracker: Tracker) -> None:
    run(tracker.world, "--refresh", "--real", tracker.command, "--", CALLS[1])
    later = run(tracker.world, "--refresh", "--real", tracker.command, "--", CALLS[1], LIST)
    assert later.returncode == 3
    assert "the real server has not seen turn 1, create_issue" in later.stderr
    assert tracker.heard == ["create_issue"]
    (tracker.world / "world.toml").write_text((tracker.world / "world.toml").read_text() + '[frozen]\nmatch = "call"\n')
    assert run(tracker.world, "--refresh", "--real", tracker.command, "--", CALLS[1], LIST).returncode == 0
    assert tracker.heard == ["create_issue", "list_issues"]


def test_a_server_at_a_url_and_one_that_is_gone(tmp_path: Path) -> None:
    tools = tmp_path / "mine"
    tools.mkdir()
    (tools / "tools.json").write_text(json.dumps({"tools": [{"name": "read_graph", "inputSchema": {"type": "object"}}]}))
    with served("memory") as url:
        header = ["--real-header", "Authorization: Bearer abcdefgh12345678"]
        asked = run(tools, "--refresh", "--real", url, *header, "--", "read_graph {}")
        assert asked.returncode == 0, asked.stderr
        assert "entities" in asked.stdout
    assert run(tools, "--refresh", "--real", "http://127.0.0.1:9/mcp", "--", "read_graph {}").stdout == asked.stdout
    (tools / "frozen.jsonl").unlink()
    gone = run(tools, "--refresh", "--real", "http://127.0.0.1:9/mcp", "--", "read_graph {}")
    assert "The real server cannot be asked for read_graph" in gone.stderr
    assert not (tools / "frozen.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--real", "x"], "only with --refresh"),
        (["--refresh", "--real", "x", "--model", "http://x"], "use one of them"),
        (["--refresh", "--real", "x", "--session", "s"], "leave --session away"),
        (["--refresh", "--real", "'x"], "no command line"),
        (["--refresh", "--real", ""], "nothing is given"),
        (["--refresh", "--real", "x", "--real-header", "a: b"], "Headers have a meaning only"),
        (["--refresh", "--real-header", "a: b"], "only with --real URL"),
    ],
)
def test_wrong_options_say_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["run", "memory", *arguments, "--into", os.devnull, "--", MCP_SIM])
    assert result.exit_code == 2
    assert message in result.output
