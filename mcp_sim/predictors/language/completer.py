"""The seam to language models: messages in, one completion out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import PredictionError

Message = dict[str, str]
"""One chat message: `role` (system, user, assistant) and `content`."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked. `schema` constrains the answer (not the reasoning before it) where the server can; `None` leaves it free."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    top_p: float
    top_k: int
    thinking: bool
    schema: JSON = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; 0 where it did not say. `cached` is the part of `prompt` that the server had computed before."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered. `reasoning` is what the server split off; `finish_reason` is `stop`, `length`, or the server's own word.

    `seconds` is the time of the whole request, `time_to_first_token` that until anything was generated.
    """

    text: str
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: Usage = Usage()
    seconds: float = 0.0
    time_to_first_token: float = 0.0


def unheard(tokens: int) -> None:
    """Tell nobody how many tokens have been generated so far."""


def unheard_failure(error: PredictionError) -> None:
    """Tell nobody that a try failed."""


class Completer(Protocol):
    """A language model behind whatever serves it. Cancelling a call stops the generation."""

    async def complete(
        self,
        request: Request,
        progress: Callable[[int], None] = unheard,
        failed: Callable[[PredictionError], None] = unheard_failure,
    ) -> Completion:
        """Return the whole answer; `progress` is told the number of tokens generated so far while they come.

        `failed` is told of each try that failed and is made again: whoever cancels the call can tell from it why it took so long.

        Raises:
            ModelUnreachableError: nothing answers, or the connection broke.
            ModelRefusedError: the server will not: key, model name, load.
            ModelReplyError: what came back is no completion.
            ContextExceededError: the prompt is too long for the model.
        """
        ...
