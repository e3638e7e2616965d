"""The same calls to the real server-memory and to ours: whole results equal."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.predictors.behaviours.memory.behaviour import MemoryBehaviour
from tests.peers.node import npm_server
from tests.predictors.behaviours.play import Play, begin
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

names = st.sampled_from(["Ann", "Bo", "bo", "Straße", "", 'Zoë\n\t"x"', "ΟΔΟΣ", "😀"]) | st.text(st.characters(codec="utf-8"), max_size=6)
contents = st.sampled_from(["likes tea", "is 31", "LIKES TEA", "", "ends with \u2028"]) | st.text(st.characters(codec="utf-8"), max_size=8)
kinds = st.sampled_from(["person", "Place", "knows", ""])
entities = st.fixed_dictionaries(
    {"name": names, "entityType": kinds, "observations": st.lists(contents, max_size=4)}, optional={"extra": st.just(1)}
)
relations = st.fixed_dictionaries({"relationType": kinds, "from": names, "to": names})
calls = st.one_of(
    st.tuples(st.just("create_entities"), st.fixed_dictionaries({"entities": st.lists(entities, max_size=4)})),
    st.tuples(st.just("create_relations"), st.fixed_dictionaries({"relations": st.lists(relations, max_size=5)})),
    st.tuples(
        st.just("add_observations"),
        st.fixed_dictionaries(
            {"observations": st.lists(st.fixed_dictionaries({"entityName": names, "contents": st.lists(contents, max_size=3)}), max_size=2)}
        ),
    ),
    st.tuples(st.just("delete_entities"), st.fixed_dictionaries({"entityNames": st.lists(names, max_size=2)})),
    st.tuples(
        st.just("delete_observations"),
        st.fixed_dictionaries(
            {
                "deletions": st.lists(
                    st.fixed_dictionaries({"entityName": names, "observations": st.lists(contents, max_size=3)}), max_size=2
                )
            }
        ),
    ),
    st.tuples(st.just("delete_relations"), st.fixed_dictionaries({"relations": st.lists(relations, max_size=2)})),
    st.tuples(st.just("read_graph"), st.just({})),
    st.tuples(st.just("search_nodes"), st.fixed_dictionaries({"query": names | contents | kinds})),
    st.tuples(st.just("open_nodes"), st.fixed_dictionaries({"names": st.lists(names, max_size=3)})),
)
graphs = st.fixed_dictionaries({"entities": st.lists(entities, max_size=6), "relations": st.lists(relations, max_size=6)})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("memory") / "memory.jsonl"


@pytest.fixture(scope="module")
def real(file: Path) -> Iterator[RawServer]:
    with RawServer(npm_server("server-memory"), {"MEMORY_FILE_PATH": str(file)}) as server:
        yield server


def test_same_results_as_the_real_server(real: RawServer, file: Path) -> None:
    compared = 0

    @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
    @given(graphs, st.lists(calls, min_size=10, max_size=40))
    def compare(graph: dict[str, Any], program: list[tuple[str, dict[str, Any]]]) -> None:
        nonlocal compared
        lines = [{"type": "entity", **entity} for entity in graph["entities"]]
        lines += [{"type": "relation", **relation} for relation in graph["relations"]]
        file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")  # read anew at each call
        ours = Play(MemoryBehaviour({}), begin({"memory": graph}))
        for name, arguments in program:
            assert ours.call(name, **arguments) == real.call(name, arguments), (name, arguments)
            compared += 1

    compare()
    print(f"{compared} calls compared")  # noqa: T201
    assert compared >= 1000
