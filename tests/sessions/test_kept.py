"""Sessions in files: what is committed survives, what is torn is cut off, two processes take turns."""

import json
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.world import World
from mcp_sim.errors import SessionNameError, SessionStoreError
from mcp_sim.sessions.kept import KeptStore
from mcp_sim.sessions.shelf import find, find_damaged, fork
from tests.worlds import make_tool, make_world

SET = Action.call("set_it", {"a": 1})


async def write(store: KeptStore, *texts: str, name: str = "s") -> None:
    for text in texts:
        async with store.lease(name, alone=True) as lease:
            lease.commit(lease.session.transition(SET, Observation.of_text(text), "imagined"))


async def read(store: KeptStore, name: str = "s") -> list[str]:
    async with store.lease(name, alone=False) as lease:
        return [transition.observation.text for transition in lease.session.trajectory]


async def test_another_process_goes_on_where_this_one_ended(tmp_path: Path) -> None:
    world = make_world()
    first, second = KeptStore(world, tmp_path), KeptStore(world, tmp_path)
    await write(first, "one")
    await write(second, "two")
    await write(first, "three")
    assert await read(second) == await read(first) == ["one", "two", "three"]
    async with first.lease("s", alone=False) as lease, second.lease("s", alone=False) as other:
        assert lease.session.fingerprint == other.session.fingerprint
        assert [transition.turn for transition in other.session.trajectory] == [1, 2, 3]


async def test_calls_of_two_processes_take_turns(tmp_path: Path) -> None:
    stores = [KeptStore(make_world(), tmp_path) for _ in range(2)]
    inside = 0

    async def change(store: KeptStore) -> None:
        nonlocal inside
        for _ in range(20):
            async with store.lease("s", alone=True) as lease:
                inside += 1
                assert inside == 1
                await anyio.lowlevel.checkpoint()
                lease.commit(lease.session.transition(SET, Observation.of_text(str(len(lease.session.trajectory))), "imagined"))
                inside -= 1

    async with anyio.create_task_group() as tasks:
        for store in stores:
            tasks.start_soon(change, store)
    assert await read(stores[0]) == [str(n) for n in range(40)]


@given(cut=st.integers(min_value=1))
def test_a_file_cut_at_any_byte_keeps_every_whole_line(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    async def play() -> None:
        folder = tmp_path_factory.mktemp("cut")
        await write(KeptStore(make_world(), folder), "eins", "zw\nei", "drei")
        path = folder / "s.jsonl"
        data = path.read_bytes()
        kept = data[: cut % len(data)]
        path.write_bytes(kept)
        store = KeptStore(make_world(), folder)
        whole = max(kept.count(b"\n") - 1, 0)
        assert await read(store) == ["eins", "zw\nei", "drei"][:whole]
        await write(store, "more")
        assert await read(KeptStore(make_world(), folder)) == [*["eins", "zw\nei", "drei"][:whole], "more"]

    anyio.run(play)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda lines: [b"{}", *lines[1:]], "line 1 is not the header"),
        (lambda lines: [lines[0], b'{"turn": 1}', *lines[2:]], "line 2 is not a transition"),
        (lambda lines: [lines[0].replace(b'"format":1', b'"format":2'), *lines[1:]], "Upgrade"),
        (lambda lines: [b"\xff\xfe\x00", *lines[1:]], "line 1"),
    ],
)
async def test_damage_elsewhere_is_an_error_that_names_the_line(
    tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    await write(KeptStore(make_world(), tmp_path), "one", "two")
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join(damage(path.read_bytes().split(b"\n"))))
    before = path.read_bytes()
    with pytest.raises(SessionStoreError, match=says):
        await read(KeptStore(make_world(), tmp_path))
    assert path.read_bytes() == before, "a damaged file is left as it is"


async def test_a_changed_world_is_refused_and_can_be_forked_into(tmp_path: Path) -> None:
    old = make_world()
    folder = tmp_path / old.key
    await write(KeptStore(old, folder), "one", "two", "three")
    new = make_world(make_tool("get_it"), make_tool("set_it", {"type": "object", "required": ["b"]}))
    with pytest.raises(SessionStoreError, match="tools .* changed .*mcp-sim sessions fork s NEW"):
        await read(KeptStore(new, folder))
    fork(find(tmp_path, "s"), new, "t", 2)
    assert await read(KeptStore(new, folder), "t") == ["one", "two"]
    with pytest.raises(SessionStoreError, match="changed"):
        await read(KeptStore(new, folder))


async def test_an_edited_description_is_no_changed_world(tmp_path: Path) -> None:
    def world(description: str) -> World:
        return make_world(make_tool("set_it").model_copy(update={"description": description}), background=description)

    await write(KeptStore(world("before"), tmp_path), "one")
    assert await read(KeptStore(world("after"), tmp_path)) == ["one"]


async def test_the_seed_of_a_session_stays(tmp_path: Path) -> None:
    await write(KeptStore(make_world(), tmp_path, seed=3), "one")
    async with KeptStore(make_world(), tmp_path).lease("s", alone=False) as lease:
        assert lease.session.seed == 3
    with pytest.raises(SessionStoreError, match="--seed 3, not 4"):
        await read(KeptStore(make_world(), tmp_path, seed=4))


@pytest.mark.parametrize(
    "name", ["", "..", ".", "CON", "con", "nul", "a/b", "a\\b", "a\0", "a" * 65, "x" * 10_000, "-a", "a b", "ä", "a.b"]
)
async def test_names_that_no_session_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(SessionNameError, match="not allowed"):
        await read(KeptStore(make_world(), tmp_path), name)
    assert list(tmp_path.iterdir()) == []


async def test_a_removed_file_begins_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = KeptStore(make_world(), tmp_path)
    await write(store, "one")
    (tmp_path / "s.jsonl").unlink()
    assert await read(store) == []
    assert "removed or replaced" in caplog.text


async def test_what_is_written_is_readable_json(tmp_path: Path) -> None:
    await write(KeptStore(make_world(), tmp_path), 'ä\u2028"\\ \U0001f600')
    header, line = map(json.loads, (tmp_path / "s.jsonl").read_text("utf-8").split("\n")[:2])
    assert header["format"] == 1
    assert line["observation"]["content"][0]["text"] == 'ä\u2028"\\ \U0001f600'


async def test_a_damaged_file_can_be_found_to_be_removed(tmp_path: Path) -> None:
    await write(KeptStore(make_world(), tmp_path / "w"), "one", name="good")
    (tmp_path / "w" / "bad.jsonl").write_bytes(b"")
    assert find_damaged(tmp_path, "bad") == tmp_path / "w" / "bad.jsonl"
    assert find_damaged(tmp_path, "good") is None
    assert find_damaged(tmp_path, "none") is None
