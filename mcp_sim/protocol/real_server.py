"""A real server behind the simulation: asked for the reads that a person listed, and for nothing else."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Protocol

import anyio
import httpx2
from pydantic import ValidationError

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, apply
from mcp_sim.core.transition import Transition
from mcp_sim.errors import PredictionError, RealServerError, SetupError
from mcp_sim.predictors.shadow.overlay import Overlay
from mcp_sim.protocol.client.asking import Asking, RefusedError

logger = logging.getLogger(__name__)

_MOST_ROUNDS = 4


class Line(Protocol):
    """A way to a server that can be opened again."""

    async def open(self, stack: AsyncExitStack) -> Asking:
        """Return a client that has greeted the server, and put on the stack what ends it.

        Raises:
            SetupError: the server cannot be reached.
        """
        ...


class RealServer:
    """Answers the listed reads from the real server, with what was simulated laid over them; asks the next predictor about all else.

    The server is reached when it is first needed, and again after it was lost. What code cannot say of an answer stands in its notes.
    """

    def __init__(
        self,
        line: Line,
        real_reads: Sequence[str],
        overlays: Sequence[Overlay],
        following: Predictor,
        conceal: Callable[[str], str] = str,
    ) -> None:
        """`conceal` takes secrets out of what the real server says when it refuses."""
        self._line = line
        self._real_reads = real_reads
        self._overlays = overlays
        self._next = following
        self._conceal = conceal
        self._stack = AsyncExitStack()
        self._asking: Asking | None = None
        self._turn = anyio.Lock()

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`.

        Raises:
            RealServerError: the real server cannot be reached, ended, or refused.
        """
        overlay = next((overlay for overlay in self._overlays if overlay.concerns(action)), None)
        if not self._is_real(action):
            return await self._simulate(session, action, context, overlay)
        if overlay is not None and overlay.knows(session, action):
            return await self._next.predict(session, action, context)
        observation = await self._read(action)
        learned = [] if overlay is None else overlay.learn(session, action, observation)
        real = session.transition(action, observation, "real", learned, changes=False)
        return real if session.ticks == 0 else self._overlaid(session, real, overlay)

    async def aclose(self) -> None:
        """End the real server, if it was started here, or the connection to it."""
        self._asking = None
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    def _is_real(self, action: Action) -> bool:
        return action.is_call and any(fnmatchcase(action.name, glob) for glob in self._real_reads)

    async def _simulate(self, session: Session, action: Action, context: Context, overlay: Overlay | None) -> Transition:
        learned: list[Change] = []
        known, missing = session, list[str]()
        asked: set[str] = set()
        for _ in range(_MOST_ROUNDS if overlay is not None and session.world.mutates(action) else 0):
            assert overlay is not None
            needed = [read for read in overlay.needs(known, action) if read.key not in asked]
            if not needed:
                break
            for read in needed:
                asked.add(read.key)
                if self._is_real(read):
                    news = overlay.learn(known, read, await self._read(read))
                    learned += news
                    known = replace(known, state=apply(known.state, news))
                elif read.name not in missing:
                    missing.append(read.name)
        made = await self._next.predict(known, action, context)
        notes = [f"Simulated without knowing what is really there: {', '.join(missing)} is not among real_reads."] if missing else []
        patch = [*learned, *(made.patch if overlay is None else overlay.amend(made))]
        if patch == made.patch and not notes:
            return made
        return made.model_copy(update={"patch": patch, "notes": [*made.notes, *notes]})

    def _overlaid(self, session: Session, real: Transition, overlay: Overlay | None) -> Transition:
        settled = None if overlay is None else overlay.settle(session, real)
        if settled is None:
            last = next(transition for transition in reversed(session.trajectory) if transition.changes)
            note = (
                f"Really read. {session.ticks} simulated change{'s' if session.ticks > 1 else ''} (the last: {last.action.name} in turn "
                f"{last.turn}) may be missing from it: code cannot tell how they would show here."
            )
            return real.model_copy(update={"notes": [*real.notes, note]})
        if settled == real.observation:
            return real
        note = "Really read, with what was simulated since."
        return real.model_copy(update={"observation": settled, "source": "computed", "notes": [*real.notes, note]})

    async def _read(self, action: Action) -> Observation:
        async with self._turn:
            try:
                if self._asking is None:
                    self._asking = await self._line.open(self._stack)
                result = await self._asking.call(action.name, action.arguments)
            except RefusedError as error:
                raise RealServerError(
                    f"The real server does not answer {action.name}: {self._conceal(str(error))}. The session is as it was. "
                    "If it has no such tool any more, capture it anew; else take the tool out of real_reads."
                ) from error
            except (SetupError, httpx2.HTTPError) as error:
                await self.aclose()
                reason = self._conceal(str(error)) or type(error).__name__
                raise RealServerError(
                    f"The real server cannot be asked for {action.name}: {reason.rstrip('.')}. The session is as it was: "
                    "see that the server runs, then call again; or serve without --shadow."
                ) from error
        return _observation(action, result)


def _observation(action: Action, result: Mapping[str, JSON]) -> Observation:
    try:
        if not isinstance(result.get("content"), list):
            raise PredictionError(f"The real server's answer to {action.name} is no result of a tool, but {sorted(result)[:5]}.")
        kept: dict[str, Any] = {name: value for name, value in result.items() if name in ("content", "structuredContent", "isError")}
        return Observation.of_result(kept)
    except ValidationError as error:
        raise PredictionError(f"The real server's answer to {action.name} cannot be read: {error.errors()[0]['msg']}.") from error
