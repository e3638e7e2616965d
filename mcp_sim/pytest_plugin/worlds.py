"""What the fixture gives to a test."""

import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.api.coverage import Coverage
from mcp_sim.api.open_world import OpenWorld, open_world
from mcp_sim.core.session import Session
from mcp_sim.errors import SetupError
from mcp_sim.pytest_plugin.keeping import keep_sessions
from mcp_sim.pytest_plugin.ledger import Ledger

_MARKED = frozenset({"world", "seed", "mode"})


@dataclass(frozen=True, slots=True)
class Used:
    """A world that a test has closed again: what is counted, and the sessions that are not kept anyway."""

    source: str
    coverage: Coverage
    sessions: list[Session]


class Worlds:
    """Opens worlds for one test."""

    def __init__(self, ledger: Ledger, test: str, marked: tuple[Any, ...], named: dict[str, Any]) -> None:
        if len(marked) > 1 or named.keys() - _MARKED:
            raise pytest.UsageError(f"{test}: the marker is mcp_sim(world, seed=..., mode=...).")
        self._ledger = ledger
        self._test = test
        self._marked = {**({"world": marked[0]} if marked else {}), **named}
        self._used: list[Used] = []
        self._open: dict[OpenWorld, str | None] = {}
        self._passed = True

    @asynccontextmanager
    async def __call__(
        self,
        world: str | Path | None = None,
        *,
        seed: int | None = None,
        session: str | None = None,
        mode: str | None = None,
    ) -> AsyncIterator[OpenWorld]:
        """Open a world for the length of the block: one of the project's own (`tool_specs/NAME`), a bundled one, or one at a path.

        What is not said is as the test's marker says, else as the command line says. The test fails if something was asked that is
        neither frozen nor computed, even if the agent went on without it.

        Raises:
            SetupError: there is no such world, or something in it is wrong.
        """
        name = world or self._marked.get("world")
        if name is None:
            raise SetupError(f'{self._test}: say which world: mcp_sim("github"), or the marker mcp_sim("github").')
        mode = self._ledger.check_mode(mode or self._marked.get("mode"))
        if seed is None:
            seed = self._marked.get("seed", self._ledger.seed)
        loaded = self._ledger.load(name, refresh=mode == "refresh")
        real = self._ledger.real(name) if mode == "refresh" else None
        failure: BaseException | None = None
        opening = open_world(
            loaded,
            seed=seed,
            session=session,
            frozen=mode == "frozen",
            refresh=mode == "refresh",
            model=None if mode == "frozen" or real is not None else self._ledger.model,
            real=real,
        )
        async with opening as opened:
            self._open[opened] = session
            try:
                yield opened
            except BaseException as error:
                failure = error
                raise
            finally:
                self._used.append(Used(loaded.source, opened.coverage, _unkept(opened, self._open.pop(opened))))
                if opened.coverage.misses and isinstance(failure, Exception | None):
                    raise pytest.fail.Exception(self._missed(opened.coverage, failure), pytrace=False) from None

    def settle(self, *, passed: bool) -> str:
        """Count what the test used so far. The sessions of a failed one are kept; the text says how to look at them."""
        self._passed = passed = passed and self._passed
        used, self._used = self._used, []
        for world in used:
            self._ledger.count(world.source, world.coverage, keep_pins=passed)
        sessions = [session for world in used for session in world.sessions]
        sessions += [session for opened, name in self._open.items() for session in _unkept(opened, name)]
        if passed:
            return ""
        kept = [session for session in sessions if self._ledger.may_keep(session.world.source)]
        left_out = ["What a real server answered may hold secrets: that session is not kept."] if len(kept) < len(sessions) else []
        return "\n".join([*left_out, keep_sessions(self._test, kept)]).strip()

    def _missed(self, coverage: Coverage, failure: Exception | None) -> str:
        messages = list(dict.fromkeys(miss.message for miss in coverage.misses))
        calls = "A call" if len(coverage.misses) == 1 else f"{len(coverage.misses)} calls"
        lines = [f"{calls} in world {coverage.world.name!r}: neither frozen nor computed.", "", *messages, "", coverage.misses[0].remedy]
        if failure is not None and not any(message in str(failure) for message in messages):
            lines.append(f"The test then ended{_place(failure)} with {type(failure).__name__}: {_first_line(failure)}")
        lines.append(f"To freeze what is missing: pytest --mcp-sim=refresh '{self._test}'")
        return "\n".join(lines)


def _unkept(opened: OpenWorld, kept: str | None) -> list[Session]:
    return [session for session in opened.sessions if session.name != kept]


def _place(failure: Exception) -> str:
    own = Path(__file__).parent
    frames = [frame for frame in traceback.extract_tb(failure.__traceback__) if Path(frame.filename).parent != own]
    return f" at {frames[0].filename}:{frames[0].lineno}" if frames else ""


def _first_line(failure: Exception) -> str:
    return str(failure).partition("\n")[0]
