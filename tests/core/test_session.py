"""The four definitions: mutating, fingerprint, memory, chance and time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, freeze, thaw
from mcp_sim.core.transition import Source
from tests.worlds import make_tool, make_world

GET, SET = Action.call("get_it", {"a": 1}), Action.call("set_it", {"a": 1})


def take(session: Session, action: Action, text: str = "x", source: Source = "imagined", **options: Any) -> Session:
    return session.append(session.transition(action, Observation.of_text(text), source, **options))


def test_only_a_change_of_state_moves_the_fingerprint_and_the_clock() -> None:
    session = Session.begin(make_world(), "a")
    read = take(session, GET)
    assert (read.fingerprint, read.now) == (session.fingerprint, session.now)
    written = take(read, SET)
    assert written.fingerprint != session.fingerprint
    assert (written.now - session.now).total_seconds() == 1
    failed = written.append(written.transition(SET, Observation.of_text("no", is_error=True), "imagined"))
    assert failed.fingerprint == written.fingerprint, "a refused call changes nothing"
    injected = failed.append(failed.transition(SET, Observation.of_text("503"), "injected", changes=False))
    assert injected.fingerprint == written.fingerprint
    assert injected.recall(SET) is not None
    assert injected.recall(SET).observation.text == "no", "an injected fault is no fact"  # type: ignore[union-attr]


def test_a_dry_run_changes_nothing() -> None:
    world = make_world()
    assert world.mutates(SET)
    assert not world.mutates(Action.call("set_it", {"dryRun": True}))
    assert world.mutates(Action.call("set_it", {"dryRun": False}))


@given(st.permutations([("get_it", n) for n in range(4)]))
def test_reads_in_any_order_lead_to_the_same_place(reads: list[tuple[str, int]]) -> None:
    session = Session.begin(make_world(), "a", seed=5)
    for name, n in reads:
        session = take(session, Action.call(name, {"n": n}), f"{n}")
    in_order = Session.begin(make_world(), "another name", seed=5)
    assert session.fingerprint == in_order.fingerprint
    assert session.chance(SET).random() == in_order.chance(SET).random(), "neither reads nor the session's name are in it"
    assert session.recall(Action.call("get_it", {"n": 2})).observation.text == "2"  # type: ignore[union-attr]


def test_chance_depends_on_seed_action_and_state() -> None:
    def draw(seed: int, action: Action, *before: Action) -> float:
        session = Session.begin(make_world(), "a", seed=seed)
        for earlier in before:
            session = take(session, earlier)
        return session.chance(action).random()

    draws = [draw(0, GET), draw(1, GET), draw(0, SET), draw(0, GET, SET), draw(0, GET, Action.call("set_it", {"a": 2}))]
    assert len(set(draws)) == len(draws)
    assert draw(0, GET) == draw(0, Action.call("get_it", {"a": 1}), GET)


def test_texts_of_tools_are_not_in_the_fingerprint() -> None:
    tool = make_tool("get_it")
    edited = tool.model_copy(update={"description": "edited", "definition": {**tool.definition, "description": "edited"}})
    before, after = make_world(tool), make_world(edited, background="edited")
    assert Session.begin(before, "a").fingerprint == Session.begin(after, "a").fingerprint
    assert before.tools_hash == after.tools_hash


def test_a_volatile_tool_is_remembered_by_its_occurrence() -> None:
    world = make_world(settings={"volatile": ("poll_*",)}, *[make_tool("poll_job"), make_tool("set_it")])  # noqa: B026
    session = Session.begin(world, "a")
    poll = Action.call("poll_job")
    draws = []
    for turn in range(1, 4):
        assert session.occurrence(poll) == turn
        assert session.recall(poll) is None
        draws.append(session.chance(poll).random())
        session = take(session, poll)
    assert len(set(draws)) == 3
    assert take(session, SET).occurrence(poll) == 1, "counted anew in a new state"


def test_a_fork_goes_its_own_way() -> None:
    trunk = take(Session.begin(make_world(), "a"), SET, "trunk")
    left, right = take(trunk, GET, "left"), take(trunk, GET, "right")
    assert [t.observation.text for t in left.trajectory] == ["trunk", "left"]
    assert [t.observation.text for t in right.trajectory] == ["trunk", "right"]
    assert [t.turn for t in take(left, SET).trajectory] == [1, 2, 3]
    assert len(trunk.trajectory) == 1


def test_a_read_reveals_but_never_changes() -> None:
    world = make_world(first_state=freeze({"known": {"a": 1}}))
    patch = [Change(path=["known", "a"], value=2), Change(path=["known", "b"], value=3), Change(path=["known"])]
    session = take(Session.begin(world, "a"), GET, patch=patch)
    assert thaw(session.state) == {"known": {"a": 1, "b": 3}}
    assert session.fingerprint == Session.begin(world, "a").fingerprint
    assert thaw(take(session, SET, patch=patch).state) == {}


@pytest.mark.parametrize(
    ("name", "annotations", "mutates"),
    [
        ("get_issue", {}, False),
        ("create_issue", {}, True),
        ("getOrCreateUser", {}, True),
        ("search-and-replace", {}, True),
        ("listCommits", {}, False),
        ("git_commit", {}, True),
        ("API-post-search", {}, True),
        ("frobnicate", {}, True),
        ("get_issue", {"readOnlyHint": False}, True),
        ("delete_all", {"readOnlyHint": True}, False),
        ("browser_take_screenshot", {}, False),
    ],
)
def test_what_a_tool_says_of_itself(name: str, annotations: dict[str, Any], mutates: bool) -> None:
    tool = make_tool(name).model_copy(update={"annotations": annotations})
    assert make_world(tool).mutates(Action.call(name)) is mutates


def test_world_toml_overrules_the_tool() -> None:
    world = make_world(settings={"mutating": ("get_*",), "reading": ("set_*",)})
    assert world.mutates(GET)
    assert not world.mutates(SET)
