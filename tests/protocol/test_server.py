"""The server as the SDK's client sees it, in both protocol eras, in one process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.memory import Memory
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.simulator import Simulator
from tests.worlds import Counting, make_tool, make_world

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])


@asynccontextmanager
async def connect(era: str, world: World, predictor: Predictor | None = None) -> AsyncIterator[Client]:
    simulator = Simulator(world, predictor or Memory(Counting()), InMemoryStore(world))
    async with Client(SimulatedServer(simulator).build(), mode=era) as client:
        yield client


class Failing:
    def __init__(self, error: Exception) -> None:
        self._error = error

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        raise self._error


class Answering:
    def __init__(self, observation: Observation) -> None:
        self._observation = observation

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        return session.transition(action, self._observation, "imagined")


@ERAS
async def test_an_answer_says_where_it_came_from(era: str) -> None:
    async with connect(era, make_world()) as client:
        await client.call_tool("set_it", {"a": 1})
        first = await client.call_tool("get_it", {"a": 1}, meta={"mcp-sim/session": "other"})
        again = await client.call_tool("get_it", {"a": 1}, meta={"mcp-sim/session": "other"})
        assert first.content == again.content
        ours = {key: value for key, value in (again.meta or {}).items() if key.startswith("mcp-sim/")}
        assert ours == {"mcp-sim/source": "imagined", "mcp-sim/session": "other", "mcp-sim/turn": 2, "mcp-sim/recalled": 1}


@ERAS
async def test_an_unknown_tool_is_a_protocol_error_in_the_style_of_python_servers(era: str) -> None:
    async with connect(era, make_world(settings={"errors": "pydantic"})) as client:
        with pytest.raises(MCPError, match="Unknown tool: nope") as caught:
            await client.call_tool("nope", {})
        assert caught.value.error.code == -32602


@ERAS
@pytest.mark.parametrize("error", [PredictionError("The model is down. Start it."), ValueError("internal detail")])
async def test_our_failure_is_never_the_tools(era: str, error: Exception) -> None:
    async with connect(era, make_world(), Failing(error)) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("get_it", {})
        assert caught.value.error.code == -32603
        assert ("Start it." in caught.value.error.message) == isinstance(error, PredictionError)
        assert "internal detail" not in caught.value.error.message


@ERAS
async def test_bad_arguments_are_an_observation_and_ask_nobody(era: str) -> None:
    predictor = Counting()
    world = make_world(make_tool("set_it", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))
    async with connect(era, world, predictor) as client:
        result = await client.call_tool("set_it", {"n": "many"})
        assert result.is_error
        assert (result.meta or {})["mcp-sim/source"] == "computed"
        assert predictor.asked == []


@ERAS
async def test_a_session_name_that_cannot_be_is_refused(era: str) -> None:
    async with connect(era, make_world()) as client:
        with pytest.raises(MCPError, match="not allowed") as caught:
            await client.call_tool("get_it", {}, meta={"mcp-sim/session": "../x"})
        assert caught.value.error.code == -32602


OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


@ERAS
@pytest.mark.parametrize(
    ("observation", "accepted"),
    [
        (Observation(structured_content={"n": 1}), True),
        (Observation(structured_content={"n": "one"}), False),
        (Observation.of_text("no structured content"), False),
        (Observation(content=[{"type": "text", "text": "failed"}], structured_content={"n": "one"}, is_error=True), True),
    ],
)
async def test_structured_content_always_satisfies_the_output_schema(era: str, observation: Observation, accepted: bool) -> None:
    async with connect(era, make_world(make_tool("get_it", None, OBJECT)), Answering(observation)) as client:
        await client.list_tools()  # from here the client itself checks results
        if not accepted:
            with pytest.raises(MCPError, match="output schema") as caught:
                await client.call_tool("get_it", {})
            assert caught.value.error.code == -32603
            return
        result = await client.call_tool("get_it", {})
        assert result.content, "mirrored as text"
        assert (result.structured_content is None) == result.is_error


@pytest.mark.parametrize(("era", "structured", "schema"), [("legacy", None, None), ("auto", [1, 2], {"type": "array"})])
async def test_output_that_is_no_object_is_for_the_later_era_only(era: str, structured: Any, schema: Any) -> None:
    world = make_world(make_tool("get_it", None, {"type": "array"}), make_tool("set_it", None, OBJECT))
    async with connect(era, world, Answering(Observation.of_structured([1, 2]))) as client:
        tools = (await client.list_tools()).tools
        assert [tool.output_schema for tool in tools] == [schema, OBJECT]
        result = await client.call_tool("get_it", {})
        assert result.structured_content == structured
        assert result.content[0].text == "[\n  1,\n  2\n]"  # type: ignore[union-attr]


@ERAS
async def test_pages_cover_every_tool_once_in_order(era: str) -> None:
    names = [f"tool_{n}" for n in range(1_203)]
    async with connect(era, make_world(*map(make_tool, names))) as client:
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            seen += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == names
        for bad in ("tools-0", "tools-99999", "tools-x", "", "tools--1", "tools-²"):
            with pytest.raises(MCPError, match="Unknown cursor") as caught:
                await client.list_tools(cursor=bad)
            assert caught.value.error.code == -32602


class Slow:
    """Answers once it is let go, and tells when it has been asked."""

    def __init__(self) -> None:
        self.asked = anyio.Event()
        self.go = anyio.Event()
        self.times = 0

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        self.times += 1
        await context.report("thinking")
        self.asked.set()
        await self.go.wait()
        return session.transition(action, Observation.of_text("late"), "imagined")


@ERAS
async def test_progress_reaches_a_client_that_asks_for_it(era: str) -> None:
    slow, reports = Slow(), []
    slow.go.set()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, message))

    async with connect(era, make_world(), slow) as client:
        await client.call_tool("get_it", {}, progress_callback=on_progress)
        assert reports == [(1, "thinking")]


@ERAS
@pytest.mark.parametrize("tool", ["get_it", "set_it"])
async def test_a_cancelled_call_keeps_nothing_and_blocks_nobody(era: str, tool: str) -> None:
    slow = Slow()
    async with connect(era, make_world(), slow) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, tool, {})
            await slow.asked.wait()
            tasks.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()  # until the server has heard of it
        slow.go.set()
        result = await client.call_tool(tool, {})
        assert (result.meta or {})["mcp-sim/turn"] == 1


async def test_equal_reads_in_flight_ask_once_and_different_ones_run_side_by_side() -> None:
    slow = Slow()
    world = make_world()
    simulator = Simulator(world, Memory(slow), InMemoryStore(world))
    turns: list[int] = []

    async def call(arguments: dict[str, Any]) -> None:
        turns.append((await simulator.call("s", Action.call("get_it", arguments))).turn)

    async with anyio.create_task_group() as tasks:
        for arguments in ({"a": 1}, {"a": 1}, {"a": 2}, {"a": 1}):
            tasks.start_soon(call, arguments)
        await anyio.wait_all_tasks_blocked()
        assert slow.times == 2
        slow.go.set()
    assert sorted(turns) == [1, 2, 3, 4]
    assert slow.times == 2


async def test_waiting_counts_against_the_deadline() -> None:
    slow, world = Slow(), make_world()
    simulator = Simulator(world, slow, InMemoryStore(world))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(simulator.call, "s", Action.call("set_it"))
        await slow.asked.wait()
        with pytest.raises(PredictionError, match="'get_it' within the time"):
            await simulator.call("s", Action.call("get_it"), Context(deadline=anyio.current_time() + 0.01))
        slow.go.set()
    assert (await simulator.call("s", Action.call("get_it"))).turn == 2


async def test_two_hundred_sessions_at_once_never_see_each_other() -> None:
    world = make_world()
    simulator = Simulator(world, Memory(Counting()), InMemoryStore(world))

    async def live(name: str) -> None:
        for n in range(5):
            written = await simulator.call(name, Action.call("set_it", {"who": name, "n": n}))
            assert written.turn == 2 * n + 1
            read = await simulator.call(name, Action.call("get_it", {"who": name}))
            assert read.action.arguments == {"who": name}

    async with anyio.create_task_group() as tasks:
        for n in range(200):
            tasks.start_soon(live, f"s{n}")
