"""A session's answers as lines of `frozen.jsonl`."""

from collections.abc import Iterable

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.session import Session
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.errors import SetupError

_Key = tuple[str, str, str, int]


def freeze_session(session: Session) -> list[FrozenAnswer]:
    """Return the answers of a session that code cannot compute again, each with the state that it was given in."""
    answers = []
    replayed = Session.begin(session.world, session.name, session.seed)
    for transition in session.trajectory:
        was_frozen = transition.source == "frozen" and transition.recalled is None
        if was_frozen or replayed.needs_freezing(transition):
            answers.append(replayed.freeze(transition))
        replayed = replayed.append(transition)
    return answers


def merge(answers: Iterable[FrozenAnswer]) -> list[FrozenAnswer]:
    """Return the answers in their order in a file, each once; one that holds in every state makes the same for one state needless.

    Raises:
        SetupError: two of them contradict each other; the message shows both.
    """
    merged: dict[_Key, FrozenAnswer] = {}
    for answer in answers:
        before = merged.setdefault(_key(answer), answer)
        if before.observation != answer.observation:
            raise SetupError(
                f"Two answers contradict each other for {answer.action.name} {canonical(answer.action.arguments)} in the same state:\n"
                f"  {_shown(before)}\n  {_shown(answer)}\n"
                "Freeze only one of the sessions, or remove one of the answers."
            )
    return [answer for key, answer in sorted(merged.items()) if not _is_implied(key, answer, merged)]


def _shown(answer: FrozenAnswer) -> str:
    line = write_line(answer)
    return canonical(line.get("result", line.get("error")))


def _key(answer: FrozenAnswer) -> _Key:
    return answer.action.name, canonical(answer.action.arguments), answer.fingerprint or "", answer.occurrence or 0


def _is_implied(key: _Key, answer: FrozenAnswer, merged: dict[_Key, FrozenAnswer]) -> bool:
    name, arguments, fingerprint, occurrence = key
    everywhere = merged.get((name, arguments, "", occurrence))
    return fingerprint != "" and everywhere is not None and everywhere.observation == answer.observation


def write_line(answer: FrozenAnswer) -> dict[str, JSON]:
    """Return the answer as an object of `frozen.jsonl`."""
    if answer.action.is_call:
        line: dict[str, JSON] = {"name": answer.action.name, "arguments": answer.action.arguments}
    else:
        line = {"method": answer.action.method, "params": answer.action.params}
    if answer.fingerprint is not None:
        line["fingerprint"] = answer.fingerprint
    if answer.occurrence is not None:
        line["occurrence"] = answer.occurrence
    if answer.changes is not None:
        line["changes"] = answer.changes
    if answer.progress:
        line["progress"] = list(answer.progress)
    observation = answer.observation
    if observation.protocol_error is not None:
        return {**line, "error": observation.protocol_error}
    return {**line, "result": observation.to_result() if answer.action.is_call else observation.structured_content}
