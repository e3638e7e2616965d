"""The engine at its seam: sessions of calls, and what they lead to."""

import json
from itertools import permutations
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.transition import Demonstration, Transition
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.shown.texts import read_text
from mcp_sim.predictors.engine.things.collections import read_collections
from tests.predictors.engine.lists import INVENTED, NUMBER, TEXT, TEXTS, tool, world_of


class Talk:
    """A session in one world."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self.engine = Engine(world)
        self.session = Session.begin(world, "talk", seed)

    def __call__(self, tool: str, **arguments: Any) -> Transition:
        transition = self.engine.answer(self.session, Action.call(tool, arguments))
        assert transition is not None
        self.session = self.session.append(transition)
        return transition

    def value(self, tool: str, **arguments: Any) -> Any:
        return json.loads(self.text(tool, **arguments))

    def text(self, tool: str, **arguments: Any) -> str:
        observation = self(tool, **arguments).observation
        assert not observation.is_error, observation.text
        return observation.text

    def error(self, tool: str, **arguments: Any) -> str:
        before = self.session.state
        transition = self(tool, **arguments)
        assert transition.observation.is_error
        assert not transition.changes
        assert self.session.state == before
        return transition.observation.text


def shown(tool: str, arguments: dict[str, Any], result: Any, *, is_error: bool = False) -> Demonstration:
    text = result if isinstance(result, str) else json.dumps(result)
    return Demonstration(action=Action.call(tool, arguments), observation=Observation.of_text(text, is_error=is_error))


GIVEN = {
    "collections": {
        "issues": [
            {"owner": "acme", "repo": "api", "number": 3, "title": "Old", "state": "closed", "labels": ["bug"]},
            {"owner": "acme", "repo": "api", "number": 7, "title": "Newer", "state": "open", "labels": []},
            {"owner": "acme", "repo": "web", "number": 1, "title": "Elsewhere", "state": "open", "labels": ["bug"]},
        ]
    }
}


def a_given_forge() -> Talk:
    return Talk(world_of("forge", INVENTED["forge"], first_state=freeze(GIVEN)))


def test_a_collection_that_is_given_is_closed() -> None:
    talk = a_given_forge()
    listed = talk.value("list_issues", owner="acme", repo="api", state="all")
    assert sorted(issue["number"] for issue in listed["issues"]) == [3, 7]
    assert talk.value("get_issue", owner="acme", repo="api", issue_number=3) == GIVEN["collections"]["issues"][0]
    assert talk.error("get_issue", owner="acme", repo="api", issue_number=42) == "Issue not found: 42"
    assert talk.error("get_issue", owner="acme", repo="none", issue_number=1) == "Issue not found: 1"
    assert talk.value("list_issues", owner="acme", repo="none")["issues"] == []


def test_what_is_given_goes_on() -> None:
    talk = a_given_forge()
    made = talk.value("create_issue", owner="acme", repo="api", title="Next", labels=["bug"])
    assert made["number"] == 8
    assert list(made) == list(GIVEN["collections"]["issues"][0])  # in the form of the others
    talk("update_issue", owner="acme", repo="api", issue_number=7, state="closed")
    assert [issue["number"] for issue in talk.value("list_issues", owner="acme", repo="api")["issues"]] == [8]
    assert talk.value("get_issue", owner="acme", repo="web", issue_number=1)["title"] == "Elsewhere"
    kept = read_collections(talk.engine.knowledge, talk.session)["issues"]
    assert [(issue["repo"], issue["number"], issue["state"]) for issue in kept] == [
        ("api", 3, "closed"),
        ("api", 7, "closed"),
        ("web", 1, "open"),
        ("api", 8, "open"),
    ]


def test_what_was_there_all_the_time_does_not_hang_on_the_order_of_questions() -> None:
    world = world_of("tasks", INVENTED["tasks"])
    first = Talk(world, seed=5).value("list_tasks", status="all", limit=100)["tasks"][2]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_tasks", {"status": "all", "limit": 2}),
        ("get_task", {"task_id": first["id"]}),
        ("search_tasks", {"query": first["title"]}),
        ("count_tasks", {}),
    ]
    answers: list[dict[str, str]] = []
    for order in permutations(calls):
        talk = Talk(world, seed=5)
        answers.append({name: talk.text(name, **arguments) for name, arguments in order})
    assert all(answer == answers[0] for answer in answers)
    other = Talk(world, seed=6)
    assert {name: other(name, **arguments).observation.text for name, arguments in calls} != answers[0]


def test_a_search_text_may_name_the_place() -> None:
    tools = [*INVENTED["forge"], tool("search_issues", q=TEXT)]
    talk = Talk(world_of("forge", tools))
    searched = talk.value("search_issues", q="repo:acme/api is:issue")["issues"]
    listed = talk.value("list_issues", owner="acme", repo="api", state="all", per_page=100)["issues"]
    assert sorted(issue["number"] for issue in searched) == sorted(issue["number"] for issue in listed) != []
    assert talk.value("search_issues", q="repo:acme/api xyzzy")["issues"] == []


def test_a_thing_that_the_task_names_may_exist_until_the_list_has_ended() -> None:
    world = world_of("tasks", INVENTED["tasks"])
    open_talk = Talk(world)
    found = open_talk.value("get_task", task_id=421)
    assert found["id"] == 421
    assert 421 in [task["id"] for task in open_talk.value("list_tasks", status="all", limit=1000)["tasks"]]
    assert open_talk.value("create_task", title="Next")["id"] == 422
    closed_talk = Talk(world)
    closed_talk("list_tasks", status="all", limit=1000)
    closed_talk.error("get_task", task_id=421)


def test_ids_are_not_used_again_and_parts_go_with_the_whole() -> None:
    talk = Talk(world_of("camel", INVENTED["camel"]))
    project = talk.value("createProject", name="Lighthouse")["id"]
    section = talk.value("createSection", projectId=project, title="Lamp")["id"]
    assert [s["id"] for s in talk.value("listSections", projectId=project)] == [section]
    talk("deleteProject", projectId=project)
    talk.error("getSection", projectId=project, sectionId=section)
    talk.error("listSections", projectId=project)
    talk.error("createSection", projectId=project, title="Lens")
    talk.error("deleteProject", projectId=project)


def test_a_name_can_be_taken_only_once_at_a_time() -> None:
    talk = Talk(world_of("named", INVENTED["named"]))
    talk("create_deployment", namespace="prod", name="web", replicas=2, image="web:1")
    assert "already exists" in talk.error("create_deployment", namespace="prod", name="web", replicas=9, image="web:2")
    talk("create_deployment", namespace="test", name="web", replicas=1, image="web:2")
    talk("delete_deployment", namespace="prod", name="web")
    again = talk.value("create_deployment", namespace="prod", name="web", replicas=3, image="web:3")
    assert again["replicas"] == 3
    listed = [item for item in talk.value("list_deployments", namespace="prod") if item["name"] == "web"]
    assert listed == [again]


def test_a_card_moves_from_list_to_list() -> None:
    talk = Talk(world_of("cards", INVENTED["cards"]))
    here, there = (talk.value("add_list_to_board", name=name)["id"] for name in ("Here", "There"))
    card = talk.value("add_card_to_list", listId=here, name="Rope")["id"]
    moved = talk.value("move_card", cardId=card, listId=there)
    assert moved["listId"] == there
    assert talk.value("get_cards_by_list_id", listId=here) == []
    assert talk.value("get_cards_by_list_id", listId=there) == [moved]
    assert talk.value("get_card", cardId=card) == moved
    talk("move_card", cardId=card, listId=here)
    assert [item["id"] for item in talk.value("get_cards_by_list_id", listId=here)] == [card]
    talk("delete_list", listId=here)
    talk.error("get_card", cardId=card)


def test_members_come_and_go() -> None:
    talk = Talk(world_of("labels", INVENTED["labels"]))
    contact = talk.value("create_contact", name="Ida", email="ida@example.com", tags=["new"])["id"]
    assert talk.value("add_tags_to_contact", contact_id=contact, tags=["vip", "new"])["tags"] == ["new", "vip"]
    assert talk.value("remove_tags_from_contact", contact_id=contact, tags=["new"])["tags"] == ["vip"]
    assert talk.value("get_contact", contact_id=contact)["tags"] == ["vip"]


def test_a_trial_run_changes_nothing() -> None:
    tools = [tool("create_memo", text=TEXT, dry_run_={"type": "boolean"}), tool("get_memo", memo_id=TEXT), tool("list_memos")]
    talk = Talk(world_of("memos", tools))
    before = talk.value("list_memos")
    tried = talk("create_memo", text="x", dry_run=True)
    assert not tried.changes
    assert tried.patch == []
    assert talk.value("list_memos") == before


def test_deleting_again_is_no_error_where_the_tool_is_idempotent() -> None:
    tools = [
        tool("create_memo", text=TEXT),
        tool("get_memo", memo_id=TEXT),
        tool("delete_memo", _hints={"idempotentHint": True}, memo_id=TEXT),
    ]
    talk = Talk(world_of("memos", tools))
    memo = talk.value("create_memo", text="x")["id"]
    talk.text("delete_memo", memo_id=memo)
    assert not talk("delete_memo", memo_id=memo).observation.is_error


def test_what_the_background_forbids_is_refused() -> None:
    background = "The shop is open.\n\n- Nobody may delete contacts here.\n- The contact `ida` must not be updated by anyone.\n"
    tools = [
        *INVENTED["labels"],
        tool("create_note", text=TEXT),
        tool("get_note", note_id=TEXT),
        tool("delete_note", note_id=TEXT),
    ]
    talk = Talk(world_of("shop", tools, background=background))
    contact = talk.value("create_contact", name="Bo", email="bo@example.com")["id"]
    assert "ermission" in talk.error("delete_contact", contact_id=contact)
    talk("update_contact", contact_id=contact, name="Bob")
    note = talk.value("create_note", text="x")["id"]
    assert not talk("delete_note", note_id=note).observation.is_error


def test_things_are_in_the_words_of_the_background() -> None:
    background = (
        "# The harbour\n\nThe Wharfinger logs each Moorage and each Demurrage. "
        "Wharfinger Odalys Brightwater signs every Moorage, every Demurrage.\n"
    )
    tools = [tool("list_records"), tool("get_record", record_id=TEXT), tool("create_record", title=TEXT, author=TEXT)]
    records = Talk(world_of("harbour", tools, background=background)).value("list_records")
    assert any(word in record["title"] for record in records for word in ("Wharfinger", "Moorage", "Demurrage"))
    assert {record["author"] for record in records} <= {"Odalys Brightwater", "Wharfinger Odalys"}


def test_what_is_made_through_a_path_is_there_at_its_path() -> None:
    body = {"type": "object"}
    tools = [
        tool("desk_get", path=TEXT),
        tool("desk_post", path=TEXT, body=body),
        tool("desk_put", path=TEXT, body=body),
        tool("desk_delete", path=TEXT),
    ]
    talk = Talk(world_of("desk", tools))
    place = "/rest/api/3/issue"
    nothing = talk.engine.answer(talk.session, Action.call("desk_get", {"path": f"{place}/10001"}))
    assert nothing is None  # only what was made through it is known
    issue = talk.value("desk_post", path=place, body={"fields": {"summary": "Leak", "pier": 4}})["id"]
    talk("desk_put", path=f"{place}/{issue}", body={"fields": {"summary": "Big leak"}})
    assert talk.value("desk_get", path=f"{place}/{issue}?expand=all")["fields"] == {"summary": "Big leak", "pier": 4}
    comment = talk.value("desk_post", path=f"{place}/{issue}/comment", body={"body": "Why?"})
    assert talk.value("desk_get", path=f"{place}/{issue}/comment") == [comment]
    assert [item["id"] for item in talk.value("desk_get", path=place)] == [issue]
    talk("desk_delete", path=f"{place}/{issue}")
    talk.error("desk_get", path=f"{place}/{issue}")
    talk.error("desk_delete", path=f"{place}/{issue}")
    assert talk.error("desk_get", path=f"{place}/{issue}/comment") == f"Issue not found: {issue}"
    assert "path" in talk.engine.explain("desk_get")


PATHS = st.from_regex(r"(/[a-z]{1,6}(/[0-9A-Za-z%-]{0,5})?){0,6}/?", fullmatch=True)


@settings(max_examples=60)
@given(path=st.text(max_size=60) | PATHS, body=st.dictionaries(st.text(), st.integers()))
def test_any_path_is_read_without_harm(path: str, body: dict[str, int]) -> None:
    tools = [tool("desk_get", path=TEXT), tool("desk_post", path=TEXT, body={"type": "object"}), tool("desk_delete", path=TEXT)]
    engine = Engine(world_of("desk", tools))
    session = Session.begin(engine.world, "s")
    for name in ("desk_post", "desk_get", "desk_delete", "desk_get"):
        transition = engine.answer(session, Action.call(name, {"path": path, "body": body}))
        session = session if transition is None else session.append(transition)


# the form of answers


def test_the_layout_of_a_demonstration_is_kept() -> None:
    demonstrations = (
        shown("create_memo", {"text": "old"}, '{"ok":true,"memo":{"memo_id":"m-001","text":"old","pinned":false}}'),
        shown("list_memos", {}, '{"memos":[{"memo_id":"m-000","text":"older"}],"total":1,"next":null}'),
        shown("get_memo", {"memo_id": "m-999"}, "E404 no such memo: m-999", is_error=True),
    )
    tools = [tool("create_memo", text=TEXT), tool("get_memo", memo_id=TEXT), tool("list_memos"), tool("delete_memo", memo_id=TEXT)]
    talk = Talk(world_of("memos", tools, demonstrations=demonstrations))
    made = talk.text("create_memo", text="new")
    identifier = json.loads(made)["memo"]["memo_id"]
    assert made == f'{{"ok":true,"memo":{{"memo_id":"{identifier}","text":"new","pinned":false}}}}'
    listed = talk.text("list_memos")
    assert listed == f'{{"memos":[{{"memo_id":"m-000","text":"older"}},{{"memo_id":"{identifier}","text":"new"}}],"total":2,"next":null}}'
    assert talk.error("get_memo", memo_id="m-777") == "E404 no such memo: m-777"
    assert talk.error("delete_memo", memo_id="m-777") == "E404 no such memo: m-777"


def test_a_demonstrated_sentence_is_said_of_the_new_thing() -> None:
    demonstrations = (
        shown("create_memo", {"text": "buy rope"}, "Created memo #17: buy rope"),
        shown("delete_memo", {"memo_id": 17}, "Memo 17 is gone."),
    )
    tools = [tool("create_memo", text=TEXT), tool("get_memo", memo_id=NUMBER), tool("list_memos"), tool("delete_memo", memo_id=NUMBER)]
    talk = Talk(world_of("memos", tools, demonstrations=demonstrations))
    said = talk.text("create_memo", text="sell rope")
    number = int(said.split("#")[1].split(":")[0])
    assert said == f"Created memo #{number}: sell rope"
    assert talk.value("get_memo", memo_id=number)["text"] == "sell rope"
    assert talk.text("delete_memo", memo_id=number) == f"Memo {number} is gone."


TICKET = """# Ticket #12: Pump leaks

