"""The official conformance suite against a world of our own formats: exactly the scenarios in required.txt pass."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.peers.node import node, npm_file
from tests.served import served

pytestmark = pytest.mark.peers

HERE = Path(__file__).parent
SUITES = {
    "0.1.16": ("@modelcontextprotocol/conformance", ()),
    "2025-11-25": ("conformance-next", ("--requirements", "2025-11-25")),
    "2026-07-28": ("conformance-next", ("--requirements", "2026-07-28")),
}
OUTCOME = re.compile(r"^([✓✗]) ([a-z0-9-]+): \d+ passed, \d+ failed$", re.MULTILINE)


def listed(file: str, suite: str) -> set[str]:
    rows = (line.split() for line in (HERE / file).read_text().splitlines() if line and not line.startswith("#"))
    return {row[1] for row in rows if row[0] == suite}


@pytest.mark.parametrize("suite", SUITES)
def test_exactly_the_required_scenarios_pass(suite: str, tmp_path: Path) -> None:
    package, options = SUITES[suite]
    command = [node(22), str(npm_file(package, "dist", "index.js")), "server", "-o", str(tmp_path), *options]
    with served(str(HERE / "world")) as url:
        run = subprocess.run([*command, "--url", url], capture_output=True, text=True, timeout=300, check=False)
    outcomes = {name: mark == "✓" for mark, name in OUTCOME.findall(run.stdout)}
    assert outcomes, run.stdout + run.stderr
    assert {name for name, passed in outcomes.items() if passed} == listed("required.txt", suite)
    assert {name for name, passed in outcomes.items() if not passed} == listed("deferred.txt", suite)
