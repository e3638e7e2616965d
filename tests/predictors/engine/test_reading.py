"""What is understood of tools."""

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.tool_hint import ToolHint
from mcp_sim.core.world import Settings
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.tools.reading import read_tools
from tests.predictors.engine.lists import INVENTED, NUMBER, TEXT, TEXTS, one_of, tool, world_of


def read(*tools: dict[str, Any], **fields: Any) -> Engine:
    return Engine(world_of("read", list(tools), **fields))


def test_each_tool_of_a_forge() -> None:
    understanding = Engine(world_of("forge", INVENTED["forge"])).understanding
    issue = understanding["get_issue"]
    assert (issue.kind, issue.resource, issue.id, issue.parents) == ("get", "issue", "issue_number", ("owner", "repo"))
    listing = understanding["list_issues"]
    assert (listing.kind, listing.parents, listing.filters) == ("list", ("owner", "repo"), ("state",))
    assert (listing.page, listing.size) == ("page", "per_page")
    comment = understanding["add_issue_comment"]
    assert (comment.kind, comment.resource, comment.parents) == ("create", "issue_comment", ("owner", "repo", "issue_number"))
    assert comment.fields == ("body",)


@pytest.mark.parametrize(
    "lonely",
    [
        tool("take_screenshot", name=TEXT),
        tool("web_search", query=TEXT),
        tool("get_current_time", timezone=TEXT),
        tool("create_table", query=TEXT),
        tool("run_query", sql=TEXT),
        tool("send_fax", number=TEXT),
        tool("list_moons", planet=TEXT),
    ],
    ids=lambda raw: raw["name"],
)
def test_what_nothing_else_confirms_is_left_alone(lonely: dict[str, Any]) -> None:
    engine = read(lonely, *INVENTED["tasks"])
    assert not engine.understanding[lonely["name"]].understood
    assert lonely["name"] not in engine.mutates
    session = Session.begin(engine.world, "s")
    assert engine.answer(session, Action.call(lonely["name"], {})) is None
    assert lonely["name"] in engine.explain(lonely["name"])


def test_a_tool_that_says_it_only_reads_changes_nothing() -> None:
    engine = read(
        tool("create_memo", _hints={"readOnlyHint": True}, text=TEXT),
        tool("list_memos"),
        tool("get_memo", memo_id=TEXT),
        tool("delete_memo", memo_id=TEXT),
    )
    assert engine.understanding["create_memo"].kind == "other"
    assert engine.answer(Session.begin(engine.world, "s"), Action.call("create_memo", {"text": "x"})) is None


def test_the_world_may_say_that_a_tool_only_reads() -> None:
    engine = read(*INVENTED["tasks"], settings=Settings(reading=("close_*",)))
    session = Session.begin(engine.world, "s")
    assert engine.answer(session, Action.call("close_task", {"task_id": 1})) is None


def test_a_hint_corrects_what_was_understood() -> None:
    tools = [tool("bestow", recipient=TEXT, honour=TEXT), tool("honours"), tool("honour", which=TEXT)]
    hints = {
        "bestow": ToolHint(kind="create", resource="honour", fields=("honour",), parents=("recipient",)),
        "honours": ToolHint(kind="list", resource="honour", parents=()),
        "honour": ToolHint(kind="get", resource="honour", id="which"),
    }
    engine = read(*tools, settings=Settings(tools=hints))
    assert {name: understood.kind for name, understood in engine.understanding.items()} == {
        "bestow": "create",
        "honours": "list",
        "honour": "get",
    }
    session = Session.begin(engine.world, "s")
    made = engine.answer(session, Action.call("bestow", {"recipient": "ida", "honour": "a medal"}))
    assert made is not None
    session = session.append(made)
    listed = engine.answer(session, Action.call("honours", {}))
    assert listed is not None
    assert "a medal" in listed.observation.text


