"""A sequence recorded at the real server, replayed from the tree in which it began."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from tests.predictors.behaviours.filesystem.masking import masked
from tests.predictors.behaviours.play import Play, begin

CORPUS = os.environ.get("MCP_SIM_CORPUS")
ROOT = "/srv/files/project"

pytestmark = [pytest.mark.peers, pytest.mark.skipif(CORPUS is None, reason="MCP_SIM_CORPUS names no corpus folder")]


def recorded() -> list[dict[str, Any]]:
    text = Path(CORPUS or "", "trajectories", "filesystem.jsonl").read_text(encoding="utf-8")
    # why: the recorder put /srv/files for a folder below /tmp, but could not do so where four `..` had led out of it
    return [json.loads(line) for line in text.replace("/tmp/etc/hostname", "/etc/hostname").splitlines()]


def first_tree(turns: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the files as the recording shows them before anything is written."""
    tree: dict[str, Any] = {"docs": {}, "src": {}}
    for turn in turns[:20]:
        arguments, block = turn["arguments"], turn["result"]["content"][0]
        if turn["result"].get("isError"):
            continue
        if turn["name"] in ("read_text_file", "read_file") and set(arguments) == {"path"}:
            put(tree, arguments["path"], block["text"])
        elif turn["name"] == "read_multiple_files":
            for part in block["text"].split("\n---\n")[:2]:
                path, _, content = part.partition(":\n")
                put(tree, path, content.removesuffix("\n"))
        elif turn["name"] == "read_media_file":
            put(tree, arguments["path"], {"/base64": block["data"]})
    # why: only the first and the last rows of this table are ever read; its size, listed later, tells whether the others are right
    rows = [f"{number},user{number},{number * 7 % 100}\n" for number in range(1, 31)]
    put(tree, f"{ROOT}/data.csv", "id,name,score\n" + "".join(rows))
    return tree


def put(tree: dict[str, Any], path: str, content: Any) -> None:
    *folders, name = path.removeprefix(ROOT + "/").split("/")
    for folder in folders:
        tree = tree[folder]
    tree[name] = content


def test_the_recorded_sequence_is_answered_again() -> None:
    turns = recorded()
    state = {"filesystem": {"allowed": ["/srv/files"], "tree": {"srv": {"files": {"project": first_tree(turns)}}}}}
    play = Play(FilesystemBehaviour({}), begin(state))
    replayed = 0
    for turn in turns:
        if turn["result"]["content"][0].get("text", "").startswith("MCP error -32602"):
            continue  # refused by its schema or for its name, before a behaviour is asked
        assert masked(play.call(turn["name"], **turn["arguments"])) == masked(turn["result"]), turn["turn"]
        replayed += 1
    assert replayed >= 40
