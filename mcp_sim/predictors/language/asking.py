"""Asking a model in the time that there is."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio

from mcp_sim.core.canonical import JSON
from mcp_sim.core.counted import count_of
from mcp_sim.core.predictor import Context
from mcp_sim.errors import ModelSlowError, PredictionError
from mcp_sim.predictors.language.completer import Completer, Completion, Request
from mcp_sim.predictors.language.settings import LanguageSettings

_REPORT_EVERY_SECONDS = 2.0
_HURRY_AT = 0.6
_EMBEDDED_AT = 0.9
_GIVE_UP_AT = 0.98  # leaves a moment to say so before nobody listens any more


@dataclass(slots=True)
class Asking:
    """The requests that one action takes, the time that is left for them, and what they came to."""

    completer: Completer
    settings: LanguageSettings
    context: Context
    began_at: float
    ends_at: float
    hurries_at: float
    attempts: list[Completion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tokens: int = 0
    aborted: list[int] = field(default_factory=list)
    failure: PredictionError | None = None
    failures: int = 0

    @classmethod
    def begin(cls, completer: Completer, settings: LanguageSettings, context: Context) -> "Asking":
        """Return the asking of an action: its time counts back from the deadline, or from now where it has none."""
        allowed = settings.answer_within_seconds
        last_moment = context.deadline if math.isfinite(context.deadline) else anyio.current_time() + allowed
        begun = last_moment - allowed
        ends_at = begun + allowed * (_EMBEDDED_AT if settings.on_slow == "embedded" else _GIVE_UP_AT)
        hurries_at = begun + allowed * _HURRY_AT if settings.on_slow == "no-thinking" else ends_at
        return cls(completer, settings, context, anyio.current_time(), ends_at, hurries_at)

    async def ask(self, request: Request) -> Completion:
        """Return the completion of a request; one that thinks for too long is aborted and asked again without thinking.

        Raises:
            ModelSlowError: the time is over.
            PredictionError: whatever the completer says; where the time went by in tries that failed, what the last one failed of.
        """
        if request.thinking and self.hurries_at < self.ends_at:
            completion = await self._ask_until(self.hurries_at, request)
            if completion is not None:
                return completion
            self.notes.append(self._why_stopped())
            request = replace(request, thinking=False)
        completion = await self._ask_until(self.ends_at, request)
        if completion is None:
            raise self.too_slow()
        return completion

    def too_slow(self) -> PredictionError:
        """Return the error that says why the time was not enough and what to change: a model that only failed was not slow."""
        if self.failure is not None and not self.tokens:
            tried = "once" if self.failures == 1 else f"{self.failures} times"
            allowed = f"within the {self.settings.answer_within_seconds:g} s allowed"
            return type(self.failure)(f"{self.failure} It was tried {tried} in vain {allowed}.")
        return ModelSlowError(
            f"The language model did not answer within the {self.settings.answer_within_seconds:g} s allowed "
            f"({count_of(self.tokens, 'token')} "
            f"generated so far). "
            "Raise --answer-within together with the client's own time-out, set --thinking off, or use a faster model server (see "
            "mcp-sim doctor)."
        )

    def usage(self) -> dict[str, JSON]:
        """Return the counts of all attempts together, as a transition keeps them; tokens of aborted attempts are those that arrived."""
        done = self.attempts
        return {
            "attempts": len(done) + len(self.aborted),
            "prompt_tokens": sum(item.usage.prompt for item in done),
            "cached_tokens": sum(item.usage.cached for item in done),
            "completion_tokens": sum(item.usage.completion for item in done),
            "reasoning_tokens": sum(item.usage.reasoning for item in done),
            "aborted_tokens": sum(self.aborted),
            "seconds": round(anyio.current_time() - self.began_at, 3),
            "time_to_first_token": round(done[0].time_to_first_token, 3) if done else None,
        }

    async def _ask_until(self, moment: float, request: Request) -> Completion | None:
        self.tokens = 0
        with anyio.CancelScope(deadline=moment) as scope:
            async with self._reporting():
                completion = await self.completer.complete(request, self._count, self._failed)
            self.attempts.append(completion)
            return completion
        assert scope.cancelled_caught
        self.aborted.append(self.tokens)
        return None

    def _count(self, tokens: int) -> None:
        self.tokens = tokens

    def _failed(self, error: PredictionError) -> None:
        self.failure = error
        self.failures += 1
        self.tokens = 0

    def _why_stopped(self) -> str:
        if self.failure is not None and not self.tokens:
            return f"The model had not begun to answer, and was asked again without thinking. {self.failure}"
        return f"The model was still thinking after {count_of(self.tokens, 'token')}; it was stopped and asked again without thinking."

    @asynccontextmanager
    async def _reporting(self) -> AsyncIterator[None]:
        """Tell the waiting client every two seconds how far the answer is."""
        failure: PredictionError | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._report)
            try:
                yield
            except PredictionError as error:  # raised below: a task group would wrap it
                failure = error
            tasks.cancel_scope.cancel()
        if failure is not None:
            raise failure

    async def _report(self) -> None:
        while True:
            await anyio.sleep(_REPORT_EVERY_SECONDS)
            failing = "the model server fails and is asked again" if self.failure is not None else "waiting for the model"
            await self.context.report(f"{count_of(self.tokens, 'token')} generated" if self.tokens else failing)
