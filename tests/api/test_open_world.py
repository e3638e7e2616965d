"""A world opened from Python: its doors lead to one session, and what went wrong inside comes out as it was."""

import doctest
import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

import mcp_sim
from mcp_sim.api import open_world as module
from mcp_sim.errors import FrozenMissError, SessionStoreError, SetupError

REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}


def test_the_docstrings_run() -> None:
    assert doctest.testmod(module).failed == 0


async def test_all_doors_lead_to_one_session() -> None:
    async with mcp_sim.open_world("memory") as world:
        for name, client in (("memory", world.client), ("http", Client(world.url)), ("stdio", Client(world.stdio))):
            entities = [{"name": name, "entityType": "door", "observations": []}]
            if name == "memory":
                await client.call_tool("create_entities", {"entities": entities})
            else:
                async with client as other:
                    await other.call_tool("create_entities", {"entities": entities})
        graph = (await world.call("read_graph")).structured
        assert [entity["name"] for entity in graph["entities"]][-3:] == ["memory", "http", "stdio"]
        assert [(call.turn, call.tool, call.source) for call in world.calls] == [
            (1, "create_entities", "computed"),
            (2, "create_entities", "computed"),
            (3, "create_entities", "computed"),
            (4, "read_graph", "computed"),
        ]


async def test_two_stdio_agents_at_a_time_share_the_session_with_one_that_speaks_the_older_revision() -> None:
    async with mcp_sim.open_world("filesystem") as world:
        path = "/projects/shared.txt"
        async with Client(world.stdio) as one, Client(world.stdio, mode="legacy") as other:
            await one.call_tool("write_file", {"path": path, "content": "from one"})
            read: Any = (await other.call_tool("read_text_file", {"path": path})).content[0]
            assert read.text == "from one"


