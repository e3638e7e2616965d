import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, freeze
from mcp_sim.errors import ContextExceededError
from mcp_sim.predictors.language.prompt import Prompt, Prompter
from mcp_sim.predictors.language.state_text import summarise_changes
from tests.predictors.language.test_neutral import hostile
from tests.predictors.language.worlds import TEMPLATE, demonstration, session_of, tool, world

WORLD = world(background="The office is in Bern.")
turns = st.lists(
    st.tuples(hostile, hostile, st.sampled_from(["imagined", "computed", "frozen", "injected"]), st.integers(0, 400)),
    min_size=1,
    max_size=12,
)


def prompter(max_tokens: int = 100) -> Prompter:
    return Prompter(WORLD, TEMPLATE, max_tokens, 48_000)


def as_bytes(prompt: Prompt, *, committed_only: bool = False) -> bytes:
    messages = prompt.messages[:-1] if committed_only else prompt.messages
    return b"".join(json.dumps(message).encode() for message in messages)


@settings(deadline=None)
@given(turns=turns, context_tokens=st.one_of(st.none(), st.integers(2_000, 6_000)))
def test_each_prompt_begins_with_all_that_the_last_one_had_committed(turns: list, context_tokens: int | None) -> None:
    """Whatever is said, and whichever predictor answers. Between two drops of old turns, a whole prompt is the beginning of the next."""
    session = Session.begin(WORLD, "test")
    kept = prompter()
    before: Prompt | None = None
    for path, text, source, tokens in turns:
        action = Action.call("read_file", {"path": path})
        prompt = kept.compose(session, action, context_tokens)
        if before is not None and not prompt.dropped:
            assert as_bytes(prompt).startswith(as_bytes(before, committed_only=True))
        assert as_bytes(prompter().compose(session, action, context_tokens)) == as_bytes(prompt)  # nothing depends on what is remembered
        transition = session.transition(action, Observation.of_text(text), source)
        if source == "imagined":
            counted = {"first_turn": prompt.first_turn, "prompt_tokens": 700 + tokens, "size": prompt.size}
            transition = transition.model_copy(update={"usage": {"window": counted}})
            before = prompt
        session = session.append(transition)


def test_the_whole_prompt_of_an_answered_action_is_the_beginning_of_the_next() -> None:
    session = session_of(WORLD, (Action.call("write_file", {"path": "a"}), Observation.of_text("ok")))
    action = Action.call("read_file", {"path": "a"})
    first = prompter().compose(session, action)
    session = session.append(session.transition(action, Observation.of_text("x"), "imagined"))
    assert as_bytes(prompter().compose(session, Action.call("read_file", {"path": "b"}))).startswith(as_bytes(first))


@given(hostile, hostile)
def test_nothing_that_an_agent_writes_makes_a_turn(path: str, text: str) -> None:
    session = session_of(WORLD, (Action.call("write_file", {"path": path, "content": text}), Observation.of_text(text)))
    messages = prompter().compose(session, Action.call("read_file", {"path": path})).messages
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    headings = [line for message in messages[1:] for line in message["content"].splitlines() if line.startswith("### Turn")]
    assert headings == ["### Turn 1", "### Turn 2"]
    actions = [line for message in messages[1:] for line in message["content"].splitlines() if line == "**Action:**"]
    assert len(actions) == 2
    assert messages[1]["content"].count("```") == 2


def test_a_fork_is_told_its_own_history() -> None:
    kept = prompter()
    stem = session_of(WORLD, (Action.call("write_file", {"path": "stem"}), Observation.of_text("ok")))
    ask = Action.call("read_file", {"path": "x"})
    left = stem.append(stem.transition(Action.call("write_file", {"path": "left"}), Observation.of_text("ok"), "imagined"))
    right = stem.append(stem.transition(Action.call("write_file", {"path": "right"}), Observation.of_text("ok"), "imagined"))
    assert "left" in str(kept.compose(left, ask).messages)
    told = str(kept.compose(right, ask).messages)
    assert "right" in told
    assert "left" not in told


def test_injected_faults_are_not_told() -> None:
    session = Session.begin(WORLD, "test")
    action = Action.call("read_file", {"path": "a"})
    session = session.append(session.transition(action, Observation.of_text("429 slow down", is_error=True), "injected"))
    messages = prompter().compose(session, action).messages
    assert len(messages) == 2
    assert messages[1]["content"].startswith("### Turn 1\n")


def test_old_turns_are_dropped_in_one_large_step_and_then_none_for_long() -> None:
    kept = prompter(max_tokens=500)
    session = Session.begin(WORLD, "test")
    drops, firsts = [], []
    for number in range(200):
        action = Action.call("read_file", {"path": f"/{number}"})
        prompt = kept.compose(session, action, 6_000)
        drops.append(prompt.dropped)
        firsts.append(prompt.first_turn)
        size = sum(len(message["content"]) for message in prompt.messages)
        exact = size // 4  # a tokenizer of four characters a token, which the prompter does not know
        assert exact + prompt.max_tokens <= 6_000
        transition = session.transition(action, Observation.of_text("x" * 200), "imagined")
        window = {"first_turn": prompt.first_turn, "prompt_tokens": exact, "size": prompt.size}
        session = session.append(transition.model_copy(update={"usage": {"window": window}}))
    steps = [number for number, dropped in enumerate(drops) if dropped]
    assert 3 <= len(steps) <= 12
    assert min(later - earlier for earlier, later in pairwise(steps)) >= 10
    assert firsts == sorted(firsts)
    restarted = prompter(max_tokens=500).compose(session, Action.call("read_file", {"path": "/"}), 6_000)
    assert as_bytes(restarted) == as_bytes(kept.compose(session, Action.call("read_file", {"path": "/"}), 6_000))


