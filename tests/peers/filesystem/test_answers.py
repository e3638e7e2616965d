"""The answers that the fast tests hold us to are still those of the real server. With MCP_SIM_RECORD=1 they are recorded anew."""

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.peers.node import npm_server
from tests.predictors.behaviours.filesystem.masking import masked
from tests.predictors.behaviours.filesystem.sequence import ANSWERS, CALLS, TOP, TREE, answers
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers


def lay_out(folder: Path, tree: dict[str, Any]) -> None:
    for name, node in tree.items():
        place = folder / name
        if isinstance(node, str):
            place.write_bytes(node.encode())
        elif "/link" in node:
            place.symlink_to(node["/link"])
        elif "/base64" in node:
            place.write_bytes(base64.b64decode(node["/base64"]))
        elif "/text" in node:
            place.write_bytes(node["/text"].encode())
            place.chmod(int(node["/mode"], 8))
        else:
            place.mkdir()
            lay_out(place, node)


def test_the_recorded_answers_are_those_of_the_real_server(tmp_path: Path) -> None:
    folder = str(tmp_path.resolve())
    lay_out(tmp_path, TREE)
    recorded = []
    with RawServer([*npm_server("server-filesystem"), f"{folder}/allowed"], {"HOME": "/home/user", "TZ": "UTC"}) as server:
        for name, arguments in CALLS:
            real_arguments = json.loads(json.dumps(arguments).replace(TOP, folder))
            recorded.append(masked(json.loads(json.dumps(server.call(name, real_arguments)).replace(folder, TOP))))
    if os.environ.get("MCP_SIM_RECORD"):
        ANSWERS.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert recorded == answers()
