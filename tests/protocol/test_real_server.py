"""A real server behind the simulation: which calls reach it, what is laid over its answers, and what happens when it is not there."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import RealOptions, SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError, RealServerError, SetupError
from mcp_sim.simulator import Simulator
from mcp_sim.tool_specs.world_folder import load_world
from tests.protocol.tracker_tools import TOOLS

SERVER = str(Path(__file__).with_name("tracker_server.py"))
ISSUES = [{"number": number, "title": f"title {number}", "state": "open"} for number in (1, 2, 3)]
READS = '[shadow]\nreal_reads = ["list_issues", "get_*"]\n'


class Tracker:
    """The simulated tracker, and what the real one has and heard."""

    def __init__(self, simulator: Simulator, data: Path) -> None:
        self._simulator = simulator
        self._data = data

    async def call(self, name: str, **arguments: Any) -> Transition:
        return await self._simulator.call("s", Action.call(name, arguments), Context(deadline=anyio.current_time() + 20))

    async def issues(self) -> dict[int, dict[str, Any]]:
        listed = await self.call("list_issues")
        return {issue["number"]: issue for issue in json.loads(listed.observation.text)["issues"]}

    @property
    def turns(self) -> int:
        return len(self._simulator.peek("s").trajectory)

    @property
    def heard(self) -> list[str]:
        log = Path(f"{self._data}.log")
        return log.read_text().split() if log.exists() else []


@asynccontextmanager
async def tracker(folder: Path, toml: str = READS, *, command: list[str] | None = None) -> AsyncIterator[Tracker]:
    data = folder / "issues.json"
    data.write_text(json.dumps(ISSUES))
    (folder / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    (folder / "world.toml").write_text(toml)
    options = RealOptions(command=tuple(command or [sys.executable, SERVER, str(data), str(folder / "tools.json")]))
    async with open_simulator(load_world(folder), SimulatorOptions(shadow=options)) as simulator:
        yield Tracker(simulator, data)
    assert json.loads(data.read_text()) == ISSUES


async def test_reads_are_real_and_the_same_one_is_asked_once(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        first, again = await real.call("list_issues"), await real.call("list_issues")
        assert json.loads(first.observation.text) == {"issues": ISSUES}
        assert (first.source, first.notes, again.source, again.recalled) == ("real", [], "real", 1)
        refused = await real.call("get_issue", number=9)
        assert (refused.source, refused.observation.is_error) == ("real", True)
        assert real.heard == ["list_issues", "get_issue"]


async def test_later_reads_show_what_was_simulated(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        await real.issues()
        await real.call("get_issue", number=2)
        await real.call("update_issue", number=2, title="changed", state="closed")
        changed = await real.call("get_issue", number=2)
        assert json.loads(changed.observation.text) == {"number": 2, "title": "changed", "state": "closed"}
        assert (await real.issues())[2] == {"number": 2, "title": "changed", "state": "closed"}
        await real.call("delete_issue", number=3)
        assert sorted(await real.issues()) == [1, 2]
        untouched = await real.call("get_issue", number=1)
        assert json.loads(untouched.observation.text) == ISSUES[0]
        assert set(real.heard) == {"list_issues", "get_issue"}


async def test_what_was_made_is_listed_and_got(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        await real.issues()
        made = json.loads((await real.call("create_issue", title="new")).observation.text)
        issues = await real.issues()
        assert len(issues) == 4
        assert issues[made["number"]]["title"] == "new"
        assert "create_issue" not in real.heard


async def test_something_made_first_gets_a_free_number_and_joins_what_is_there(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        made = await real.call("create_issue", title="new")
        assert json.loads(made.observation.text)["number"] == 4
        assert {number: issue["title"] for number, issue in (await real.issues()).items()} == {
            **{issue["number"]: issue["title"] for issue in ISSUES},
            4: "new",
        }
        assert real.heard == ["list_issues", "list_issues"]


async def test_what_code_cannot_tell_is_marked(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        plain = await real.call("get_weather", city="Lima")
        await real.call("create_issue", title="new")
        marked = await real.call("get_weather", city="Lima")
        assert plain.observation == marked.observation
        assert plain.notes == []
        assert marked.source == "real"
        assert not marked.notes or "create_issue in turn 2" in marked.notes[0]


async def test_a_server_that_dies_is_an_error_and_is_started_again(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        await real.issues()
        with pytest.raises(RealServerError, match="ended before it answered tools/call. The session is as it was"):
            await real.call("get_issue", number=666)
        assert real.turns == 1
        assert (await real.call("get_issue", number=1)).source == "real"


async def test_a_server_that_is_silent_is_an_error_in_time(tmp_path: Path) -> None:
    async with tracker(tmp_path) as real:
        await real.issues()
        action = Action.call("get_issue", {"number": 777})
        with pytest.raises(PredictionError, match="No answer of 'get_issue' within the time allowed"):
            await real._simulator.call("s", action, Context(deadline=anyio.current_time() + 0.2))
        assert real.turns == 1
        assert (await real.call("get_issue", number=1)).source == "real"


async def test_a_server_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    async with tracker(tmp_path, command=["/no/such/server"]) as real:
        with pytest.raises(RealServerError, match="cannot be started"):
            await real.call("list_issues")
        assert real.turns == 0


async def test_a_tool_that_may_change_something_cannot_be_listed(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="names create_issue, update_issue, delete_issue, which may change the real server"):
        async with tracker(tmp_path, '[shadow]\nreal_reads = ["*e_issue"]\n'):
            pass


async def test_nothing_that_is_not_listed_gets_through(tmp_path: Path) -> None:
    async with tracker(tmp_path, '[shadow]\nreal_reads = ["get_weather"]\n') as real:
        for tool in TOOLS:
            arguments = {"title": "x", "number": 1, "city": "Lima", "state": "open"}
            await real.call(tool["name"], **{key: arguments[key] for key in tool["inputSchema"]["properties"]})
        assert real.heard == ["get_weather"]


REFUSING = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    token = os.environ["API_TOKEN"]
    error = {"error": {"code": -1, "message": f"no such key: {token} ({token.encode().hex()})"}}
    said = {"result": hello} if asked["method"] == "initialize" else error
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""


async def test_what_a_real_server_refuses_with_holds_none_of_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [{"name": "get_x", "inputSchema": {"type": "object"}}]}))
    (tmp_path / "world.toml").write_text('[shadow]\nreal_reads = ["get_x"]\n')
    shadow = RealOptions((sys.executable, "-c", REFUSING), {"API_TOKEN": "plain-words-of-mine"})
    async with open_simulator(load_world(tmp_path), SimulatorOptions(shadow=shadow)) as simulator:
        with pytest.raises(RealServerError, match="no such key: REDACTED \\(REDACTED\\)"):
            await simulator.call("s", Action.call("get_x"))
