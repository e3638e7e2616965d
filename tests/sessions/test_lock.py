import anyio
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.sessions.lock import ReadWriteLock


async def test_readers_share_and_a_writer_is_alone() -> None:
    lock = ReadWriteLock()
    inside: list[str] = []
    most: list[tuple[str, ...]] = []

    async def hold(name: str, alone: bool) -> None:
        async with lock.hold(alone=alone):
            inside.append(name)
            most.append(tuple(inside))
            await anyio.lowlevel.checkpoint()
            inside.remove(name)

    async with anyio.create_task_group() as tasks:
        for name, alone in (("r1", False), ("r2", False), ("w1", True), ("r3", False), ("w2", True)):
            tasks.start_soon(hold, name, alone)
    assert ("r1", "r2") in most
    assert all(len(names) == 1 for names in most if any(name.startswith("w") for name in names))
    assert [names[-1] for names in most] == ["r1", "r2", "w1", "r3", "w2"], "first come, first served"
    assert lock.is_free


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.booleans()), max_size=30))
def test_any_mix_with_cancellations_keeps_the_rules_and_ends_free(holders: list[tuple[bool, int, bool]]) -> None:
    async def play() -> None:
        lock = ReadWriteLock()
        readers = writers = 0

        async def hold(alone: bool, steps: int, cancel: bool) -> None:
            nonlocal readers, writers
            with anyio.CancelScope() as scope:
                if cancel:
                    scope.cancel()
                    for _ in range(steps):  # lets it be cancelled while it waits, not only at once
                        await anyio.lowlevel.cancel_shielded_checkpoint()
                async with lock.hold(alone=alone):
                    readers, writers = readers + (not alone), writers + alone
                    assert writers <= 1
                    assert not (writers and readers)
                    try:
                        for _ in range(steps):
                            await anyio.lowlevel.checkpoint()
                    finally:
                        readers, writers = readers - (not alone), writers - alone

        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                for holder in holders:
                    tasks.start_soon(hold, *holder)
        assert lock.is_free

    anyio.run(play)
