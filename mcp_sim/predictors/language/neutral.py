"""Text of the world, made harmless for the prompt, and read back from it.

What an agent writes comes back in observations, and a chat template does not tell a file's content from its own marks: `<|im_end|>`
in a file would end the message, and `</think>` makes Qwen's template throw away all that stands before it. So such marks, and headings
that look like ours, are parted by a word joiner (U+2060), which no tokenizer takes for the mark and no reader sees. Everything else
stays verbatim. `restore` undoes it, so that a file which the model repeats comes out as it was written. Inside the fenced JSON of an
action the escapes of JSON do the same.
"""

import json
import re

from mcp_sim.core.canonical import JSON

_JOINER = "\u2060"

# Control tokens of the chat templates of Qwen, Llama, Mistral, Gemma, DeepSeek, Phi, and the tags that we or a server read replies by.
_AFTER_ANGLE = (
    r"[|\uff5c]|/?(?:think|thinking|reasoning|predicted_observation|final_evaluation|tool_call|tool_calls|tool_response|tools|"
    r"start_of_turn|end_of_turn|start_of_image|bos|eos|pad|unk|mask|s)(?![\w-])|/?SYS>>"
)
_AFTER_BRACKET = r"/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT|THINK|IMG|SYSTEM|ARGS|CALL_ID)\]"
_HEADING = r"#+[ \t]*Turn\b|\*\*(?:Action|Current State|Environment Observation):\*\*"
_LINE_START = r"(?<![^\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])"

_MARK = re.compile(
    rf"(?:<(?=\u2060*(?:{_AFTER_ANGLE}))|\[(?=\u2060*{_AFTER_BRACKET})|{_LINE_START}[ \t]*(?=\u2060*(?:{_HEADING})))", re.IGNORECASE
)
_PARTED = re.compile(
    rf"(<(?=\u2060+(?:{_AFTER_ANGLE}))|\[(?=\u2060+{_AFTER_BRACKET})|{_LINE_START}[ \t]*(?=\u2060+(?:{_HEADING})))\u2060", re.IGNORECASE
)
_JSON_MARK = re.compile(
    rf"<(?=\u2060*(?:{_AFTER_ANGLE}))|\[(?=\u2060*{_AFTER_BRACKET})|`(?=``)|[\ud800-\udfff\x7f-\x9f\u2028\u2029]", re.IGNORECASE
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def neutralise(text: str) -> str:
    """Return the text with every mark in it parted by a word joiner; lone surrogates, which no server accepts, become U+FFFD."""
    return _MARK.sub(lambda mark: mark[0] + _JOINER, _SURROGATE.sub("\ufffd", text))


def restore(text: str) -> str:
    """Return the text that `neutralise` was given (surrogates apart); other text is returned as it is."""
    return _PARTED.sub(r"\1", text)


def fenced_json(value: JSON) -> str:
    """Return the value as one line of JSON in a fenced block which nothing inside can close, and which reads back to the same value."""
    line = _JSON_MARK.sub(_escape, json.dumps(value, ensure_ascii=False))
    return f"```json\n{line}\n```"


def _escape(mark: re.Match[str]) -> str:
    return f"\\u{ord(mark[0]):04x}"
