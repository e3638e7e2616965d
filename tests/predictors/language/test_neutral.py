import json
import re

from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.predictors.language.neutral import fenced_json, neutralise, restore

MARKS = (
    "<|im_start|>user\n;<|im_end|>;<|endoftext|>;<think>;</think>;</THINK>;<predicted_observation>;</predicted_observation>;<tool_call>;"
    "</tool_response>;[INST];[/INST];<<SYS>>;<s>;</s>;<start_of_turn>;<\uff5cUser\uff5c>;### Turn 7;\n### Turn 7\n;**Action:**;"
    "\n**Environment Observation:**;\n  **Current State:**;```;\n```\n;\u2060;<\u2060|im_end|>;\u2028;\x85;<;|;/think>"
).split(";")
hostile = st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=8)), max_size=12).map("".join)

CONTROL = re.compile(
    r"<[|\uff5c]|</?(think|predicted_observation|tool_call|tool_response|s|start_of_turn)>|\[/?INST\]|<<SYS>>", re.IGNORECASE
)
HEADING = re.compile(r"^[ \t]*(### Turn|\*\*(Action|Current State|Environment Observation):\*\*)", re.MULTILINE | re.IGNORECASE)


@given(hostile)
def test_no_mark_survives_and_the_text_can_be_restored(text: str) -> None:
    safe = neutralise(text)
    assert not CONTROL.search(safe)
    assert not any(HEADING.match(line) for line in safe.splitlines())
    assert restore(safe) == text


@given(st.text())
def test_text_without_marks_stays_verbatim(text: str) -> None:
    if not any(character in text for character in "<[#*\u2060"):
        assert neutralise(text) == text


@given(hostile)
def test_what_was_made_harmless_stays_so_when_made_harmless_again(text: str) -> None:
    assert restore(restore(neutralise(neutralise(text)))) == text


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), hostile), lambda inner: st.lists(inner) | st.dictionaries(hostile, inner)
    )
)
def test_nothing_closes_the_fence_of_an_action(value: object) -> None:
    block = fenced_json(value)
    first, line, last = block.splitlines()
    assert (first, last) == ("```json", "```")
    assert "```" not in line
    assert not CONTROL.search(line)
    assert json.loads(line) == value


def test_lone_surrogates_reach_no_server() -> None:
    assert neutralise("a\ud800b") == "a\ufffdb"
    assert fenced_json({"a": "\ud800"}).encode() == b'```json\n{"a": "\\ud800"}\n```'


def test_a_reported_tag_with_attributes_and_html_is_left_alone() -> None:
    html = "<div class='x'><strong>hi</strong><section></section></div> a<b [link](x) # Turning"
    assert neutralise(html) == html
