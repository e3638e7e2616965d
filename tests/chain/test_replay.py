"""Imagined once, then a fact: the whole chain, in bundled worlds and in made-up ones."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.world_folder import load_world
from tests.chain.guarded import guard_action, guard_session
from tests.chain.programs import Outcome, made_up_worlds, opened, play, play_one, programs, told

WORLDS = {name: load_world(name) for name in bundled_worlds()}
EXAMPLES = int(os.environ.get("MCP_SIM_EXAMPLES", "25"))
SOME = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def worlds_with_programs(draw: st.DrawFn) -> tuple[World, list[Action]]:
    world = draw(st.sampled_from(list(WORLDS.values())) | made_up_worlds())
    return world, draw(programs(world))


def cut(session: Session, name: str, turns: int) -> Session:
    """Return a fork: the first turns under another name."""
    fork = Session.begin(session.world, name, session.seed)
    for transition in session.trajectory[:turns]:
        fork = fork.append(transition)
    return fork


@SOME
@given(worlds_with_programs(), st.integers(0, 10), st.integers(0, 3))
async def test_a_fork_and_a_second_run_replay_equal(drawn: tuple[World, list[Action]], turns: int, seed: int) -> None:
    world, program = drawn
    async with opened(world, seed) as simulator, opened(world, seed) as other:
        first = await play(simulator, "first", program)
        again = await play(other, "again", program)
        assert [*map(told, again)] == [*map(told, first)]
        kept = [place for place, outcome in enumerate(first, start=1) if isinstance(outcome, Transition)][:turns]
        start = kept[-1] if kept else 0  # calls that end in an error are no turns
        await other.put(cut(simulator.peek("first"), "fork", len(kept)))
        forked = await play(other, "fork", program[start:])
        assert [*map(told, forked)] == [*map(told, first[start:])]


@SOME
@given(worlds_with_programs(), st.randoms(use_true_random=False))
async def test_reads_in_another_order_change_nothing(drawn: tuple[World, list[Action]], random: Any) -> None:
    world, program = drawn
    async with opened(world) as simulator, opened(world) as other:
        first = await play(simulator, "s", program)
        order = shuffled_reads(simulator.world, program, first, random.shuffle)
        second = {index: await play_one(other, "s", program[index]) for index in order}
        assert [told(second[index]) for index in range(len(program))] == [*map(told, first)]


def shuffled_reads(world: World, program: Sequence[Action], outcomes: Sequence[Outcome], shuffle: Callable[[list[int]], None]) -> list[int]:
    """Return the places of the calls in another order, in which none passes one that changed state or is volatile."""
    order: list[int] = []
    reads: list[int] = []
    for index, (action, outcome) in enumerate(zip(program, outcomes, strict=True)):
        reads.append(index)
        if isinstance(outcome, str) or outcome.changes or world.is_volatile(action) or world.mutates(action):
            reads.pop()
            shuffle(reads)
            order += [*reads, index]
            reads = []
    shuffle(reads)
    return [*order, *reads]


@SOME
@given(worlds_with_programs())
async def test_kept_json_is_never_mutated(drawn: tuple[World, list[Action]]) -> None:
    world, program = drawn
    async with opened(world) as simulator, opened(world) as guarded:
        first = await play(simulator, "s", program)
        second = []
        for action in program:
            second.append(await play_one(guarded, "s", guard_action(action)))
            await guarded.put(guard_session(guarded.peek("s")))
        assert [*map(told, second)] == [*map(told, first)]


@pytest.mark.parametrize("name", WORLDS)
async def test_every_demonstrated_call_is_answered(name: str) -> None:
    world = WORLDS[name]
    async with opened(world) as simulator:
        for demonstration in world.demonstrations:
            assert isinstance(await play_one(simulator, "s", demonstration.action), Transition), demonstration.action
