"""The bundled worlds against the servers that they are modelled on: the same tools, and demonstrations that are true."""

import base64
import json
import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.core.state import thaw
from mcp_sim.core.world import World
from mcp_sim.tool_specs.world_folder import load_world
from tests.peers.node import npm_server
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers


def lay_out(node: Mapping[str, Any], folder: Path) -> None:
    """Write a tree as `state.json` has it to the disk."""
    folder.mkdir()
    for name, child in node.items():
        path = folder / name
        if "/text" not in child and "/base64" not in child:
            lay_out(child, path)
            continue
        path.write_bytes(child["/text"].encode() if "/text" in child else base64.b64decode(child["/base64"]))
        path.chmod(int(child.get("/mode", "644"), 8))
        seconds = datetime.fromisoformat(child["/modified"]).timestamp()
        os.utime(path, (seconds, seconds))


def without_texts(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_texts(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_texts(item) for key, item in schema.items() if not (key == "description" and isinstance(item, str))}


def assert_same_contracts(world: World, server: RawServer) -> None:
    real = server.tools()
    assert [tool["name"] for tool in real] == [tool.name for tool in world.tools]
    for theirs, ours in zip(real, world.tools, strict=True):
        assert theirs["annotations"] == ours.annotations
        assert theirs["title"] == ours.definition["title"]
        assert without_texts(theirs["inputSchema"]) == without_texts(ours.input_schema)
        assert without_texts(theirs["outputSchema"]) == without_texts(ours.output_schema)
        assert theirs["description"] != ours.description


def without_inode_times(result: dict[str, Any]) -> Any:
    """Leave out when the file was made and last read: a test cannot set the one and does the other."""
    return json.loads(re.sub(r"(created|accessed): .*?\)\\n", "", json.dumps(result)))


def test_filesystem(tmp_path: Path) -> None:
    world = load_world("filesystem")
    root = tmp_path.resolve() / "projects"
    lay_out(thaw(world.first_state)["filesystem"]["tree"]["projects"], root)
    with RawServer([*npm_server("server-filesystem"), str(root)], {"TZ": "UTC"}) as server:
        assert_same_contracts(world, server)
        for example in world.demonstrations:
            arguments = json.loads(json.dumps(example.action.arguments).replace('"/projects', f'"{root}'))
            answer = json.loads(json.dumps(server.call(example.action.name, arguments)).replace(str(root), "/projects"))
            assert without_inode_times(answer) == without_inode_times(example.observation.to_result()), example.action


def test_memory(tmp_path: Path) -> None:
    world = load_world("memory")
    graph = thaw(world.first_state)["memory"]
    lines = [{"type": "entity", **entity} for entity in graph["entities"]]
    lines += [{"type": "relation", **relation} for relation in graph["relations"]]
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    with RawServer(npm_server("server-memory"), {"MEMORY_FILE_PATH": str(file)}) as server:
        assert_same_contracts(world, server)
        for example in world.demonstrations:
            assert server.call(example.action.name, example.action.arguments) == example.observation.to_result(), example.action
