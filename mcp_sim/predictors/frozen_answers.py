"""What was pinned is answered as pinned."""

from collections.abc import Callable, Iterable

from mcp_sim.core.action import Action
from mcp_sim.core.frozen_settings import FrozenSettings
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer, Transition
from mcp_sim.errors import SetupError
from mcp_sim.predictors.sameness import Sameness

_Key = tuple[str, str | None, int | None]


class FrozenAnswers:
    """Answers from frozen answers where one fits, the most specific first; else asks the next predictor.

    An answer fits if the calls count as the same by the settings, and the fingerprint and the occurrence too where it names them.
    `on_use` is told each answer that is given. With `on_pin`, what code could not compute again is a frozen answer from then on, in all
    sessions, and `on_pin` is told.
    """

    def __init__(
        self,
        answers: Iterable[FrozenAnswer],
        following: Predictor,
        settings: FrozenSettings | None = None,
        on_use: Callable[[FrozenAnswer], None] | None = None,
        on_pin: Callable[[FrozenAnswer], None] | None = None,
    ) -> None:
        """Index the answers.

        Raises:
            SetupError: the settings cannot be read, or make two different answers count as one.
        """
        self._next = following
        self._settings = settings or FrozenSettings()
        self._sameness = Sameness(self._settings)
        self._on_use = on_use
        self._on_pin = on_pin
        self._answers: dict[_Key, FrozenAnswer] = {}
        for answer in answers:
            self._add(answer)

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        answer = self._find(session, action)
        if answer is None:
            transition = await self._next.predict(session, action, context)
            if self._on_pin is None or not session.needs_freezing(transition):
                return transition
            answer = self._find(session, action)  # another session may have been faster
            if answer is None:
                self._pin(session, transition, self._on_pin)
                return transition
        if self._on_use is not None:
            self._on_use(answer)
        for step in answer.progress:
            await context.repeat(step["progress"], step.get("total"), step.get("message"))
        return session.transition(action, answer.observation, "frozen", changes=answer.changes)

    def _pin(self, session: Session, transition: Transition, on_pin: Callable[[FrozenAnswer], None]) -> None:
        tool = session.world.tools_by_name.get(transition.action.name)  # none where a resource is read or a prompt got
        observation = transition.observation
        check = None if tool is None or observation.is_error else tool.output_check
        if check is not None and (not observation.has_structured_content or check.problems(observation.structured_content)):
            return  # whoever checks it next refuses it
        answer = session.freeze(transition)
        if self._settings.match == "call":
            answer = answer.model_copy(update={"fingerprint": None})
        self._add(answer)
        on_pin(answer)

    def _find(self, session: Session, action: Action) -> FrozenAnswer | None:
        same = self._sameness.key(action)
        occurrence = session.occurrence(action) or None
        for fingerprint in (session.fingerprint, None):
            for nth in (occurrence, None):
                answer = self._answers.get((same, fingerprint, nth))
                if answer is not None:
                    return answer
        return None

    def _add(self, answer: FrozenAnswer) -> None:
        fingerprint = None if self._settings.match == "call" else answer.fingerprint
        key = (self._sameness.key(answer.action), fingerprint, answer.occurrence)
        before = self._answers.setdefault(key, answer)
        if before.observation != answer.observation:
            raise SetupError(
                f"frozen.jsonl: two answers to {answer.action.name} count as one by world.toml's [frozen] table, and differ: "
                f"{before.action.arguments} and {answer.action.arguments}. Match more strictly, or remove one of the lines."
            )
