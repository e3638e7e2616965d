"""Frozen sessions of agents replay call by call: in parallel, in another order of reads, for any client, and never past a changed write."""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import anyio
import pytest
import pytest_socket
from mcp import Client, MCPError
from mcp_types import Implementation

import mcp_sim
from mcp_sim.api.call import Call
from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import FrozenMissError
from mcp_sim.tool_specs.world_folder import load_world
from tests.worlds import make_tool, make_world

Asked = tuple[str, dict[str, Any]]

REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}
READS: list[Asked] = [
    ("get_me", {}),
    ("list_issues", REPOSITORY),
    ("get_issue", {**REPOSITORY, "issue_number": 412}),
    ("get_pull_request_comments", {**REPOSITORY, "pull_number": 416}),
    ("search_issues", {"q": "midnight repo:brinewatch/tidegauge"}),
    ("list_branches", REPOSITORY),
    ("list_commits", REPOSITORY),
    ("get_file_contents", {**REPOSITORY, "path": "README.md"}),
    ("list_pull_requests", REPOSITORY),
]
WRITES: list[Asked] = [
    ("create_issue", {**REPOSITORY, "title": "Readings stop at midnight"}),
    ("create_issue", {**REPOSITORY, "title": "Sluice gate is stuck", "labels": ["bug"]}),
    ("add_issue_comment", {**REPOSITORY, "issue_number": 412, "body": "Seen again."}),
    ("update_issue", {**REPOSITORY, "issue_number": 412, "state": "closed"}),
    ("create_branch", {**REPOSITORY, "branch": "fix/midnight", "from_branch": "main"}),
]
RUNS = 20
REPLAYS = 50


@pytest.fixture
def no_network() -> Iterator[None]:
    pytest_socket.disable_socket(allow_unix_socket=True)
    yield
    pytest_socket.enable_socket()


def agent(number: int) -> list[Asked]:
    """The calls of one agent run: some of them by chance, each agent's its own."""
    chance = random.Random(number)
    return [chance.choice(WRITES if chance.random() < 0.35 else READS) for _ in range(8)]


async def record(asked: Sequence[Asked], seed: int) -> tuple[World, list[Call]]:
    """Live once, and return the world with what is to be frozen of it."""
    world = load_world("github")
    async with mcp_sim.open_world(world, seed=seed, refresh=True) as opened:
        calls = [await opened.call(*one) for one in asked]
        return world.model_copy(update={"frozen": tuple(opened.coverage.pinned)}), calls


def result_of(answer: Any) -> dict[str, Any]:
    """What a client saw, without where it came from."""
    result: dict[str, Any] = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {key: value for key, value in result.items() if key in ("content", "structuredContent", "isError")}


@pytest.mark.parametrize("number", range(RUNS))
async def test_fifty_replays_at_once_are_all_as_it_was(number: int, no_network: None) -> None:
    asked = agent(number)
    world, recorded = await record(asked, seed=number)
    wanted = [(call.text, call.failed) for call in recorded]
    async with mcp_sim.open_world(world, seed=1_000 + number, frozen=True) as opened, anyio.create_task_group() as tasks:

        async def replay(session: str) -> None:
            answers = [await opened.client.call_tool(*one, meta={"mcp-sim/session": session}) for one in asked]
            assert [(answer.content[0].text, bool(answer.is_error)) for answer in answers] == wanted

        for replayed in range(REPLAYS):
            tasks.start_soon(replay, f"replay-{replayed}")
    assert not opened.coverage.unused


async def test_any_other_client_of_any_revision_is_answered_the_same() -> None:
    asked = agent(3)
    world, recorded = await record(asked, seed=3)
    clients = [{"name": "one", "version": "1"}, {"name": "another", "version": "99.1"}]
    seen = []
    for info in clients:
        for mode in ("legacy", "auto"):
            opening = mcp_sim.open_world(world, frozen=True)
            async with opening as opened, Client(opened.url, mode=mode, client_info=Implementation(**info)) as client:
                seen.append([result_of(await client.call_tool(*one)) for one in asked])
    assert all(one == seen[0] for one in seen)
    assert [one["content"] for one in seen[0]] == [call.result["content"] for call in recorded]


@pytest.mark.parametrize("number", range(8))
async def test_reads_in_another_order_are_answered_the_same(number: int) -> None:
    asked = agent(100 + number)
    world, recorded = await record(asked, seed=number)
    answers = {(position, call.tool, str(call.arguments)): call.result for position, call in zip(stretches(asked), recorded, strict=True)}
    for order in range(5):
        moved = shuffled_reads(asked, random.Random(order))
        async with mcp_sim.open_world(world, frozen=True) as opened:
            for position, one in zip(stretches(moved), moved, strict=True):
                call = await opened.call(*one)
                assert call.result == answers[position, call.tool, str(call.arguments)]


