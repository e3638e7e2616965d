import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.predictors.language.completer import Completion
from mcp_sim.predictors.language.neutral import neutralise
from mcp_sim.predictors.language.reply import read_reply, unfence
from tests.predictors.language.test_neutral import hostile

MARKER = "**Environment Observation:**"
OPEN, CLOSE = "<predicted_observation>", "</predicted_observation>"


@pytest.mark.parametrize(
    ("reply", "observation"),
    [
        ("plain text", "plain text"),
        ("<think>let me see</think>\n\nplain", "plain"),
        ("let me see</think>\n\nplain", "plain"),  # the template opened the reasoning in the prompt
        ("<think>never ends", ""),
        (f"<think>{OPEN}not this{CLOSE}</think>{OPEN}\nthis\n{CLOSE}", "this"),
        (f"{OPEN}first{CLOSE} no, {OPEN}second{CLOSE} done", "second"),
        (f"Here it is: {OPEN}cut off", "cut off"),
        (f"{OPEN}whole{CLOSE}{OPEN}cut", "whole"),
        (f"stray{CLOSE}", "stray"),
        (f"{MARKER}\nfile content\n", "file content\n"),
        (f"{MARKER} on the same line", "on the same line"),
        (f"{OPEN}{MARKER}\n  indented{CLOSE}", "  indented"),
        (f"text that mentions {MARKER}", f"text that mentions {MARKER}"),
        ("about <think> tags: </think> closes", "about <think> tags: </think> closes"),
        ("  indented\n\n\tlines  ", "  indented\n\n\tlines  "),
        ("", ""),
    ],
)
def test_the_observation_is_found(reply: str, observation: str) -> None:
    assert read_reply(Completion(text=reply)) == observation


def test_reasoning_that_the_server_split_off_leaves_the_text_alone() -> None:
    assert read_reply(Completion(text="a </think> b", reasoning="hm")) == "a </think> b"


@given(reasoning=st.text(), observation=hostile, marker=st.booleans(), block=st.booleans(), split=st.booleans())
def test_whatever_the_observation_holds_it_comes_out_as_it_was_written(
    reasoning: str, observation: str, marker: bool, block: bool, split: bool
) -> None:
    observation = observation.strip("\r\n") if block else observation.lstrip("\r\n")
    text = neutralise(observation)
    if marker:
        text = f"{MARKER}\n{text}"
    elif text.lstrip(" \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029") != text:
        return
    if block:
        text = f"Thus:\n{OPEN}\n{text}\n{CLOSE}\n"
    if split:
        completion = Completion(text=text, reasoning=reasoning or "-")
    else:
        completion = Completion(text=f"<think>{reasoning.replace('</think>', '')}</think>\n\n{text}")
    assert read_reply(completion) == observation


@given(st.text())
def test_any_text_is_read_without_a_crash_and_adds_nothing(text: str) -> None:
    observation = read_reply(Completion(text=text))
    assert len(observation) <= len(text)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("```\na\nb\n```\n", "a\nb"),
        ("before\n```json\n1\n```", "before\n```json\n1\n```"),
        ("```a\n1\n```\ntext\n```b\n2\n```", "```a\n1\n```\ntext\n```b\n2\n```"),
        ("```", "```"),
    ],
)
def test_only_a_text_that_is_one_fenced_block_loses_its_fence(text: str, inside: str) -> None:
    assert unfence(text) == inside
