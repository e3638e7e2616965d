"""Files laid over real files: a shadow of a disk answers as that disk would if it were really written to.

The real disk is a simulated one that only reads reach; the truth is another one that everything reaches.
"""

from contextlib import AsyncExitStack
from typing import Any

import anyio
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.core.shadow_settings import ShadowSettings
from mcp_sim.core.state import freeze
from mcp_sim.core.world import World
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaving import Behaving
from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.predictors.memory import Memory
from mcp_sim.predictors.shadow.files import FilesOverlay
from mcp_sim.protocol.real_connection import RealConnection
from mcp_sim.protocol.real_server import RealServer
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.simulator import Simulator
from mcp_sim.tool_specs.world_folder import load_world

READS = ("read_text_file", "list_directory", "get_file_info", "list_allowed_directories")
TREE = {"r": {"a.txt": "one\ntwo\n", "sub": {"b.txt": "b\n", "deep": {}}, "empty": {}}, "secret": {"c.txt": "c"}}

_paths = st.sampled_from(
    "/r /r/a.txt /r/sub /r/sub/b.txt /r/sub/deep /r/new /r/new/er /r/sub/new.txt /r/sub/deep/x /r/empty /r/no/where /secret/c.txt".split()
)
_texts = st.sampled_from(["one", "two", "three\n", "b", ""])
Call = tuple[str, dict[str, Any]]
_calls: st.SearchStrategy[Call] = st.one_of(
    st.tuples(st.just("read_text_file"), st.fixed_dictionaries({"path": _paths})),
    st.tuples(st.just("list_directory"), st.fixed_dictionaries({"path": _paths})),
    st.tuples(st.just("write_file"), st.fixed_dictionaries({"path": _paths, "content": _texts})),
    st.tuples(st.just("create_directory"), st.fixed_dictionaries({"path": _paths})),
    st.tuples(st.just("move_file"), st.fixed_dictionaries({"source": _paths, "destination": _paths})),
    st.tuples(
        st.just("edit_file"),
        st.fixed_dictionaries(
            {"path": _paths, "edits": st.lists(st.fixed_dictionaries({"oldText": _texts, "newText": _texts}), max_size=1)}
        ),
    ),
)


def world(state: dict[str, Any]) -> World:
    bundled = load_world("filesystem")
    settings = bundled.settings.model_copy(update={"shadow": ShadowSettings(real_reads=READS)})
    effects = dict(FilesystemBehaviour.mutates) if isinstance(FilesystemBehaviour.mutates, dict) else {}
    return bundled.model_copy(update={"first_state": freeze(state), "settings": settings, "effects": effects})


class Reading:
    """A client of a simulated server, which notes what is called."""

    def __init__(self, server: Simulator) -> None:
        self._server = server
        self.called: set[str] = set()

    async def open(self, stack: AsyncExitStack) -> Any:
        return self

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.called.add(params["name"])
        return (await self._server.call("real", Action(method=method, params=params))).observation.to_result()


@given(st.lists(_calls, max_size=8))
def test_a_shadow_answers_as_the_disk_would(calls: list[Call]) -> None:
    async def compare() -> None:
        truth = world({"filesystem": {"allowed": ["/r"], "tree": TREE}})
        behaviour = FilesystemBehaviour({})
        async with open_simulator(truth, SimulatorOptions()) as disk, open_simulator(truth, SimulatorOptions()) as real:
            line = Reading(real)
            names = {name: name for name in behaviour.mutates}
            chain = RealServer(RealConnection(line), READS, [FilesOverlay()], Behaving(behaviour, names, Never()))
            shadow = Simulator(world({}), Memory(chain), InMemoryStore(world({})))
            for name, arguments in calls:
                expected = await disk.call("s", Action.call(name, arguments))
                try:
                    seen = await shadow.call("s", Action.call(name, arguments))
                except PredictionError as error:
                    if "moving it would move all" not in str(error):
                        raise
                    return
                if seen.notes and "may be missing" in seen.notes[-1]:
                    continue
                assert masked(seen.observation.to_result()) == masked(expected.observation.to_result()), (name, arguments)
                assert seen.changes == expected.changes
            assert line.called <= set(READS)

    anyio.run(compare)


class Never:
    """The end of the chain, which no call of a file reaches."""

    async def predict(self, session: Any, action: Any, context: Any) -> Any:
        raise AssertionError(action)


def masked(result: dict[str, Any]) -> Any:
    """Leave out the random names of temporary files in refusals."""
    text = "".join(block.get("text", "") for block in result["content"])
    return result.get("isError"), "EISDIR rename" if ".tmp'" in text else text