- **Id:** #12
- **Title:** Pump leaks
- **Status:** open
- **Assignee:** ida
- **Comments:** 3

Call the harbour for help."""
TICKETS = """Found 2 tickets:

1. Title: Pump leaks
   Id: 12
   Status: open

2. Title: Door
   Id: 11
   Status: open

That is all."""


def test_answers_in_words_follow_the_things_too() -> None:
    demonstrations = (
        shown("get_ticket", {"ticket_id": 12}, TICKET),
        shown("create_ticket", {"title": "Roof", "assignee": "bo"}, "Ticket created.\nId: #13\nTitle: Roof\nStatus: open\nAssignee: bo"),
        shown("list_tickets", {"status": "open"}, TICKETS),
    )
    tools = [
        tool("get_ticket", ticket_id=NUMBER),
        tool("create_ticket", title=TEXT, assignee_=TEXT),
        tool("list_tickets", status_=TEXT),
        tool("update_ticket", ticket_id=NUMBER, status_=TEXT),
    ]
    talk = Talk(world_of("tickets", tools, demonstrations=demonstrations))
    assert talk.text("get_ticket", ticket_id=12) == TICKET
    assert talk.text("list_tickets", status="open") == TICKETS
    assert talk.text("create_ticket", title="Roof is open") == "Ticket created.\nId: #13\nTitle: Roof is open\nStatus: open\nAssignee: None"
    made = TICKET.replace("12", "13").replace("Pump leaks", "Roof is open").replace("ida", "None").replace("3\n\nCall", "0\n\nCall")
    assert talk.text("get_ticket", ticket_id=13) == made
    assert talk.text("update_ticket", ticket_id=13, status="done") == made.replace("Status:** open", "Status:** done")
    assert talk.text("list_tickets", status="open") == TICKETS
    three = talk.text("list_tickets")
    assert three.startswith("Found 3 tickets:\n\n1. Title: Roof is open\n   Id: 13\n   Status: done\n\n2. Title: Pump leaks\n")
    assert three.endswith("\n\nThat is all.")


def test_words_before_the_json_stay_and_their_number_is_true() -> None:
    demonstrations = (shown("list_memos", {}, 'Found 1 memo:\n[{"id": "m-001", "text": "old"}]'),)
    tools = [tool("create_memo", text=TEXT), tool("get_memo", memo_id=TEXT), tool("list_memos")]
    talk = Talk(world_of("memos", tools, demonstrations=demonstrations))
    identifier = talk.value("create_memo", text="new")["id"]
    assert talk.text("list_memos") == f'Found 2 memo:\n[{{"id": "m-001", "text": "old"}}, {{"id": "{identifier}", "text": "new"}}]'


@settings(max_examples=60)
@given(text=st.text(max_size=400) | st.from_regex(r"(([-*] )?[A-Z][a-z]{1,6}: ?[^\n]{0,9}\n{1,3}){0,9}", fullmatch=True))
def test_any_text_is_read_without_harm(text: str) -> None:
    for many in (False, True):
        read = read_text(text, many=many)
        if read is not None:
            assert len(read.records) == len(read.blocks) > 0
            read.written([*read.records, {}])


@settings(max_examples=20)
@given(name=st.text(min_size=1, max_size=30), price=st.integers(0, 10**6), limit=st.integers(1, 20))
def test_answers_follow_the_output_schema(name: str, price: int, limit: int) -> None:
    talk = Talk(world_of("schemas", INVENTED["schemas"]))
    made = talk("create_product", name=name, price_cents=price).observation.structured_content["product"]
    assert (made["name"], made["price_cents"]) == (name, price)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_product", {"product_id": made["id"]}),
        ("list_products", {"limit": limit}),
        ("update_product", {"product_id": made["id"], "price_cents": 1}),
        ("delete_product", {"product_id": made["id"]}),
    ]
    for tool_name, arguments in calls:
        observation = talk(tool_name, **arguments).observation
        schema = talk.engine.world.tools_by_name[tool_name].output_schema
        jsonschema.Draft202012Validator(schema).validate(observation.structured_content)
        assert json.loads(observation.text) == observation.structured_content
    talk.error("get_product", product_id=made["id"])


# listing


def a_shelf() -> Talk:
    books = [{"id": f"b{n}", "title": f"Book {n}", "pages": n * 37 % 101, "tags": ["odd"] if n % 2 else ["even"]} for n in range(1, 26)]
    for n, book in enumerate(books):
        book["updated_at"] = f"2026-01-{n + 1:02}T00:00:00Z"
    tools = [
        tool(
            "list_books",
            tags_=TEXTS,
            since_=TEXT,
            sort_=TEXT,
            order_={"type": "string", "enum": ["asc", "desc"]},
            page_=NUMBER,
            per_page_=NUMBER,
        ),
        tool("get_book", book_id=TEXT),
        tool("create_book", title=TEXT, pages_=NUMBER, tags_=TEXTS),
        tool("search_books", query=TEXT, limit_=NUMBER),
    ]
    return Talk(world_of("shelf", tools, first_state=freeze({"collections": {"books": books}})))


@settings(max_examples=40)
@given(size=st.integers(1, 30), order=st.sampled_from(["asc", "desc"]), sort=st.sampled_from(["pages", "title", "updated", "created"]))
def test_pages_are_the_sorted_list_cut(size: int, order: str, sort: str) -> None:
    talk = a_shelf()
    whole = talk.value("list_books", per_page=100, sort=sort, order=order)
    pages = [talk.value("list_books", per_page=size, page=number + 1, sort=sort, order=order) for number in range(25 // size + 1)]
    assert [book for page in pages for book in page["books"]] == whole["books"]
    assert {page["total_count"] for page in pages} == {25}
    keys = {"pages": "pages", "title": "title", "updated": "updated_at"}
    if sort in keys:
        values = [book[keys[sort]] for book in whole["books"]]
        assert values == sorted(values, reverse=order == "desc")


def test_filters_select() -> None:
    talk = a_shelf()
    odd = talk.value("list_books", tags=["odd"], per_page=100)["books"]
    assert {book["id"] for book in odd} == {f"b{n}" for n in range(1, 26, 2)}
    late = talk.value("list_books", since="2026-01-20T00:00:00Z", per_page=100)["books"]
    assert {book["id"] for book in late} == {f"b{n}" for n in range(20, 26)}
    assert talk.value("list_books", tags=["purple"])["books"] == []
    assert talk.value("search_books", query="nothing like it")["books"] == []
    assert [book["id"] for book in talk.value("search_books", query="Book 17")["books"]] == ["b17"]


@pytest.mark.parametrize("cursor", ["junk", "b2Zmc2V0Oi0x", "", "b2Zmc2V0Ojk5OTk5OTk5OTk5OTk5OTk="])
def test_a_cursor_that_was_never_given_is_refused_or_the_beginning(cursor: str) -> None:
    talk = Talk(world_of("camel", INVENTED["camel"]))
    observation = talk("listProjects", cursor=cursor).observation
    assert observation.is_error is (cursor != "")


@settings(max_examples=30)
@given(data=st.data())
def test_reads_side_by_side_reveal_the_same_in_any_order(data: st.DataObject) -> None:
    world = world_of("forge", INVENTED["forge"])
    engine, place = Engine(world), {"owner": "acme", "repo": "api"}
    reads = [
        Action.call("list_issues", {**place, "state": "all", "per_page": 100}),
        Action.call("list_issues", {**place, "per_page": 2}),
        Action.call("list_pull_requests", place),
        *(Action.call("get_issue", {**place, "issue_number": number}) for number in (1, 2, 3, 40, 4000)),
        *(Action.call("list_issue_comments", {**place, "issue_number": number}) for number in (1, 2)),
    ]
    session = Session.begin(world, "s", seed=data.draw(st.integers(0, 50)))
    chosen = data.draw(st.lists(st.sampled_from(reads), min_size=2, max_size=4, unique_by=lambda action: action.key))
    answers = [engine.answer(session, action) for action in chosen]
    states = []
    for order in permutations(answers):
        after = session
        for transition in order:
            assert transition is not None
            after = after.append(transition)
        assert after.fingerprint == session.fingerprint
        states.append(after.state)
    assert all(state == states[0] for state in states)