def test_labels_are_members_of_their_thing_and_people_of_their_team() -> None:
    engine = read(*INVENTED["labels"])
    adding = engine.understanding["add_tags_to_contact"]
    assert (adding.kind, adding.resource, adding.id, adding.member, adding.members) == (
        "add-member",
        "contact",
        "contact_id",
        "tags",
        "tags",
    )
    assert engine.understanding["remove_tags_from_contact"].kind == "remove-member"


def test_a_mode_decides_what_a_tool_does() -> None:
    engine = read(*INVENTED["modes"])
    understood = engine.understanding["manage_tag"]
    assert understood.mode == "action"
    assert {mode: meaning.kind for mode, meaning in understood.modes.items()} == {"list": "list", "create": "create", "delete": "delete"}
    assert "hangs on `action`" in engine.explain("manage_tag")


def test_what_closes_without_a_state_deletes() -> None:
    engine = read(tool("new_tab", url=TEXT), tool("list_tabs"), tool("close_tab", tab_id=NUMBER))
    assert engine.understanding["close_tab"].kind == "delete"
    engine = read(*INVENTED["tasks"])
    assert engine.understanding["close_task"].kind == "update"


def test_explanations_name_the_arguments() -> None:
    text = Engine(world_of("forge", INVENTED["forge"])).explain("list_issues")
    assert text.startswith("list_issues: lists issues")
    for word in ("`owner`, `repo`", "`page`, `per_page`", "`state`"):
        assert word in text


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
names = st.builds(
    lambda verb, noun, joint: f"{verb}{joint}{noun}",
    st.sampled_from(["create", "get", "list", "update", "delete", "search", "add", "manage", "count", "close", ""]),
    st.sampled_from(["thing", "things", "thing_part", "thing_parts", "", "ids", "child", "part_children"]),
    st.sampled_from(["_", "-", ".", ""]),
)
arguments = st.sampled_from(
    ["id", "thing_id", "ids", "part_id", "name", "path", "page", "limit", "cursor", "query", "sort", "order", "parent", "body", "action"]
)
USUAL = [TEXT, NUMBER, TEXTS, one_of("create", "list")]
schemas = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(
            arguments, json_values | st.sampled_from([TEXT, NUMBER, TEXTS, one_of("create", "list")]), max_size=5
        ),
        "required": json_values | st.lists(arguments, max_size=3),
        "$defs": json_values,
    },
)


@settings(max_examples=150)
@given(
    tools=st.dictionaries(names.filter(bool), st.tuples(schemas, st.none() | schemas), min_size=1, max_size=6),
    calls=st.lists(st.tuples(st.integers(0, 5), st.dictionaries(arguments, json_values, max_size=5)), max_size=8),
    given_things=json_values,
)
def test_no_schema_and_no_argument_breaks_it(tools: Any, calls: Any, given_things: Any) -> None:
    raw = [
        {"name": name, "inputSchema": schema} | ({"outputSchema": out} if out is not None else {}) for name, (schema, out) in tools.items()
    ]
    world = world_of("hostile", raw, first_state=freeze({"collections": given_things}))
    engine = Engine(world)
    session = Session.begin(world, "s")
    for number, values in calls:
        name = world.tools[number % len(world.tools)].name if world.tools else "none"
        for certain_only in (True, False):
            transition = engine.answer(session, Action.call(name, values), certain_only=certain_only)
            if transition is not None:
                assert engine.contradictions(session, transition.model_copy(update={"source": "imagined"})) is not None
                session = session.append(transition)
    for name in engine.understanding:
        assert engine.explain(name)


