"""From a completion to an observation: whole, of the tool's form, or not at all."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mcp_sim.core.counted import count_of
from mcp_sim.core.observation import Observation
from mcp_sim.core.schema import Schema
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.errors import ModelReplyError
from mcp_sim.predictors.language.asking import Asking
from mcp_sim.predictors.language.completer import Completion, Message, Request
from mcp_sim.predictors.language.neutral import neutralise
from mcp_sim.predictors.language.reply import read_reply, unfence
from mcp_sim.predictors.language.structured import NoJSONError, read_json

_REPAIRS = 2
_PROBLEMS_SHOWN = 10
_SHOWN_CHARACTERS = 20_000


class _UnfitError(ValueError):
    """The reply does not fit the output schema; the message lists why, for the model to read."""


async def observe(asking: Asking, request: Request, completion: Completion, tool: ToolSpec, failed: Callable[[str], bool]) -> Observation:
    """Return what a completion foretells for a tool; `failed` tells whether a text reports a failure.

    A cut-off or empty reply is asked for once more without thinking. One that does not fit the output schema is shown its errors, twice at
    most.

    Raises:
        ModelReplyError: nothing usable came. The message says what to change.
    """
    text = await _whole_text(asking, request, completion)
    schema = tool.output_check
    if schema is None:
        plain = _plain(text)
        return Observation.of_text(plain, is_error=failed(plain))
    for repairs_left in range(_REPAIRS, -1, -1):
        if failed(text):
            return Observation.of_text(text, is_error=True)
        try:
            return _structured(text, schema, failed)
        except _UnfitError as unfit:
            if not repairs_left:
                raise ModelReplyError(
                    f"The language model's answer for {tool.name!r} breaks the tool's output schema, after {_REPAIRS} repairs still: "
                    f"{unfit} "
                    "Add demonstrations of this tool, or use a server that decodes by schema (SGLang, vLLM, llama.cpp)."
                ) from unfit
            request = replace(request, thinking=False, messages=[*request.messages, *_remark(text, unfit)])
            text = await _whole_text(asking, request, await asking.ask(request))
    raise AssertionError("the last repair returns or raises")


async def _whole_text(asking: Asking, request: Request, completion: Completion) -> str:
    text = read_reply(completion)
    if text.strip() and completion.finish_reason != "length":
        return text
    what = "cut off" if completion.finish_reason == "length" else "empty"
    asking.notes.append(
        f"The model's answer was {what} after {count_of(completion.usage.completion, 'token')}; it was asked again without thinking."
    )
    completion = await asking.ask(replace(request, thinking=False))
    text = read_reply(completion)
    if completion.finish_reason == "length":
        raise ModelReplyError(_cut_off(asking, request, completion))
    if not text.strip():
        raise ModelReplyError(
            "The language model gave an empty answer twice, the second time without thinking. Look at the prompt (mcp-sim call "
            "--show-prompt); "
            "a demonstration of this tool usually helps."
        )
    return text


def _cut_off(asking: Asking, request: Request, completion: Completion) -> str:
    told = (
        f"The language model's answer was cut off at {completion.usage.completion or request.max_tokens} tokens, without thinking as well. "
    )
    if request.max_tokens < asking.settings.max_tokens:
        return told + "That was all the room its context left: serve the model with a longer context."
    return told + f"Raise --max-tokens (now {request.max_tokens})."


def _plain(text: str) -> str:
    """Return the text of a tool without output schema: JSON that the model put in a fence comes out of it, all else stays raw."""
    inside = unfence(text)
    if inside is text:
        return text
    try:
        read_json(inside)
    except NoJSONError:
        return text
    return inside


def _structured(text: str, schema: Schema, failed: Callable[[str], bool]) -> Observation:
    try:
        value = read_json(text)
    except NoJSONError as error:
        raise _UnfitError(f"it is not JSON: {error}.") from error
    problems = schema.problems(value)
    if not problems:
        return Observation.of_structured(value)
    if isinstance(value, str) and failed(value):
        return Observation.of_text(value, is_error=True)
    raise _UnfitError("; ".join(f"{_pointer(problem.path)}{problem.message[:300]}" for problem in problems[:_PROBLEMS_SHOWN]) + ".")


def _pointer(path: Sequence[str | int]) -> str:
    return f"at /{'/'.join(map(str, path))}: " if path else ""


def _remark(text: str, unfit: _UnfitError) -> tuple[Message, Message]:
    return (
        {"role": "assistant", "content": neutralise(text[:_SHOWN_CHARACTERS])},
        {
            "role": "user",
            "content": f"This observation does not fit the tool's output schema: {neutralise(str(unfit))}\n"
            "Give the whole observation again, corrected: JSON that fits the schema, and nothing else.",
        },
    )
