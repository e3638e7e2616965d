"""The connection to a real server: made when it is first needed, and again after it was lost."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Protocol

import anyio
import httpx2
from pydantic import ValidationError

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.offers import PROMPT, READ
from mcp_sim.errors import PredictionError, RealServerError, SetupError
from mcp_sim.protocol.client.asking import Asking, RefusedError


class Line(Protocol):
    """A way to a server that can be opened again."""

    async def open(self, stack: AsyncExitStack) -> Asking:
        """Return a client that has greeted the server, and put on the stack what ends it.

        Raises:
            SetupError: the server cannot be reached.
        """
        ...


class RealConnection:
    """Asks a real server, one action at a time. `conceal` takes secrets out of what it says when it refuses."""

    def __init__(self, line: Line, conceal: Callable[[str], str] = str) -> None:
        self.conceal = conceal
        self._line = line
        self._stack = AsyncExitStack()
        self._asking: Asking | None = None
        self._turn = anyio.Lock()

    async def answer(self, action: Action) -> Observation:
        """Return what the server answers to an action.

        Raises:
            RefusedError: it answered with an error in place of a result.
            RealServerError: it cannot be reached, or ended.
            PredictionError: its answer cannot be read.
        """
        async with self._turn:
            try:
                if self._asking is None:
                    self._asking = await self._line.open(self._stack)
                result = await self._asking.ask(action.method, action.params)
            except RefusedError:
                raise
            except (SetupError, httpx2.HTTPError) as error:
                await self.aclose()
                reason = self.conceal(str(error)) or type(error).__name__
                raise RealServerError(
                    f"The real server cannot be asked for {action.name}: {reason.rstrip('.')}. The session is as it was: "
                    "see that the server runs, then call again; or go on without it."
                ) from error
        return _observation(action, result)

    async def aclose(self) -> None:
        """End the real server, if it was started here, or the connection to it."""
        self._asking = None
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()


def _observation(action: Action, result: Mapping[str, JSON]) -> Observation:
    key = {READ: "contents", PROMPT: "messages"}.get(action.method, "content")
    try:
        if not isinstance(result.get(key), list):
            raise PredictionError(f"The real server's answer to {action.name} is no result of a tool, but {sorted(result)[:5]}.")
        if not action.is_call:
            return Observation.of_offer({name: value for name, value in result.items() if name not in ("_meta", "resultType")})
        kept: dict[str, Any] = {name: value for name, value in result.items() if name in ("content", "structuredContent", "isError")}
        return Observation.of_result(kept)
    except ValidationError as error:
        raise PredictionError(f"The real server's answer to {action.name} cannot be read: {error.errors()[0]['msg']}.") from error
