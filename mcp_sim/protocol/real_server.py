"""A real server behind the simulation: asked for the reads that a person listed, and for nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, apply
from mcp_sim.core.transition import Transition
from mcp_sim.errors import RealServerError
from mcp_sim.predictors.shadow.overlay import Overlay
from mcp_sim.protocol.client.asking import RefusedError
from mcp_sim.protocol.real_connection import RealConnection

_MOST_ROUNDS = 4


class RealServer:
    """Answers the listed reads from the real server, with what was simulated laid over them; asks the next predictor about all else.

    What code cannot say of an answer stands in its notes.
    """

    def __init__(
        self,
        connection: RealConnection,
        real_reads: Sequence[str],
        overlays: Sequence[Overlay],
        following: Predictor,
    ) -> None:
        self._connection = connection
        self._real_reads = real_reads
        self._overlays = overlays
        self._next = following

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
        try:
            return await self._connection.answer(action)
        except RefusedError as error:
            raise RealServerError(
                f"The real server does not answer {action.name}: {self._connection.conceal(str(error))}. The session is as it was. "
                "If it has no such tool any more, capture it anew; else take the tool out of real_reads."
            ) from error
