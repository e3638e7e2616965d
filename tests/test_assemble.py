"""Names into objects: behaviours are found, bound to a world's own tool names, and refused clearly."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.assemble.behaviours import find_behaviours
from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.world_folder import load_world, write_world

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def make(folder: Path, behaviours: dict[str, Any]) -> str:
    tools = [{"name": "show", "inputSchema": PATH}, {"name": "list_directory", "inputSchema": PATH}]
    state = {"filesystem": {"allowed": ["/data"], "tree": {"data": {"a.txt": "hello"}}}}
    write_world(folder / "w", listing={"tools": tools}, state=state, settings={"behaviours": behaviours})
    return str(folder / "w")


async def test_a_behaviour_answers_a_server_that_calls_its_tools_otherwise(tmp_path: Path) -> None:
    world = load_world(make(tmp_path, {"filesystem": {"names": {"show": "read_text_file"}}}))
    assert find_behaviours(world) == {"list_directory": "filesystem", "show": "filesystem"}
    async with open_simulator(world, SimulatorOptions()) as simulator:
        shown = await simulator.call("s", Action.call("show", {"path": "/data/a.txt"}))
        listed = await simulator.call("s", Action.call("list_directory", {"path": "/data"}))
    assert (shown.observation.text, shown.action.name, shown.source) == ("hello", "show", "computed")
    assert listed.observation.text == "[FILE] a.txt"


@pytest.mark.parametrize(
    ("behaviours", "says"),
    [
        ({"filesistem": {}}, "no behaviour 'filesistem'.*filesystem"),
        ({"filesystem": {"names": {"nope": "read_text_file"}}}, "'nope'.*must be a tool of this world"),
        ({"filesystem": {"names": {"show": "nope"}}}, "'nope'.*read_text_file"),
        ({"filesystem": {"names": "show"}}, "must be a table"),
        ({"filesystem": {"root": "/"}}, "root"),
    ],
)
def test_what_world_toml_has_wrong_is_said(tmp_path: Path, behaviours: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        find_behaviours(load_world(make(tmp_path, behaviours)))


async def test_the_bundled_github_world_keeps_what_is_created(tmp_path: Path) -> None:
    repository = {"owner": "brinewatch", "repo": "tidegauge"}
    async with open_simulator(load_world("github"), SimulatorOptions()) as simulator:
        created = json.loads(
            (await simulator.call("s", Action.call("create_issue", {**repository, "title": "Clocks drift"}))).observation.text
        )
        closed = {**repository, "issue_number": created["number"], "state": "closed"}
        await simulator.call("s", Action.call("update_issue", closed))
        opened = await simulator.call("s", Action.call("list_issues", {**repository, "state": "open", "per_page": 100}))
        shown = await simulator.call("s", Action.call("get_issue", {**repository, "issue_number": created["number"]}))
    assert created["number"] == 420, "background.md: numbers are shared by issues and pull requests, and the next one is 420"
    assert 420 not in [issue["number"] for issue in json.loads(opened.observation.text)]
    assert json.loads(shown.observation.text)["state"] == "closed"
