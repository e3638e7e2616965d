"""The tool lists of real servers, where they are present: none loses a tool."""

import json
import os
from pathlib import Path

import pytest

from mcp_sim.tool_specs.world_folder import load_world, write_world

FOLDER = Path(os.environ.get("MCP_SIM_CORPUS", "/nonexistent"))
LISTS = sorted((FOLDER / "toolslists").glob("*.json"))

pytestmark = pytest.mark.skipif(not LISTS, reason="MCP_SIM_CORPUS names no corpus")


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_tool_of_a_real_server_is_served_as_it_was(path: Path) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    world = load_world(path)
    assert world.left_out == ()
    assert [tool.name for tool in world.tools] == [tool["name"] for tool in raw["tools"]]
    assert world.server_info == raw["initialize"]["serverInfo"]
    assert world.instructions == raw["initialize"].get("instructions")
    for tool, sent in zip(world.tools, raw["tools"], strict=True):
        changed = {key for key in {*sent, *tool.definition} if sent.get(key) != tool.definition.get(key)}
        assert changed <= {"execution"}
        assert bool(changed) == any("taskSupport" in sentence for sentence in tool.mended)


@pytest.mark.parametrize("name", ["filesystem", "sqlite"])
def test_a_real_recording_is_a_file_of_demonstrations(tmp_path: Path, name: str) -> None:
    lists = {path.stem: path for path in LISTS}
    listing = lists.get(f"server-{name}") or lists[f"mcp-server-{name}"]
    lines = [json.loads(line) for line in (FOLDER / "trajectories" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    write_world(tmp_path / "w", listing=json.loads(listing.read_text(encoding="utf-8")), demonstrations=lines)
    world = load_world(tmp_path / "w")
    served = [line for line in lines if line["name"] in world.tools_by_name]
    assert [demonstration.observation.to_result() for demonstration in world.demonstrations] == [line["result"] for line in served]
    assert len(world.notices) == len(lines) - len(served)
