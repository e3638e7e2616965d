"""The same calls to the real server-filesystem and to ours, from the same folder: whole results equal, times and directory sizes aside."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.tool_specs.folder_import import import_folder
from tests.peers.filesystem.programs import Call, calls, lay_out, placed
from tests.peers.node import npm_server
from tests.predictors.behaviours.filesystem.masking import masked
from tests.predictors.behaviours.play import Play, begin
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

EXAMPLES = int(os.environ.get("MCP_SIM_EXAMPLES", "110"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files").resolve()
    lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def real(folder: Path) -> Iterator[RawServer]:
    command = [*npm_server("server-filesystem"), str(folder / "root"), str(folder / "other")]
    with RawServer(command, {"HOME": "/home/user", "TZ": "UTC"}) as server:
        yield server


def test_same_results_as_the_real_server(real: RawServer, folder: Path) -> None:
    if (folder / "root").stat().st_size != 4096:
        pytest.skip("this file system gives directories other sizes, and listings sort by them")
    compared: Counter[str] = Counter()
    state = import_folder(folder, as_directory=str(folder))
    state["filesystem"]["allowed"] = [str(folder / "root"), str(folder / "other")]

    @seed(20260831)
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
    @given(st.lists(calls, min_size=12, max_size=40))
    def compare(program: list[Call]) -> None:
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        lay_out(folder)
        ours = Play(FilesystemBehaviour({}), begin(state))
        for name, arguments in placed(program, str(folder)):
            truth = masked(real.call(name, arguments))
            assert masked(ours.call(name, **arguments)) == truth, (name, arguments)
            compared[name + (" failed" if truth.get("isError") else "")] += 1

    compare()
    print(compared.total(), "calls compared:", dict(compared))  # noqa: T201
    assert compared.total() >= 2000
