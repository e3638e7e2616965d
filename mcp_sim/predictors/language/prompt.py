"""The prompt of one action: system message, committed turns, the action. It only ever grows at its end, until old turns are dropped.

A server keeps what it computed for a prompt and starts there when the next one has the same beginning. So nothing that varies stands before
the end, and when the context is nearly full, many turns are dropped in one step instead of one with each call.
Where the window begins is remembered in the trajectory itself (`usage["window"]`), so it survives restarts and holds in forks.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import canonical
from mcp_sim.core.session import Session
from mcp_sim.core.state import lookup, thaw
from mcp_sim.core.world import World
from mcp_sim.errors import ContextExceededError
from mcp_sim.predictors.language.completer import Message
from mcp_sim.predictors.language.history import History, Told, size_of
from mcp_sim.predictors.language.neutral import neutralise
from mcp_sim.predictors.language.state_text import LONGEST_SUMMARY, tell_relevant_state
from mcp_sim.predictors.language.system_message import compose_system
from mcp_sim.predictors.language.turns import tell_action

SCREEN_DOMAINS = frozenset({"android", "web", "os"})
SCREEN = "screen"
"""Where the state of a screen domain keeps what is shown."""

_SESSIONS_REMEMBERED = 256
_BYTES_PER_TOKEN = 3.0  # JSON and prose come to 3 to 4.5 with the vocabularies in use: a careful guess until a server has counted
_LONGEST_STATE = 100_000
_SPARE_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent for an action.

    `size` is its bytes but for the system message, `tokens` an estimate; `max_tokens` is what is left for the answer, at most what the
    settings say. `first_turn` is the first turn that is told, counted from 0; `dropped` is how many are left out that were told before.
    """

    told: Told
    size: int
    tokens: int
    max_tokens: int
    first_turn: int
    dropped: int

    @property
    def messages(self) -> list[Message]:
        """The messages, in a list of their own."""
        return list(self.told)


class Prompter:
    """Composes prompts for one world. What it remembers of sessions saves time only and can be dropped at any time."""

    def __init__(
        self, world: World, template: str, max_tokens: int, demonstration_characters: int, *, state_in_prompt: bool = False
    ) -> None:
        self._world = world
        self._template = template
        self._max_tokens = max_tokens
        self._demonstration_characters = demonstration_characters
        self._state_in_prompt = state_in_prompt
        self._systems: dict[int, Message] = {}
        self._histories: OrderedDict[str, History] = OrderedDict()

    def compose(
        self, session: Session, action: Action, context_tokens: int | None = None, *, caution: float = 1.0, correction: str | None = None
    ) -> Prompt:
        """Return the prompt for an action in a session.

        `context_tokens` is the model's limit where it is known; without it nothing is dropped anew. `caution` multiplies the estimates,
        after a server has found a prompt too long. `correction` says what was wrong with an earlier answer to the same action.

        Raises:
            ContextExceededError: system message and action alone leave no room for an answer.
        """
        history = self._history(session)
        system = self._system(context_tokens)
        last = self._last_message(session, action, history, correction)
        system_bytes, last_bytes = size_of(system), size_of(last)

        def estimate(first: int) -> int:
            summary_bytes = 0 if first == 0 else len(history.summary) if first == history.first_turn else LONGEST_SUMMARY
            own = system_bytes + summary_bytes + last_bytes + history.size_from(first)
            counted = history.counted
            if counted is None or counted.first_turn != first:
                ratio = counted.tokens / max(1, system_bytes + counted.size) if counted else 1 / _BYTES_PER_TOKEN
                return math.ceil(caution * ratio * own)
            return math.ceil(counted.tokens + caution * max(0, own - system_bytes - summary_bytes - counted.size) / _BYTES_PER_TOKEN)

        first = kept = history.first_turn
        tokens = estimate(first)
        reply_tokens = self._max_tokens
        if context_tokens is not None:
            budget = context_tokens - min(self._max_tokens, context_tokens // 4)
            if tokens > budget:
                first = _first_within(first, history.turns, budget // 2, estimate)
                tokens = estimate(first)
            reply_tokens = min(self._max_tokens, context_tokens - math.ceil(tokens * 1.02) - _SPARE_TOKENS)
        if reply_tokens < 1:
            raise ContextExceededError(
                f"The prompt for {action.name!r} comes to about {tokens} tokens without any history, and the model's context is "
                f"{context_tokens}. "
                "Serve the model with a longer context, or shorten the tool list, the background or the arguments."
            )
        told = Told(_with_summary(system, history.summary_until(first)), history.messages, 2 * first, last)
        return Prompt(told, last_bytes + history.size_from(first), tokens, reply_tokens, first, first - kept)

    def _history(self, session: Session) -> History:
        known = self._histories.pop(session.name, None)
        if known is None or not known.leads_to(session.trajectory):
            known = History(self._world.settings.domain)
        known.extend(session.trajectory)
        self._histories[session.name] = known
        if len(self._histories) > _SESSIONS_REMEMBERED:
            self._histories.popitem(last=False)
        return known

    def _system(self, context_tokens: int | None) -> Message:
        characters = self._demonstration_characters if context_tokens is None else min(self._demonstration_characters, context_tokens)
        if characters not in self._systems:
            self._systems[characters] = compose_system(self._template, self._world, characters)
        return self._systems[characters]

    def _last_message(self, session: Session, action: Action, history: History, correction: str | None) -> Message:
        domain = self._world.settings.domain
        state = _shown_state(session) if domain in SCREEN_DOMAINS else None
        message = tell_action(history.turns + 1, action, domain, state)
        remarks = []
        if self._state_in_prompt and domain not in SCREEN_DOMAINS and (relevant := tell_relevant_state(session.state, action)):
            remarks.append(f"What the world's state says about this action:\n{neutralise(relevant)}")
        if correction is not None:
            remarks.append(f"An earlier prediction of this observation was wrong and has been discarded: {correction}")
        return {"role": "user", "content": "\n\n".join([message["content"], *remarks])}


def _with_summary(system: Message, summary: str) -> Message:
    """The system message, with the state that left-out turns led to at its end: what stands before stays the prefix that it was."""
    if not summary:
        return system
    content = f"{system['content']}\n\n# What earlier turns left\n\nTurns before the first one shown changed the state so:\n{summary}"
    return {"role": "system", "content": content}


def _shown_state(session: Session) -> str | None:
    screen = lookup(session.state, SCREEN)
    if isinstance(screen, str):
        return screen[:_LONGEST_STATE]
    return canonical(thaw(session.state))[:_LONGEST_STATE] if len(session.state) else None


def _first_within(first: int, turns: int, budget: int, estimate: Callable[[int], int]) -> int:
    """Return the first turn from which a prompt keeps within the budget; the number of turns if even none does."""
    low, high = first + 1, turns
    while low < high:
        middle = (low + high) // 2
        if estimate(middle) <= budget:
            high = middle
        else:
            low = middle + 1
    return min(low, turns)