def _steps(count: int) -> int:
    """How many lines run while so many tools are understood, of four that belong together and of none."""
    four = [
        definition
        for number in range(count // 8)
        for word in ["".join("abcdefghij"[int(digit)] for digit in str(number)) + "x"]
        for definition in (
            tool(f"get_{word}", id=TEXT),
            tool(f"list_{word}s", page=NUMBER),
            tool(f"create_{word}", title=TEXT),
            tool(f"get_{word}_history", id=TEXT),
        )
    ]
    world = world_of("many", four + [tool(f"tool_{number}", id=TEXT) for number in range(count // 2)])
    steps = 0

    def trace(frame: Any, event: str, value: Any) -> Any:
        nonlocal steps
        steps += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read_tools(world)
    finally:
        sys.settrace(before)
    return steps


def test_many_tools_cost_no_more_each_than_few() -> None:
    assert _steps(1_600) < 5 * _steps(400)


def test_a_place_in_a_list_is_followed_as_what_it_is() -> None:
    tabs = tool("tabs", action=one_of("list", "new", "close", "select"), index_=NUMBER, url_=TEXT)
    engine = read(tabs)
    session = Session.begin(engine.world, "s")

    def call(**arguments: Any) -> str:
        nonlocal session
        transition = engine.answer(session, Action.call("tabs", arguments))
        assert transition is not None
        session = session.append(transition)
        return transition.observation.text

    for letter in "abc":
        call(action="new", url=letter)
    call(action="close", index=0)
    call(action="select", index=0)
    call(action="close")  # the one that was chosen: b
    shown = call(action="list")
    assert '"url": "c"' in shown
    assert '"index": 0' in shown
    assert '"url": "b"' not in shown


def test_a_commit_is_first_in_the_log() -> None:
    log = {
        "type": "object",
        "properties": {
            "commits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"hash": TEXT, "shortHash": TEXT, "subject": TEXT},
                    "required": ["hash", "shortHash", "subject"],
                },
            }
        },
        "required": ["commits"],
    }
    made = {"type": "object", "properties": {"success": {"type": "boolean"}, "commitHash": TEXT}, "required": ["success", "commitHash"]}
    engine = read(
        tool("git_commit", made, message=TEXT), tool("git_log", log, {"readOnlyHint": True}, maxCount_=NUMBER), tool("git_status")
    )
    session = Session.begin(engine.world, "s")
    committed = engine.answer(session, Action.call("git_commit", {"message": "Mend the net"}))
    assert committed is not None
    shown = engine.answer(session.append(committed), Action.call("git_log", {}))
    assert shown is not None
    first = shown.observation.structured_content["commits"][0]
    assert first["hash"] == committed.observation.structured_content["commitHash"]
    assert first["subject"] == "Mend the net"
    assert first["hash"].startswith(first["shortHash"])


def test_statements_make_and_drop_tables() -> None:
    engine = read(
        tool("create_table", query=TEXT), tool("list_tables"), tool("describe_table", table_name=TEXT), tool("write_query", query=TEXT)
    )
    session = Session.begin(engine.world, "s")

    def call(name: str, **arguments: Any) -> Any:
        nonlocal session
        transition = engine.answer(session, Action.call(name, arguments))
        if transition is not None:
            session = session.append(transition)
        return transition

    assert not call("create_table", query='CREATE TABLE IF NOT EXISTS "boats" (id INTEGER, name TEXT)').observation.is_error
    assert call("create_table", query="create table boats (id INTEGER)").observation.is_error
    assert "boats" in call("list_tables").observation.text
    assert call("write_query", query="INSERT INTO boats VALUES (1, 'Alk')") is None
    assert not call("write_query", query="DROP TABLE boats;").observation.is_error
    assert "boats" not in call("list_tables").observation.text
    assert call("describe_table", table_name="boats").observation.is_error


def test_a_customer_is_no_name() -> None:
    engine = read(
        tool("create_customer", name=TEXT, email_=TEXT),
        tool("get_customer", customer={"type": "string", "description": "The ID of the customer"}),
        tool("list_customers"),
    )
    assert engine.understanding["create_customer"].id is None
    assert engine.understanding["create_customer"].fields == ("name", "email")
