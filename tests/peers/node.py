"""Node programs from npm, installed by `npm install` in tests/peers."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

NODE_MODULES = Path(os.environ.get("MCP_SIM_NODE_MODULES", Path(__file__).parent / "node_modules"))
"""Where `npm install --ignore-scripts` in tests/peers has put the peers."""


def npm_file(*parts: str) -> Path:
    """Return a file of an installed package, or skip the test where it is not installed."""
    path = NODE_MODULES.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f"{path} is missing: run `npm install --ignore-scripts` in tests/peers")
    return path


def npm_server(package: str) -> list[str]:
    """Return the command of a reference server."""
    return [node(), str(npm_file("@modelcontextprotocol", package, "dist", "index.js"))]


@cache
def node(at_least: int = 18) -> str:
    """Return a Node of that major version or later: the one on PATH, else the one that npm installed; skip where there is none."""
    candidates = [shutil.which("node"), *map(str, NODE_MODULES.glob("node-*/bin/node"))]
    for candidate in filter(None, candidates):
        version = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.removeprefix("v").split(".")[0]) >= at_least:
            return candidate
    pytest.skip(f"Node {at_least} or later is needed")
