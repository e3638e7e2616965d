"""What is found by an index is what is found by looking at each thing: in random programs that change, fork and wind back sessions."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.index import catalogue, shelf
from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, TRUTH, one_of, tool, world_of

WORDS = "leak Login login-page crash ΑΣ 日本 a1 a b-c x_y 12 127".split()
STATUSES = ("open", "closed", "all")
PAGING = {"limit_": NUMBER, "offset_": NUMBER}
MILESTONE = {"type": "object", "properties": {"id": NUMBER, "title": TEXT, "due_on": TEXT}, "required": ["id", "title"]}
MILESTONES = {"type": "object", "properties": {"milestones": {"type": "array", "items": MILESTONE}, "total": NUMBER}}

TASKS = [
    tool("create_task", title=TEXT, status_=one_of("open", "closed"), assignee_=TEXT, labels_=TEXTS, milestone_id_=NUMBER, points_=NUMBER),
    tool("get_task", task_id=NUMBER),
    tool(
        "list_tasks",
        status_=one_of(*STATUSES),
        assignee_=TEXT,
        labels_=TEXTS,
        min_points_=NUMBER,
        max_points_=NUMBER,
        since_=TEXT,
        created_before_=TEXT,
        sort_=one_of("created", "updated", "title", "points", "-title"),
        direction_=one_of("asc", "desc"),
        **PAGING,
    ),
    tool("search_tasks", query=TEXT, **PAGING),
    tool("count_tasks"),
    tool("update_task", task_id=NUMBER, title_=TEXT, assignee_=TEXT, labels_=TEXTS, status_=one_of("open", "closed"), points_=NUMBER),
    tool("delete_task", task_id=NUMBER),
    tool("create_milestone", title=TEXT),
    tool("list_milestones", _output=MILESTONES, title_=TEXT, **PAGING),
    tool("get_milestone", milestone_id=NUMBER),
    tool("delete_milestone", milestone_id=NUMBER),
    tool("search", query=TEXT, **PAGING),
]
FORGE = [
    tool("create_repository", name=TEXT),
    tool("get_repository", repo=TEXT),
    tool("list_repositories", **PAGING),
    tool("update_repository", repo=TEXT, new_name_=TEXT),
    tool("delete_repository", repo=TEXT),
    tool("create_issue", repo=TEXT, title=TEXT, state_=one_of("open", "closed")),
    tool("get_issue", repo=TEXT, issue_number=NUMBER),
    tool("list_issues", repo=TEXT, state_=one_of(*STATUSES), **PAGING),
    tool("search_issues", q=TEXT, sort_=one_of("created", "updated"), order_=one_of("asc", "desc"), **PAGING),
    tool("update_issue", repo=TEXT, issue_number=NUMBER, title_=TEXT, state_=one_of("open", "closed")),
    tool("delete_issue", repo=TEXT, issue_number=NUMBER),
    tool("create_comment", comment_id_=TEXT, repo=TEXT, issue_number=NUMBER, body=TEXT),
    tool("list_comments", repo=TEXT, issue_number=NUMBER),
    tool("search_comments", query=TEXT),
]
NUMBERED = [
    tool("create_project", name=TEXT),
    tool("get_project", project_id=NUMBER),
    tool("update_project", project_id=NUMBER, name=TEXT),
    tool("delete_project", project_id=NUMBER),
    tool("list_projects"),
    tool("create_ticket", project=TEXT, title=TEXT),
    tool("get_ticket", project=TEXT, ticket_id=NUMBER),
    tool("list_tickets", project=TEXT, **PAGING),
    tool("search_tickets", query=TEXT),
    tool("delete_ticket", project=TEXT, ticket_id=NUMBER),
]
CALENDAR = [
    tool("create_event", summary=TEXT, start=TEXT, end_=TEXT),
    tool("get_event", event_id=NUMBER),
    tool("list_events", time_min_=TEXT, time_max_=TEXT, start_after_=TEXT, order_by_=one_of("start", "updated"), **PAGING),
    tool("update_event", event_id=NUMBER, start_=TEXT, end_=TEXT),
    tool("delete_event", event_id=NUMBER),
    tool("search_events", query=TEXT),
]
KANBAN = [
    tool("create_board", name=TEXT),
    tool("list_boards"),
    tool("get_board", board_id=NUMBER),
    tool("delete_board", board_id=NUMBER),
    tool("create_column", board_id=NUMBER, title=TEXT),
    tool("list_columns", board_id=NUMBER),
    tool("delete_column", column_id=NUMBER),
    tool("create_card", column_id=NUMBER, title=TEXT, priority_=one_of("low", "medium", "high"), due_date_=TEXT),
    tool("get_card", card_id=NUMBER),
    tool(
        "list_cards",
        board_id_=NUMBER,
        column_id_=NUMBER,
        completed_=TRUTH,
        include_archived_=TRUTH,
        due_before_=TEXT,
        prefix_=TEXT,
        sort_=one_of("created_at", "priority", "id"),
        direction_=one_of("asc", "desc"),
        **PAGING,
    ),
    tool("search_cards", query=TEXT, board_id_=NUMBER),
    tool("count_cards", board_id=NUMBER),
    tool("move_card", card_id=NUMBER, column_id=NUMBER),
    tool("update_card", card_id=NUMBER, title_=TEXT, due_date_=TEXT),
    tool("complete_card", card_id=NUMBER),
    tool("archive_card", card_id=NUMBER),
    tool("delete_card", card_id=NUMBER),
]
GIVEN_TASKS: dict[str, Any] = {
    "tasks": [
        {
            "id": n + 1,
            "title": f"{WORDS[n % 5]} {WORDS[n % 12]}",
            "status": STATUSES[n % 2],
            "assignee": {"login": f"p{n % 3}"} if n % 4 else None,
            "labels": [{"name": f"l{n % 2}"}],
            "points": n * 3 % 7,
            "milestone_id": n % 3,
            "updated_at": f"2026-01-{n % 9 + 1:02}T00:00:00Z",
        }
        for n in range(12)
    ],
    "milestones": [{"id": 1, "title": "leak one"}, {"id": 2, "title": "b-c"}],
}
GIVEN_FORGE: dict[str, Any] = {
    "repositories": [{"id": n + 1, "name": f"r{n}"} for n in range(4)],
    "issues": [{"repo": f"r{n % 5}", "number": n // 5 + 1, "title": f"{WORDS[n % 7]} r{n}", "state": STATUSES[n % 2]} for n in range(12)],
}
NAMED = {"repositories": [{"name": f"r{n}"} for n in range(4)]}
GIVEN_PROJECTS: dict[str, Any] = {
    "projects": [{"id": n + 1, "name": f"r{n % 4}"} for n in range(6)],
    "tickets": [{"id": n + 1, "project": f"r{n % 5}", "title": WORDS[n]} for n in range(8)],
}
GIVEN_EVENTS: dict[str, Any] = {
    "events": [
        {"id": n + 1, "summary": WORDS[n], "start": f"2026-0{n % 3 + 1}-{n + 1:02}", "end": f"2026-0{n % 4 + 1}-{n + 2:02}T09:00:00Z"}
        if n % 4
        else {"id": n + 1, "summary": WORDS[n], "updated_at": f"2026-02-{n + 1:02}T09:00:00Z"}
        for n in range(12)
    ]
}
GIVEN_BOARDS: dict[str, Any] = {
    "boards": [{"id": n + 1, "name": f"r{n}"} for n in range(3)],
    "columns": [{"id": n + 1, "board_id": n % 3 + 1, "title": WORDS[n]} for n in range(6)],
    "cards": [
        {
            "id": n + 1,
            "column_id": n * 5 % 7 + 1,
            "title": WORDS[n % 8],
            "priority": ("low", "medium", "high")[n % 3],
            "created_at": f"2026-01-{n * 5 % 9 + 1:02}T00:00:00Z",
            **({"due_date": f"2026-02-{n + 1:02}" if n % 3 else "some day"} if n % 4 else {}),
            **({"completed": n % 4 == 0} if n % 2 else {}),
        }
        for n in range(12)
    ],
}
WORLDS: dict[str, World] = {
    "tasks": world_of("tasks", TASKS),
    "tasks given": world_of("tasks", TASKS, first_state=freeze({"collections": GIVEN_TASKS})),
    "forge": world_of("forge", FORGE),
    "forge given": world_of("forge", FORGE, first_state=freeze({"collections": GIVEN_FORGE})),
    "repositories given": world_of("forge", FORGE, first_state=freeze({"collections": NAMED})),
    "numbered": world_of("numbered", NUMBERED),
    "numbered given": world_of("numbered", NUMBERED, first_state=freeze({"collections": GIVEN_PROJECTS})),
    "calendar": world_of("calendar", CALENDAR),
    "calendar given": world_of("calendar", CALENDAR, first_state=freeze({"collections": GIVEN_EVENTS})),
    "kanban": world_of("kanban", KANBAN),
    "kanban given": world_of("kanban", KANBAN, first_state=freeze({"collections": GIVEN_BOARDS})),
    "an id given twice": world_of(
        "tasks", TASKS, first_state=freeze({"collections": {"tasks": [*GIVEN_TASKS["tasks"], GIVEN_TASKS["tasks"][0]]}})
    ),
}

_TITLES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
_QUERIES = _TITLES | st.sampled_from(
    [
        "log",
        "1",
        "c",
        "本",
        "ς",
        "state:open",
        "-label:l0",
        '"leak login"',
        "is:open a",
        "points:>2",
        "user:r1",
        "...",
        "milestone:1",
        "updated:>2026-01-04",
    ]
)
_DATES = st.dates(date(2025, 12, 28), date(2026, 4, 10)).map(str) | st.dates(date(2026, 1, 1), date(2026, 4, 1)).map("{}T09:00:00Z".format)
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "title": _TITLES,
    "body": _TITLES,
    "query": _QUERIES,
    "q": _QUERIES,
    "assignee": st.sampled_from(["p0", "p1", "P2", "nobody"]),
    "labels": st.lists(st.sampled_from(["l0", "l1", "L2"]), max_size=2),
    "points": st.integers(0, 6),
    "min_points": st.integers(0, 6),
    "max_points": st.integers(0, 6),
    "summary": _TITLES,
    "event_id": st.integers(1, 14),
    **dict.fromkeys(("since", "created_before", "start", "end", "time_min", "time_max", "start_after"), _DATES),
    "milestone_id": st.integers(0, 4),
    "task_id": st.integers(1, 16),
    "issue_number": st.integers(1, 5),
    "repo": st.sampled_from([f"r{n}" for n in range(6)]),
    **dict.fromkeys(("name", "project"), st.sampled_from([f"r{n}" for n in range(6)])),
    **dict.fromkeys(("project_id", "ticket_id", "column_id"), st.integers(1, 9)),
    **dict.fromkeys(("completed", "include_archived"), st.booleans()),
    **dict.fromkeys(("due_date", "due_before"), _DATES),
    "board_id": st.integers(1, 5),
    "card_id": st.integers(1, 14),
    "prefix": st.sampled_from(["lea", "a", "日", "x"]),
    "new_name": st.sampled_from([f"r{n}" for n in range(6)]),
    "comment_id": st.sampled_from(["c1", "c2"]),
    "limit": st.integers(1, 6),
    "offset": st.integers(0, 9),
}


def calls_of(tools: list[dict[str, Any]]) -> st.SearchStrategy[Action]:
    def of(one: dict[str, Any]) -> st.SearchStrategy[Action]:
        schema = one["inputSchema"]
        values = {name: st.sampled_from(part["enum"]) if "enum" in part else _VALUES[name] for name, part in schema["properties"].items()}
        needed = {name: values[name] for name in schema["required"]}
        optional = {name: value for name, value in values.items() if name not in needed}
        return st.fixed_dictionaries(needed, optional=optional).map(lambda arguments: Action.call(one["name"], arguments))

    return st.one_of([of(one) for one in tools])


@pytest.mark.parametrize("name", list(WORLDS))
@settings(max_examples=40, deadline=None, print_blob=False)
@given(data=st.data())
def test_an_index_finds_what_looking_at_each_thing_finds(name: str, data: st.DataObject) -> None:
    _compare(WORLDS[name], data)


@pytest.mark.parametrize("name", ["tasks given", "forge", "numbered given", "kanban given"])
@settings(max_examples=25, deadline=None, print_blob=False)
@given(data=st.data())
def test_it_does_so_with_next_to_no_room(name: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for room, limit in (("_MOST_SHELVES", 1), ("_MOST_LOGGED", 10), ("_MOST_ROSTERS", 2), ("_MOST_LISTED", 5)):
            patch.setattr(catalogue, room, limit)
        for room, limit in (
            ("_MOST_FACETS", 1),
            ("_MOST_PLACES", 20),
            ("_MOST_WORDS", 4),
            ("_LAST_ENDS", 1),
            ("_LEAST_KEPT", 0),
            ("_FEW", 0),
        ):
            patch.setattr(shelf, room, limit)
        _compare(WORLDS[name], data)


def _compare(world: World, data: st.DataObject) -> None:
    looking, indexed = Engine(world), Engine(world)
    looking.knowledge.catalogue.least, indexed.knowledge.catalogue.least = 10**9, 0
    tools = {"tasks": TASKS, "forge": FORGE, "calendar": CALENDAR, "numbered": NUMBERED, "kanban": KANBAN}[world.name]
    step = st.one_of(calls_of(tools), calls_of(tools), st.tuples(st.sampled_from(["fork", "go back", "reload"]), st.integers(0, 20)))
    sessions = [Session.begin(world, "s0", seed=3)]
    questions: dict[str, Action] = {}

    def answer(action: Action) -> Transition | None:
        expected, found = looking.answer(sessions[-1], action), indexed.answer(sessions[-1], action)
        if expected is None or found is None:
            assert expected is found
            return None
        assert (found.observation, found.source, found.notes) == (expected.observation, expected.source, expected.notes)
        return expected

    for what in data.draw(st.lists(step, min_size=5, max_size=30)):
        if isinstance(what, Action):
            transition = answer(what)
            if transition is None:
                continue
            sessions.append(sessions[-1].append(transition))
            if not transition.changes:
                questions[what.key] = what
        else:
            sessions.append(_moved(world, sessions[what[1] % len(sessions)], what[0]))
        for question in list(questions.values())[-6:]:  # what was asked before is asked again of what is now
            answer(question)


def test_another_session_begins_with_what_one_before_it_found_and_its_own_changes() -> None:
    world = WORLDS["tasks given"]
    looking, indexed = Engine(world), Engine(world)
    looking.knowledge.catalogue.least, indexed.knowledge.catalogue.least = 10**9, 0
    sessions = [Session.begin(world, name) for name in ("one", "two", "three")]
    shown = set()
    for number in range(9):
        session = sessions[number % 3]
        change = Action.call("update_task", {"task_id": number + 1, "status": "open", "title": f"number {number}"})
        question = Action.call("list_tasks", {"status": "open", "sort": "title", "direction": "desc"})
        for action in (change, question):
            expected, found = looking.answer(session, action), indexed.answer(session, action)
            assert expected is not None
            assert found is not None
            assert found.observation == expected.observation
            session = session.append(expected)
        shown.add(expected.observation.text)
        sessions[number % 3] = session
    assert len(shown) > 5, "what is asked is told apart"


def _moved(world: World, session: Session, deed: str) -> Session:
    if deed == "fork":
        return replace(session, name=f"{session.name}x")
    if deed == "go back":
        return session
    fresh = Session.begin(world, session.name, seed=3)
    for transition in session.trajectory:
        fresh = fresh.append(transition)
    return fresh
