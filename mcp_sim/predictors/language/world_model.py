"""The language world model: the predictor at the end of the chain."""

from collections.abc import Awaitable, Callable
from functools import partial

import anyio

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import ContextExceededError, ModelSlowError, PredictionError
from mcp_sim.predictors.language.asking import Asking
from mcp_sim.predictors.language.completer import Completer, Completion, Request
from mcp_sim.predictors.language.failures import Failures
from mcp_sim.predictors.language.observing import observe
from mcp_sim.predictors.language.prompt import SCREEN, SCREEN_DOMAINS, Prompt, Prompter
from mcp_sim.predictors.language.settings import LanguageSettings
from mcp_sim.predictors.language.structured import bound
from mcp_sim.predictors.language.thinking import has_fixed_format

_CAUTIONS = (1.0, 2.0, 4.0)
_ADVISED_CONTEXT_TOKENS = 131_072


async def _unknown() -> int | None:
    return None


class LanguageWorldModel:
    """Foretells by prompting a language model with the tools, the history and the action.

    `template` is the domain's system prompt. `context_tokens` tells the model's limit, or `None` where nobody knows. `embedded` answers
    where the model is too slow, if the settings want that.
    """

    def __init__(
        self,
        world: World,
        completer: Completer,
        template: str,
        settings: LanguageSettings | None = None,
        *,
        context_tokens: Callable[[], Awaitable[int | None]] = _unknown,
        embedded: Predictor | None = None,
    ) -> None:
        self._world = world
        self._completer = completer
        self._settings = settings = settings or LanguageSettings()
        self._context_tokens = context_tokens
        self._embedded = embedded if settings.on_slow == "embedded" else None
        self._prompter = Prompter(
            world, template, settings.max_tokens, settings.demonstration_characters, state_in_prompt=settings.state_in_prompt
        )
        self._failures = Failures(world)
        self._thinking: dict[str, bool] = {}
        self._warned = False

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """Return the imagined transition, with the model's counts in `usage`.

        Raises:
            PredictionError: one of its children for each way in which a model fails; the message says what to do.
        """
        asking = Asking.begin(self._completer, self._settings, context)
        try:
            with anyio.CancelScope(deadline=asking.ends_at):
                limit = await self._limit(context)
                return await self._imagine(session, action, asking, limit)
            raise asking.too_slow()
        except ModelSlowError as slow:
            if self._embedded is None:
                raise
            transition = await self._embedded.predict(session, action, context)
            notes = [*transition.notes, *asking.notes, f"Made by the embedded generator, not by the language model: {slow}"]
            return transition.model_copy(update={"notes": notes, "usage": asking.usage()})

    async def _limit(self, context: Context) -> int | None:
        limit = await self._context_tokens()
        if limit is not None and limit < _ADVISED_CONTEXT_TOKENS and not self._warned:
            self._warned = True
            await context.log(
                f"The model's context is {limit} tokens. World models are advised to have at least {_ADVISED_CONTEXT_TOKENS}; "
                "old turns will be forgotten sooner."
            )
        return limit

    async def _imagine(self, session: Session, action: Action, asking: Asking, limit: int | None) -> Transition:
        tool = self._world.tools_by_name.get(action.name)
        if tool is None:
            raise PredictionError(
                f"{action.name!r} is no tool of world {self._world.name!r}, and a language model foretells tool calls only."
            )
        prompt, request, completion = await self._ask_fitting(session, action, tool, asking, limit)
        counted = {"first_turn": prompt.first_turn, "prompt_tokens": completion.usage.prompt, "size": prompt.size}
        if prompt.dropped:
            notice = f"The oldest turns were left out of the model's prompt: it now begins with turn {prompt.first_turn + 1}."
            asking.notes.append(notice)
            await asking.context.log(f"Session {session.name!r}: {notice}")
        failed = partial(self._failures.reports, session, action)
        observation = await observe(asking, request, completion, tool, failed)
        transition = session.transition(action, observation, "imagined", self._patch(session, action, observation))
        return transition.model_copy(update={"notes": asking.notes, "usage": {**asking.usage(), "window": counted}})

    def _patch(self, session: Session, action: Action, observation: Observation) -> list[Change]:
        """Keep the screen that an action led to: in screen domains it is the state that the next prompt shows."""
        world = self._world
        if world.settings.domain not in SCREEN_DOMAINS or observation.is_error or not session.world.mutates(action):
            return []
        shown = lookup(session.state, SCREEN)
        return [Change(path=[SCREEN], value=observation.text)] if shown is None or isinstance(shown, str) else []

    async def _ask_fitting(
        self, session: Session, action: Action, tool: ToolSpec, asking: Asking, limit: int | None
    ) -> tuple[Prompt, Request, Completion]:
        """Ask, and again with fewer turns where the server finds the prompt too long: without a tokenizer its length is an estimate."""
        for caution in _CAUTIONS:
            prompt = self._prompter.compose(session, action, limit, caution=caution, correction=asking.context.correction)
            request = self._request(prompt, tool)
            try:
                return prompt, request, await asking.ask(request)
            except ContextExceededError:
                if limit is None or caution == _CAUTIONS[-1]:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _request(self, prompt: Prompt, tool: ToolSpec) -> Request:
        settings = self._settings
        has_schema = tool.output_schema is not None
        return Request(
            messages=prompt.told,
            max_tokens=prompt.max_tokens,
            temperature=settings.temperature,
            top_p=settings.top_p,
            top_k=settings.top_k,
            thinking=self._thinks(tool.name),
            schema=bound(tool.output_schema, or_failure=self._failures.knows(tool.name)) if has_schema else None,
        )

    def _thinks(self, name: str) -> bool:
        if name not in self._thinking:
            thinking = self._settings.thinking_for(name)
            self._thinking[name] = not has_fixed_format(self._world, name) if thinking == "auto" else thinking == "on"
        return self._thinking[name]
