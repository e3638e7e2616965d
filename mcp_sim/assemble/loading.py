"""What is loaded only when it is needed."""

import importlib
from collections.abc import Callable
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


def load(name: str) -> Any:
    """Return what `module:attribute` names, and import its module only now."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


class Deferred:
    """A predictor that is built when it is first asked, so that what it needs is not loaded before."""

    def __init__(self, build: Callable[[], Predictor]) -> None:
        self._build = build
        self._built: Predictor | None = None

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        if self._built is None:
            self._built = self._build()
        return await self._built.predict(session, action, context)
