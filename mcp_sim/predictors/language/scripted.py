"""A language model that says what it was told to say: the test double."""

from collections.abc import Callable, Iterable, Iterator

from mcp_sim.errors import ModelReplyError, PredictionError
from mcp_sim.predictors.language.completer import Completion, Request, unheard, unheard_failure

Reply = str | Completion | Exception


class ScriptedCompleter:
    """Answers with the given replies in order, or with what a function makes of each request, and keeps the requests.

    A reply is a text, a whole `Completion`, or an exception to raise. No try fails and is made again.
    """

    def __init__(self, replies: Iterable[Reply] | Callable[[Request], Reply]) -> None:
        self.requests: list[Request] = []
        self._answer = replies if callable(replies) else _in_turn(iter(replies))

    async def complete(
        self,
        request: Request,
        progress: Callable[[int], None] = unheard,
        failed: Callable[[PredictionError], None] = unheard_failure,
    ) -> Completion:
        """Return the next reply.

        Raises:
            ModelReplyError: the script is at its end.
        """
        self.requests.append(request)
        reply = self._answer(request)
        if isinstance(reply, Exception):
            raise reply
        completion = Completion(text=reply) if isinstance(reply, str) else reply
        progress(completion.usage.completion)
        return completion


def _in_turn(replies: Iterator[Reply]) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        try:
            return next(replies)
        except StopIteration:
            return ModelReplyError("The scripted model has no reply left. Give ScriptedCompleter one reply for each request.")

    return answer