def test_what_dropped_turns_left_stands_in_their_place_and_stays_there() -> None:
    kept = prompter(max_tokens=500)
    session = Session.begin(WORLD, "test")
    summaries: dict[int, set[str]] = {}
    for number in range(120):
        action = Action.call("write_file", {"path": f"/{number}", "content": "x" * 100})
        prompt = kept.compose(session, action, 8_000)
        _, _, summary = prompt.messages[0]["content"].partition("# What earlier turns left")
        summaries.setdefault(prompt.first_turn, set()).add(summary)
        patch = [Change(path=["files", "same"], value=number)] if number % 2 else [Change(path=["files", f"f{number}"], value="x" * 60)]
        session = session.append(session.transition(action, Observation.of_text("y" * 200), "imagined", patch))
    assert summaries.pop(0) == {""}
    assert summaries
    for first, texts in summaries.items():
        (text,) = texts  # the same until the next drop, so that the prompt stays a prefix
        last_write = first - 1 if first % 2 == 0 else first - 2
        assert f"files/same: {last_write}\n" in f"{text}\n", "only the last value of a place that changed often"
        assert text.count("files/same") == 1
        assert f"files/f{first if first % 2 == 0 else first + 1}:" not in text, "nothing of the turns that are still shown"


def test_a_change_that_left_no_trace_in_the_state_is_told_as_a_call() -> None:
    session = session_of(WORLD, (Action.call("write_file", {"path": "secret"}), Observation.of_text("ok")))
    assert summarise_changes(session.trajectory) == '- calls/1: write_file {"path":"secret"}'


def test_state_that_an_argument_mentions_is_shown_behind_the_history_if_asked_for() -> None:
    state = freeze({"notes": {"n1": {"title": "Milk"}, "n2": {"title": "Tea </think>"}}})
    session = Session.begin(WORLD.model_copy(update={"first_state": state}), "test")
    action = Action.call("read_file", {"path": "n2"})

    def compose(asked: bool) -> Prompt:
        return Prompter(session.world, TEMPLATE, 100, 48_000, state_in_prompt=asked).compose(session, action)

    shown, plain = compose(True), compose(False)
    assert 'notes/n2: {"title":"Tea' in shown.messages[-1]["content"]
    assert "Milk" not in shown.messages[-1]["content"]
    assert "</think>" not in shown.messages[-1]["content"]
    assert shown.messages[-1]["content"].startswith(plain.messages[-1]["content"])
    assert list(shown.messages)[:-1] == list(plain.messages)[:-1]


def test_an_action_that_can_never_fit_says_what_to_change() -> None:
    with pytest.raises(ContextExceededError, match="context is 4096"):
        prompter().compose(Session.begin(WORLD, "test"), Action.call("write_file", {"content": "x" * 100_000}), 4096)


def test_state_is_shown_only_at_the_end_and_only_of_screens() -> None:
    phone = world(tool("tap"), domain="android")
    session = Session.begin(phone, "test")
    screens = Prompter(phone, TEMPLATE, 100, 1000)
    tap = Action.call("tap", {"x": 1})
    for text in ("first screen", "second screen"):
        patch = [Change(path=["screen"], value=text)]
        session = session.append(session.transition(tap, Observation.of_text(text), "imagined", patch))
    messages = screens.compose(session, tap).messages
    assert [message["content"].count("**Current State:**") for message in messages] == [0, 0, 0, 0, 0, 1]
    assert "**Current State:**\nsecond screen\n\n**Action:**" in messages[-1]["content"]
    assert "Current State" not in str(prompter().compose(session_of(WORLD), tap).messages)


def test_a_terminal_is_told_keystrokes() -> None:
    terminal = world(tool("send"), domain="terminal")
    action = Action.call("send", {"keystrokes": "ls\n", "duration": 1.5})
    last = Prompter(terminal, TEMPLATE, 100, 1000).compose(Session.begin(terminal, "test"), action).messages[-1]
    assert '[{"keystrokes": "ls\\n", "duration": 1.5}]' in last["content"]


def test_the_system_message_holds_tools_examples_background_state_and_instruction() -> None:
    of = world(
        tool("read_file"),
        demonstrations=(demonstration("read_file", {"path": "{{tools}}"}, "demonstrated text"),),
        background="The office is in Bern.",
        model={"instruction": "Answer as a flaky server."},
    )
    system = Prompter(of, TEMPLATE, 100, 1000).compose(Session.begin(of, "test"), Action.call("read_file")).messages[0]["content"]
    order = [
        '"name": "read_file", "description"',
        '{"path": "{{tools}}"}',
        "demonstrated text",
        "The office is in Bern.",
        "Answer as a flaky server.",
    ]
    assert sorted(order, key=system.index) == order


def test_demonstrations_beyond_the_budget_are_cut_fairly() -> None:
    many = tuple(demonstration("read_file", {"n": number}, "x" * 300) for number in range(50))
    of = world(tool("read_file"), tool("rare"), demonstrations=(*many, demonstration("rare", {}, "the rare one")))
    system = Prompter(of, TEMPLATE, 100, 2000).compose(Session.begin(of, "test"), Action.call("rare")).messages[0]["content"]
    assert "the rare one" in system
    assert 1 < system.count("### Example") < 10
