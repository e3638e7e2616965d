"""The end of the chain where nothing may be imagined: a call that is not known fails, loudly and usefully."""

import json
from collections.abc import Iterable
from difflib import SequenceMatcher

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer, Transition
from mcp_sim.errors import FrozenMissError
from mcp_sim.predictors.sameness import differences

_MOST_SHOWN = 3
_MOST_DIFFERENCES = 4
_COMPARED_CHARACTERS = 2_000


class FrozenOnly:
    """Refuses every action, naming the frozen answers that come nearest."""

    def __init__(self, answers: Iterable[FrozenAnswer]) -> None:
        self._answers: dict[str, list[FrozenAnswer]] = {}
        for answer in answers:
            self._answers.setdefault(answer.action.name, []).append(answer)

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """Raise.

        Raises:
            FrozenMissError: always.
        """
        missing = [f"Nothing is frozen for {_shown(action)}.", *self._nearest(session, action)]
        raise FrozenMissError(action.name, "\n".join(missing), "\n".join(_remedy(session, action)))

    def _nearest(self, session: Session, action: Action) -> list[str]:
        answers = self._answers.get(action.name, [])
        if not answers:
            if not self._answers:
                return [f"No call of {action.name} is frozen, nor anything else in this world."]
            return [f"No call of {action.name} is frozen. Frozen are calls of: {', '.join(sorted(self._answers))}."]
        same = [answer for answer in answers if answer.action.key == action.key]
        if same:
            last = next((transition for transition in reversed(session.trajectory) if transition.changes), None)
            change = f"the last is turn {last.turn}, {_shown(last.action)}" if last else "there are none so far"
            return [f"This very call is frozen for {len(same)} other state(s) or occurrence(s): the changes before it differ ({change})."]
        text = canonical(action.arguments)[:_COMPARED_CHARACTERS]
        matcher = SequenceMatcher(b=text, autojunk=False)

        def likeness(answer: FrozenAnswer) -> float:
            matcher.set_seq1(canonical(answer.action.arguments)[:_COMPARED_CHARACTERS])
            return matcher.quick_ratio()

        calls = {answer.action.key: answer for answer in answers}  # each once, in however many states it is frozen
        nearest = sorted(calls.values(), key=likeness, reverse=True)[:_MOST_SHOWN]
        return ["The nearest frozen calls:", *(f"  {_shown(answer.action)}: {_differences(answer, action)}" for answer in nearest)]


def _differences(answer: FrozenAnswer, action: Action) -> str:
    found = list(differences(answer.action.arguments, action.arguments))
    more = f"; and {len(found) - _MOST_DIFFERENCES} more" if len(found) > _MOST_DIFFERENCES else ""
    return "; ".join(found[:_MOST_DIFFERENCES]) + more


def _remedy(session: Session, action: Action) -> list[str]:
    if action.is_call:
        own_name = session.world.part_of(action).own_names.get(action.name, action.name)
        asked: dict[str, JSON] = {"name": own_name, "arguments": action.arguments}
        line = json.dumps({**asked, "result": {"content": [{"type": "text", "text": "..."}]}})
    else:
        line = json.dumps({"method": action.method, "params": action.params, "result": {}})
    source = session.world.source or session.world.name
    of_world = f" of {session.world.part_of(action).name}" if session.world.parts else ""
    return [
        f"Let what is missing be answered and frozen: mcp-sim run {source} --refresh -- COMMAND (in pytest: --mcp-sim=refresh)",
        f"Or freeze a kept session in which it was answered: mcp-sim freeze {source} --session NAME",
        f"Or pin it by hand, as a line of frozen.jsonl{of_world} like this: {line[:_COMPARED_CHARACTERS]}",
    ]


def _shown(action: Action) -> str:
    text = json.dumps(action.arguments, ensure_ascii=False)
    return f"{action.name} {text if len(text) <= 200 else text[:197] + '...'}"
