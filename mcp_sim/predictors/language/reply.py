"""Reading a model's reply: where the reasoning ends and the observation begins."""

from mcp_sim.predictors.language.completer import Completion
from mcp_sim.predictors.language.neutral import restore
from mcp_sim.predictors.language.turns import OBSERVATION_MARKER

_THINK, _THOUGHT = "<think>", "</think>"
_OPEN, _CLOSE = "<predicted_observation>", "</predicted_observation>"
_FENCE = "```"


def read_reply(completion: Completion) -> str:
    """Return the observation in a completion, as it is to be seen by the agent; empty if there is none.

    Reasoning is what the server split off, else what stands before the first `</think>`; an unclosed `<think>` at the start runs to the
    end. Of the rest, the last complete `<predicted_observation>` block counts; an unclosed one runs to the end; with no block the
    whole text does. The observation marker and line breaks before the text go, and those around a block; marks of the world come back as
    they were.
    """
    text = completion.text if completion.reasoning else _after_reasoning(completion.text)
    text = _last_block(text).lstrip("\r\n")
    if text.lstrip().startswith(OBSERVATION_MARKER):
        text = text.lstrip().removeprefix(OBSERVATION_MARKER)
        first_line, line_break, rest = text.partition("\n")
        text = (rest if line_break and not first_line.strip() else text.lstrip(" \t")).lstrip("\r\n")
    return restore(text)


def unfence(text: str) -> str:
    """Return the inside of a text that is nothing but one fenced block; any other text as it is."""
    lines = text.strip().splitlines()
    fenced = len(lines) >= 2 and lines[0].startswith(_FENCE) and lines[-1].rstrip() == _FENCE
    if not fenced or any(line.startswith(_FENCE) for line in lines[1:-1]):
        return text
    return "\n".join(lines[1:-1])


def _after_reasoning(text: str) -> str:
    thought, mark, rest = text.partition(_THOUGHT)
    opened = text.lstrip().startswith(_THINK)
    if mark:
        # A chat template may have opened the reasoning in the prompt, so that only its end is seen here. Where `<think>` stands
        # further in, it is a text about such tags.
        return rest if opened or _THINK not in thought else text
    return "" if opened else text


def _last_block(text: str) -> str:
    before, closed, _ = text.rpartition(_CLOSE)
    if closed:
        _, opened, inside = before.rpartition(_OPEN)
        return (inside if opened else before).rstrip("\r\n")
    _, opened, inside = text.partition(_OPEN)
    return inside.rstrip("\r\n") if opened else text