@pytest.mark.parametrize("number", range(8))
async def test_after_a_changed_write_nothing_is_answered_from_the_recording(number: int) -> None:
    asked = [WRITES[number % len(WRITES)], *agent(200 + number), *READS]
    world, _ = await record(asked, seed=number)
    tool, arguments = asked[0]
    part = next(name for name in ("title", "body", "branch", "state") if name in arguments)
    changed = (tool, {**arguments, part: "open" if part == "state" else "something else"})
    async with mcp_sim.open_world(world, frozen=True) as opened:
        with suppress(FrozenMissError):
            await opened.call(*changed)
        if opened.calls:  # code knew what it leads to
            await hear_nothing_frozen(opened, asked[1:])
    async with mcp_sim.open_world(world) as opened:
        await opened.call(*changed)
        await hear_nothing_frozen(opened, asked[1:])


async def hear_nothing_frozen(opened: mcp_sim.OpenWorld, asked: Sequence[Asked]) -> None:
    for one in asked:
        with suppress(FrozenMissError):
            assert (await opened.call(*one)).source != "frozen"


async def test_what_was_written_last_is_what_is_read() -> None:
    """The trap of replayers that match calls alone: they answer "one" right after accepting "two"."""
    world, _ = await record([("create_issue", {**REPOSITORY, "title": "one"}), ("list_issues", REPOSITORY)], seed=1)
    async with mcp_sim.open_world(world) as opened:
        await opened.call("create_issue", {**REPOSITORY, "title": "two"})
        listed = (await opened.call("list_issues", REPOSITORY)).text
        assert '"two"' in listed
        assert '"one"' not in listed


async def test_a_miss_reaches_any_client_as_an_error_of_the_simulator_and_changes_nothing() -> None:
    world, _ = await record([("create_issue", {**REPOSITORY, "title": "one"}), ("list_issues", REPOSITORY)], seed=1)
    async with mcp_sim.open_world(world, frozen=True) as opened:
        with pytest.raises(MCPError) as missed:
            await opened.client.call_tool("create_issue", {**REPOSITORY, "title": "two"})
        assert missed.value.error.code == -32603
        assert "title is 'two' (frozen: 'one')" in missed.value.error.message
        assert opened.calls == []
        assert (await opened.call("create_issue", {**REPOSITORY, "title": "one"})).source == "frozen"
        assert (await opened.call("list_issues", REPOSITORY)).source == "computed", "from what the frozen answer told"
        assert opened.state.issues[-1].title == "one"


async def test_what_a_recorded_list_does_not_show_may_be_there_and_what_was_deleted_is_not() -> None:
    tools = [make_tool(name, {"type": "object", "properties": {"note_id": {"type": "string"}}}) for name in ("get_note", "delete_note")]
    listed = Observation.of_text('[{"id": "n-1", "text": "sow"}]')
    answers = [
        (Action.call("list_notes"), listed),
        (Action.call("delete_note", {"note_id": "n-1"}), Observation.of_text("Deleted note n-1")),
    ]
    frozen = tuple(FrozenAnswer(action=action, observation=observation) for action, observation in answers)
    world = make_world(make_tool("list_notes"), *tools, frozen=frozen)
    async with mcp_sim.open_world(world, frozen=True) as opened:
        assert (await opened.call("list_notes")).source == "frozen"
        with pytest.raises(FrozenMissError):  # the list was of another page, or named things otherwise
            await opened.call("get_note", {"note_id": "n-2"})
        await opened.call("delete_note", {"note_id": "n-1"})
        gone = await opened.call("get_note", {"note_id": "n-1"})
        assert (gone.source, gone.text) == ("computed", "Note not found: n-1")


def stretches(asked: Sequence[Asked]) -> list[int]:
    """For each call, how many writes came before it."""
    counts, writes = [], 0
    for one in asked:
        counts.append(writes)
        writes += one in WRITES
    return counts


def shuffled_reads(asked: Sequence[Asked], chance: random.Random) -> list[Asked]:
    """The same calls with the reads between two writes in another order."""
    moved: list[Asked] = []
    stretch: list[Asked] = []
    for one in [*asked, None]:
        if one is not None and one not in WRITES:
            stretch.append(one)
            continue
        chance.shuffle(stretch)
        moved += [*stretch, *([one] if one else [])]
        stretch = []
    return moved