async def test_a_pipe_is_opened_only_to_who_knows_the_password(tmp_path: Path) -> None:
    async with mcp_sim.open_world("memory") as world:
        assert world.stdio.env is not None
        host, port, _ = next(iter(world.stdio.env.values())).split(":")
        async with await anyio.connect_tcp(host, int(port)) as stranger:
            await stranger.send(b'wrong\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await stranger.receive()


async def test_a_subprocess_works_through_the_url_while_we_wait_for_it() -> None:
    agent = (
        "import anyio, sys; from mcp import Client\n"
        "async def main():\n"
        "    async with Client(sys.argv[1]) as client:\n"
        "        await client.call_tool('create_issue', {'owner': 'brinewatch', 'repo': 'tidegauge', 'title': 'From afar'})\n"
        "anyio.run(main)"
    )
    async with mcp_sim.open_world("github") as world:
        await anyio.run_process([sys.executable, "-c", agent, world.url], stderr=None)
        assert world.state.issues[-1].title == "From afar"


async def test_the_state_shows_what_exists_newest_last_and_whose_it_is() -> None:
    async with mcp_sim.open_world("github") as world:
        before = len(world.state.issues)
        await world.call("create_issue", {"owner": "brinewatch", "repo": "tidegauge", "title": "First"})
        await world.call("create_issue", {"owner": "brinewatch", "repo": "wrackline-web", "title": "Second"})
        state = world.state
        assert [issue.title for issue in state.issues[before:]] == ["First", "Second"]
        assert f"<state of world 'github' after {len(world.calls)} calls: " in repr(state)
        assert f"issues ({len(state.issues)})" in repr(state)
        assert len(repr(state)) < 400
        assert (state.issues[-1].owner, state.issues[-1].repo) == ("brinewatch", "wrackline-web")
        number = state.issues[-2].number
        await world.call("update_issue", {**REPOSITORY, "issue_number": number, "state": "closed"})
        assert world.state.issues[-2].state == "closed"
        assert state.issues[-2].state == "open"  # a look taken earlier does not move
        json.dumps(state["entities"])
        with pytest.raises(AttributeError, match="has no 'isues'.*issues"):
            _ = state.isues


async def test_a_fork_goes_its_own_way_from_an_earlier_call() -> None:
    async with mcp_sim.open_world("github") as world:
        await world.call("create_issue", {**REPOSITORY, "title": "One"})
        await world.call("create_issue", {**REPOSITORY, "title": "Two"})
        async with world.fork(at=1) as other:
            assert other.state.issues[-1].title == "One"
            await other.client.call_tool("create_issue", {**REPOSITORY, "title": "Another"})
            async with Client(other.url) as far:
                await far.call_tool("get_issue", {**REPOSITORY, "issue_number": other.state.issues[-1].number})
            assert [call.tool for call in other.calls] == ["create_issue", "create_issue", "get_issue"]
        assert [issue.title for issue in world.state.issues[-2:]] == ["One", "Two"]
        with pytest.raises(SetupError, match="has 2 calls"):
            async with world.fork(at=3):
                pass


async def test_reset_begins_anew_with_another_seed() -> None:
    async with mcp_sim.open_world("github", seed=1) as world:
        first = (await world.call("get_pull_request_comments", {**REPOSITORY, "pull_number": 416})).result
        await world.reset()
        assert world.calls == []
        assert (await world.call("get_pull_request_comments", {**REPOSITORY, "pull_number": 416})).result == first
        await world.reset(seed=2)
        assert (await world.call("get_pull_request_comments", {**REPOSITORY, "pull_number": 416})).result != first


async def test_a_kept_session_goes_on_and_is_never_rewritten() -> None:
    async with mcp_sim.open_world("memory", session="mine") as world:
        await world.call("create_entities", {"entities": [{"name": "kept", "entityType": "x", "observations": []}]})
        with pytest.raises(SessionStoreError, match="never rewritten"):
            await world.reset()
    async with mcp_sim.open_world("memory", session="mine") as world:
        assert [call.tool for call in world.calls] == ["create_entities"]


class _OwnError(Exception):
    pass


@pytest.mark.parametrize("error", [_OwnError, AssertionError, pytest.fail.Exception, pytest.skip.Exception, KeyboardInterrupt])
async def test_what_is_raised_inside_comes_out_as_it_was(error: type[BaseException]) -> None:
    with pytest.raises(error):  # noqa: PT012 - what the block does on the way out is what is looked at
        async with mcp_sim.open_world("memory") as world, world.fork() as other:
            assert world.url
            assert other.stdio
            raise error("inside")


async def test_a_cancelled_block_ends() -> None:
    with anyio.move_on_after(0.2) as scope:
        async with mcp_sim.open_world("memory") as world:
            assert world.url
            await anyio.sleep_forever()
    assert scope.cancelled_caught


async def test_a_frozen_world_imagines_nothing_and_counts_the_miss() -> None:
    async with mcp_sim.open_world("github", frozen=True) as world:
        with pytest.raises(FrozenMissError, match="Nothing is frozen for get_pull_request_comments"):
            await world.call("get_pull_request_comments", {**REPOSITORY, "pull_number": 416})
        assert [miss.tool for miss in world.coverage.misses] == ["get_pull_request_comments"]
        assert (await world.call("no_such_tool")).failed  # as the server of this world words it


async def test_what_cannot_be_said_together_is_refused() -> None:
    with pytest.raises(SetupError, match="imagines nothing"):
        async with mcp_sim.open_world("github", frozen=True, model="http://127.0.0.1:1/v1"):
            pass


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, mcp_sim; print(sorted({'mcp', 'pydantic', 'anyio', 'starlette', 'openai'} & sys.modules.keys()))"
    loaded = anyio.run(anyio.run_process, [sys.executable, "-c", code]).stdout
    assert loaded.strip() == b"[]"


async def test_several_worlds_as_one_show_the_state_of_all() -> None:
    async with mcp_sim.open_world("github+memory") as world:
        await world.call("create_issue", {**REPOSITORY, "title": "One of many"})
        await world.call("create_entities", {"entities": [{"name": "n", "entityType": "t", "observations": []}]})
        assert world.state.issues[-1].title == "One of many"
        assert "memory" in world.state
