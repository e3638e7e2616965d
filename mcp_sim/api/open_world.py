"""A world to use from Python."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from mcp_sim.api.call import Call
from mcp_sim.api.coverage import Coverage
from mcp_sim.api.doors import Doors
from mcp_sim.api.state import StateView
from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import ModelOptions, RealOptions, SessionOptions, SimulatorOptions
from mcp_sim.assemble.real import read_real
from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.protocol.in_memory import InMemoryClient, StdioCommand, connect
from mcp_sim.protocol.server import SimulatedServer
from mcp_sim.simulator import Simulator
from mcp_sim.tool_specs.world_folder import load_world


class OpenWorld:
    """One session of a world, open for use. `open_world` makes it; it is good for the length of that block.

    `client` is the MCP SDK's own client, connected in this process. `coverage` counts what was used.
    """

    def __init__(
        self,
        simulator: Simulator,
        session_name: str,
        client: InMemoryClient,
        doors: Doors,
        coverage: Coverage,
        answer_within_seconds: float,
    ) -> None:
        self.session_name = session_name
        self.client = client
        self.coverage = coverage
        self._simulator = simulator
        self._doors = doors
        self._answer_within_seconds = answer_within_seconds
        self._knowledges = [Knowledge(part) for part in simulator.world.parts or (simulator.world,)]
        self._forks = 0

    @property
    def world(self) -> World:
        """What is simulated: the tools, the settings, the background."""
        return self._simulator.world

    @property
    def session(self) -> Session:
        """The session as it is now: an immutable value."""
        return self._simulator.peek(self.session_name)

    @property
    def sessions(self) -> list[Session]:
        """This session and all beside it: forks, and those that agents named in the URL."""
        return self._simulator.sessions

    @property
    def url(self) -> str:
        """The URL for agents in other processes (streamable HTTP), served from now on; `.../s/NAME/mcp` are sessions beside this one.

        It is served by this event loop: wait for a subprocess with `await anyio.run_process(...)`, not with `subprocess.run`.
        """
        return self._doors.url

    @property
    def stdio(self) -> StdioCommand:
        """The `command`, `args` and `env` of a stdio server for agents that start one. It shares this session; see `url` for waiting."""
        return self._doors.stdio

    @property
    def state(self) -> StateView:
        """What exists now: `state.issues[-1].title`, `state["filesystem"]`."""
        return StateView(self.session, self._knowledges)

    @property
    def calls(self) -> list[Call]:
        """The calls of this session that were answered, in order."""
        return [Call.of(transition) for transition in self.session.trajectory]

    async def call(self, tool: str, arguments: dict[str, JSON] | None = None) -> Call:
        """Call a tool, as a client would.

        Raises:
            UnknownToolError: the world has no such tool.
            PredictionError: there is no answer: nothing is frozen, or the model failed.
        """
        return Call.of(await self._simulator.call(self.session_name, Action.call(tool, arguments)))

    async def reset(self, seed: int | None = None) -> None:
        """Begin the session anew, with this seed or the one it had.

        Raises:
            SessionStoreError: the session is a kept one.
        """
        session = self.session
        await self._simulator.put(Session.begin(session.world, session.name, session.seed if seed is None else seed))

    @asynccontextmanager
    async def fork(self, at: int | None = None) -> AsyncIterator["OpenWorld"]:
        """Open a session beside this one that begins with its first `at` calls (all of them by default); the two then go on apart.

        Raises:
            SetupError: there are fewer calls.
        """
        session = self.session
        turns = len(session.trajectory) if at is None else at
        if not 0 <= turns <= len(session.trajectory):
            raise SetupError(f"Session {session.name!r} has {len(session.trajectory)} calls: it cannot be forked at {at}.")
        self._forks += 1
        copy = Session.begin(session.world, f"{session.name[:40]}-fork-{self._forks}", session.seed)
        for transition in session.trajectory[:turns]:
            copy = copy.append(transition)
        await self._simulator.put(copy)
        async with _enter(self._simulator, copy.name, self.coverage, self._answer_within_seconds) as forked:
            yield forked


@asynccontextmanager
async def open_world(
    world: str | Path | World,
    *,
    seed: int | None = None,
    session: str | None = None,
    frozen: bool = False,
    refresh: bool = False,
    model: str | ModelOptions | None = None,
    real: str | RealOptions | None = None,
    answer_within_seconds: float = math.inf,
) -> AsyncIterator[OpenWorld]:
    """Open a world for the length of the block: a bundled one by name, a world folder or a file of tools by path.

    Two sessions with the same `seed` imagine the same things. `session` keeps it in a file under that name, to go on there later. With
    `frozen` nothing is imagined: what is neither frozen nor computed is a `FrozenMissError`. With `refresh` it is imagined, and
    `coverage.pinned` tells what is to be frozen. `model` is the URL of an OpenAI-compatible server to ask where code does not know. With
    `refresh`, `real` is a real server to ask (and to change) instead of imagining: its URL, or the command line that starts it. What it
    answers is in the session and in `coverage.pinned` as it was said; `mcp-sim run` and the pytest plugin keep it without secrets.

    >>> import anyio, mcp_sim
    >>> async def main() -> None:
    ...     async with mcp_sim.open_world("filesystem") as world:
    ...         await world.client.call_tool("write_file", {"path": "/projects/a.txt", "content": "one"})
    ...         print((await world.call("read_text_file", {"path": "/projects/a.txt"})).text)
    ...         async with world.fork(at=0) as before:
    ...             print((await before.call("read_text_file", {"path": "/projects/a.txt"})).failed)
    ...         print([call.tool for call in world.calls])
    >>> anyio.run(main)
    one
    True
    ['write_file', 'read_text_file']

    Raises:
        SetupError: there is no such world, or something in it or in the arguments is wrong.
    """
    if frozen and (refresh or model is not None):
        raise SetupError("A frozen world imagines nothing: leave `refresh` and `model` away, or `frozen`.")
    if real is not None and (not refresh or model is not None or session is not None):
        raise SetupError("A real server answers what is missing with `refresh` alone: leave `model` and `session` away.")
    loaded = world if isinstance(world, World) else load_world(world)
    options = SimulatorOptions(
        sessions=SessionOptions(keep=session, seed=seed),
        model=ModelOptions(url=model) if isinstance(model, str) else model,
        frozen=frozen,
        real=read_real(real) if isinstance(real, str) else real,
        answer_within_seconds=answer_within_seconds,
    )
    coverage = Coverage(loaded)
    on_pin = coverage.pin if refresh else None
    simulating = open_simulator(loaded, options, listener=coverage.count, on_use=coverage.use, on_pin=on_pin)
    async with simulating as simulator, _enter(simulator, options.sessions.default_session, coverage, answer_within_seconds) as opened:
        yield opened


@asynccontextmanager
async def _enter(simulator: Simulator, session_name: str, coverage: Coverage, answer_within_seconds: float) -> AsyncIterator[OpenWorld]:
    simulated = SimulatedServer(simulator, session_name, answer_within_seconds)
    failure: BaseException | None = None
    async with anyio.create_task_group() as tasks:
        doors = Doors(simulated, tasks)
        try:
            async with connect(simulated) as client:
                try:
                    yield OpenWorld(simulator, session_name, client, doors, coverage, answer_within_seconds)
                except (anyio.get_cancelled_exc_class(), GeneratorExit):
                    raise
                except BaseException as error:
                    failure = error  # raised below: the task groups would hide a test's failed assertion in a group of errors
        finally:
            doors.close()
    if failure is not None:
        raise failure
