"""One call: lend the session, check, predict, check, commit.

For: the fixed pipeline around a swappable predictor.
Looks at: `mcp_sim.core`, `mcp_sim.sessions.store`, `mcp_sim.errors`.
Touches: nothing.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

import anyio

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import is_transmissible
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.refusal import admit, refuse, unknown_tool
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError, PredictionError, RefusedRequestError, UnknownToolError
from mcp_sim.sessions.store import SessionStore

Outcome = Transition | McpSimError
"""What came of a call: the transition that was kept, or the error for which nothing was."""


class Simulator:
    """A world, its predictor and its session store. `listener` is told each action and its outcome."""

    def __init__(
        self, world: World, predictor: Predictor, store: SessionStore, listener: Callable[[Action, Outcome], None] | None = None
    ) -> None:
        self.world = world
        self._predictor = predictor
        self._store = store
        self._listener = listener
        self._asking: dict[tuple[str, str], anyio.Event] = {}
        self._sound: WeakValueDictionary[tuple[str, int], Observation] = WeakValueDictionary()

    def beside(self, world: World, around: Callable[[Predictor], Predictor]) -> "Simulator":
        """Return a simulator of another view of the world, over the same sessions; `around` puts what it needs before the predictor."""
        return Simulator(world, around(self._predictor), self._store, self._listener)

    async def call(self, session_name: str, action: Action, context: Context | None = None) -> Transition:
        """Answer one action in the named session and keep the transition, or raise and keep nothing.

        Actions that may change state are alone in their session and in order; others run side by side, and of equal ones
        only the first asks the predictor. Waiting counts against the context's deadline.

        Raises:
            RefusedRequestError: the world has no such tool (and its style words that as a protocol error), resource or prompt.
            PredictionError: the simulator could not answer.
            SessionNameError: no session can have this name.
        """
        try:
            outcome = await self._call_in_time(session_name, action, context or Context())
        except McpSimError as error:
            self._tell(action, error)
            raise
        self._tell(action, outcome)
        return outcome

    def peek(self, session_name: str) -> Session:
        """Return the named session as it is now.

        Raises:
            SessionNameError: no session can have this name.
            SessionStoreError: the session cannot be read.
        """
        return self._store.peek(session_name)

    @property
    def sessions(self) -> list[Session]:
        """All sessions that calls were made in, as they are now."""
        return [self._store.peek(name) for name in self._store.names]

    async def put(self, session: Session) -> None:
        """Let the session take the place of the one of its name: to begin anew, or to go on from somewhere else.

        Raises:
            SessionNameError: no session can have this name.
            SessionStoreError: the session of this name is kept for good.
        """
        await self._store.put(session)

    def _tell(self, action: Action, outcome: Outcome) -> None:
        if self._listener is not None:
            self._listener(action, outcome)

    async def _call_in_time(self, session_name: str, action: Action, context: Context) -> Transition:
        if not is_transmissible(action.params):
            raise RefusedRequestError(
                f"The arguments of {action.name!r} hold what JSON cannot carry: NaN, an infinity, or half of a surrogate pair."
            )
        with anyio.CancelScope(deadline=context.deadline) as scope:
            if self._goes_alone(action):
                return await self._answer(session_name, action, context, alone=True)
            async with self._first_of_equals(session_name, action):
                return await self._answer(session_name, action, context, alone=False)
        assert scope.cancelled_caught
        raise PredictionError(
            f"No answer of {action.name!r} within the time allowed. Give it more with --answer-within, "
            f"or see what keeps session {session_name!r} busy."
        )

    async def _answer(self, session_name: str, action: Action, context: Context, *, alone: bool) -> Transition:
        async with self._store.lease(session_name, alone=alone) as lease:
            return lease.commit(await self._foretell(lease.session, action, context))

    def _goes_alone(self, action: Action) -> bool:
        return self.world.mutates(action) or self.world.is_volatile(action)

    @asynccontextmanager
    async def _first_of_equals(self, session_name: str, action: Action) -> AsyncIterator[None]:
        """Let one of several equal calls go ahead; the others then find its answer in memory."""
        key = (session_name, action.key)
        while waiting_for := self._asking.get(key):
            await waiting_for.wait()
        done = self._asking[key] = anyio.Event()
        try:
            yield
        finally:
            del self._asking[key]
            done.set()

    async def _foretell(self, session: Session, action: Action, context: Context) -> Transition:
        if action.method != "tools/call":
            if not self.world.pins(action):
                self.world.offers.check(action)
            return await self._predictor.predict(session, action, context)
        tool, style = self.world.tools_by_name.get(action.name), self.world.part_of(action).settings.errors
        if tool is None:
            answer = unknown_tool(style, action.name)
            if answer is None:
                raise UnknownToolError(action.name)
            return session.transition(action, answer, "computed", changes=False)
        arguments, problems = admit(style, tool.input_check, action.arguments)
        if problems and not self.world.pins(action):  # what a real server did is recorded, whatever its schema says
            refusal = refuse(style, tool, action.arguments, problems)
            return session.transition(action, refusal, "computed", changes=False)
        if arguments is not action.arguments:  # what the tool sees is what was done
            action = Action.call(action.name, arguments)
        transition = await self._predictor.predict(session, action, context)
        observation = self._check(tool, transition.observation)
        reads_only = transition.changes and not self.world.mutates(action)
        if observation is transition.observation and not reads_only:
            return transition
        return transition.model_copy(update={"observation": observation, "changes": transition.changes and not reads_only})

    def _check(self, tool: ToolSpec, observation: Observation) -> Observation:
        """Check an observation against the output schema; one given again from memory was found sound before."""
        key = (tool.name, id(observation))
        if self._sound.get(key) is observation:
            return observation
        checked = _checked(tool, observation)
        if tool.output_check is not None:
            self._sound[(tool.name, id(checked))] = checked
        return checked


def _checked(tool: ToolSpec, observation: Observation) -> Observation:
    """Return the observation as clients accept it: structured content mirrored as text, and none beside an error."""
    if observation.is_error:
        if not observation.has_structured_content:
            return observation
        return Observation(content=observation.content, is_error=True)
    if tool.output_check is not None:
        if not observation.has_structured_content:
            raise PredictionError(
                f"The answer of {tool.name!r} has no structured content, which its output schema demands. "
                "If it was pinned by hand, add structuredContent to it; else report this as a fault of the predictor."
            )
        problems = tool.output_check.problems(observation.structured_content)
        if problems:
            raise PredictionError(f"The answer of {tool.name!r} breaks the tool's output schema: {problems[0].message}.")
    if observation.has_structured_content and not observation.content:
        mirrored = Observation.of_structured(observation.structured_content)
        return observation.model_copy(update={"content": mirrored.content})
    return observation
