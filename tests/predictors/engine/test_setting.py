"""Tools that set one field: of what they name, and the field that other tools show."""

from typing import Any

import pytest

from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, one_of, tool
from tests.predictors.engine.trial import Trial

PRIORITY = one_of("low", "high")
TICKETS = [
    tool("tickets_create", subject=TEXT, priority_=PRIORITY),
    tool("tickets_get", id=NUMBER),
    tool("tickets_list", status_=one_of("open", "solved"), assignee_=TEXT),
    tool("tickets_delete", id=NUMBER),
]
CAMEL = [
    tool("createTicket", subject=TEXT, priority_=PRIORITY, dueDate_=TEXT),
    tool("getTicket", ticketId=NUMBER),
    tool("listTickets", assigneeId_=TEXT),
    tool("deleteTicket", ticketId=NUMBER),
]


@pytest.mark.parametrize(
    ("tools", "setting", "sent", "field"),
    [
        (TICKETS, tool("tickets_set_status", id=NUMBER, status=one_of("open", "solved")), "solved", "status"),
        (TICKETS, tool("tickets_set_priority", id=NUMBER, priority=PRIORITY), "high", "priority"),
        (TICKETS, tool("tickets_change_subject", id=NUMBER, new_subject=TEXT), "S", "subject"),
        (TICKETS, tool("tickets_assign", id=NUMBER, agent=TEXT), "kim", "assignee"),
        (CAMEL, tool("setTicketPriority", ticketId=NUMBER, priority=PRIORITY), "high", "priority"),
        (CAMEL, tool("setPriority", ticketId=NUMBER, priority=PRIORITY), "high", "priority"),
        (CAMEL, tool("setTicketDueDate", ticketId=NUMBER, date=TEXT), "2026-02-01", "dueDate"),
        (CAMEL, tool("setTicketPriority", ticketId=NUMBER, value=PRIORITY), "high", "priority"),
        (CAMEL, tool("changeTicketSubject", ticketId=NUMBER, newSubject=TEXT), "S", "subject"),
        (CAMEL, tool("changeTicketRole", ticketId=NUMBER, role=one_of("a", "b")), "a", "role"),
        (CAMEL, tool("assignTicket", ticketId=NUMBER, userId=TEXT), "u1", "assigneeId"),
        (CAMEL, tool("assign-ticket", ticketId=NUMBER, user=TEXT), "u1", "assigneeId"),
    ],
)
def test_one_field_is_set(tools: list[dict[str, Any]], setting: dict[str, Any], sent: str, field: str) -> None:
    trial = Trial(*tools, setting)
    create, get, *_ = [raw["name"] for raw in tools]
    key, name = setting["inputSchema"]["required"]
    made = trial.shown(create, subject="A")
    trial.shown(setting["name"], **{key: made["id"], name: sent})
    shown = trial.shown(get, **{key: made["id"]})
    moment = "updated_at" if "updated_at" in made else "updatedAt"
    assert {**shown, moment: ""} == {**made, field: sent, moment: ""}


def test_who_it_is_assigned_to_is_kept_under_its_own_name_where_none_is_known() -> None:
    trial = Trial(tool("create_task", title=TEXT), tool("get_task", task_id=NUMBER), tool("assign_task", task_id=NUMBER, user=TEXT))
    made = trial.shown("create_task", title="A")
    assert trial.shown("assign_task", task_id=made["id"], user="kim")["user"] == "kim"


@pytest.mark.parametrize("sent", ["name", "new_name"])
def test_renaming(sent: str) -> None:
    trial = Trial(
        tool("create_note", name=TEXT, body_=TEXT),
        tool("get_note", id=TEXT),
        tool("delete_note", id=TEXT),
        tool("rename_note", **{"id": TEXT, sent: TEXT}),
    )
    made = trial.shown("create_note", name="a", body="b")
    trial.shown("rename_note", **{"id": made["id"], sent: "z"})
    shown = trial.shown("get_note", id=made["id"])
    assert (shown["id"], shown["name"], shown["body"]) == (made["id"], "z", "b")


def test_renaming_what_is_known_by_its_name() -> None:
    trial = Trial(
        tool("create_note", name=TEXT, content=TEXT),
        tool("get_note", name=TEXT),
        tool("delete_note", name=TEXT),
        tool("rename_note", name=TEXT, new_name=TEXT),
    )
    trial.shown("create_note", name="a", content="c")
    trial.shown("rename_note", name="a", new_name="b")
    assert trial.refused("get_note", name="a")
    assert trial.shown("get_note", name="b")["content"] == "c"


@pytest.mark.parametrize("target", ["targetColumnId", "toColumnId", "newColumnId", "destinationColumnId"])
def test_a_card_moves_to_another_column(target: str) -> None:
    trial = Trial(
        tool("createColumn", title=TEXT),
        tool("getColumns"),
        tool("deleteColumn", columnId=TEXT),
        tool("createCard", columnId=TEXT, title=TEXT),
        tool("getCard", cardId=TEXT),
        tool("listCards", columnId_=TEXT),
        tool("moveCard", **{"cardId": TEXT, target: TEXT, "position_": NUMBER}),
    )
    first, second = (trial.shown("createColumn", title=title)["id"] for title in ("Todo", "Done"))
    gone = trial.shown("createColumn", title="Gone")["id"]
    trial.call("deleteColumn", columnId=gone)
    card = trial.shown("createCard", columnId=first, title="A")
    moved = trial.shown("moveCard", **{"cardId": card["id"], target: second})
    assert (moved["columnId"], set(moved)) == (second, set(card))
    assert trial.refused("moveCard", **{"cardId": card["id"], target: gone})
    assert trial.shown("getCard", cardId=card["id"])["columnId"] == second


def test_an_event_moves_to_another_calendar() -> None:
    trial = Trial(
        tool("create-calendar", name=TEXT),
        tool("list-calendars"),
        tool("create-event", calendarId=TEXT, title=TEXT),
        tool("get-event", calendarId=TEXT, eventId=TEXT),
        tool("list-events", calendarId=TEXT),
        tool("delete-event", calendarId=TEXT, eventId=TEXT),
        tool("move-event", calendarId=TEXT, eventId=TEXT, destinationCalendarId=TEXT),
    )
    here, there = (trial.shown("create-calendar", name=name)["id"] for name in ("Work", "Home"))
    event = trial.shown("create-event", calendarId=here, title="A")["id"]
    other = trial.shown("create-event", calendarId=here, title="B")["id"]
    trial.shown("move-event", calendarId=here, eventId=event, destinationCalendarId=there)
    assert trial.refused("get-event", calendarId=here, eventId=event)
    assert trial.shown("get-event", calendarId=there, eventId=event)["calendarId"] == there
    assert [row["id"] for row in trial.shown("list-events", calendarId=here)] == [other]
    assert [row["id"] for row in trial.shown("list-events", calendarId=there)] == [event]


@pytest.mark.parametrize(
    "unclear",
    [
        tool("set_reminder", ticketId=NUMBER, minutes=NUMBER),
        tool("set_ticket_tags", ticketId=NUMBER, tags=TEXTS, mode=TEXT),
        tool("move_ticket", ticketId=NUMBER, direction=one_of("up", "down")),
        tool("rename_ticket", ticketId=NUMBER, alias=TEXT),
        tool("set_comment", ticketId=NUMBER, comment=TEXT),
    ],
    ids=lambda raw: raw["name"],
)
def test_what_is_unclear_sets_nothing(unclear: dict[str, Any]) -> None:
    trial = Trial(*CAMEL, unclear, tool("list_comments", ticketId=NUMBER), tool("create_comment", ticketId=NUMBER, text=TEXT))
    assert not trial.engine.understanding[unclear["name"]].understood


def test_nobody_is_assigned_any_more() -> None:
    assign, unassign = tool("tickets_assign", id=NUMBER, agent=TEXT), tool("tickets_unassign", id=NUMBER)
    trial = Trial(*TICKETS, assign, unassign)
    made = trial.shown("tickets_create", subject="A")
    assert trial.shown("tickets_assign", id=made["id"], agent="kim")["assignee"] == "kim"
    assert trial.shown("tickets_unassign", id=made["id"])["assignee"] is None
    assert trial.shown("tickets_get", id=made["id"])["assignee"] is None


def test_comments_of_a_thing_that_is_told_by_a_bare_id() -> None:
    comment = tool("tickets_comment", id=NUMBER, body=TEXT, internal_={"type": "boolean"})
    trial = Trial(*TICKETS, comment, tool("tickets_comments", id=NUMBER))
    one, other = (trial.shown("tickets_create", subject=subject)["id"] for subject in "AB")
    trial.shown("tickets_comment", id=one, body="Use water")
    assert [row["body"] for row in trial.shown("tickets_comments", id=one)] == ["Use water"]
    assert trial.shown("tickets_comments", id=other) == []
    trial.call("tickets_delete", id=other)
    refused = trial.call("tickets_comment", id=other, body="late")
    assert refused is not None
    assert refused.is_error
    assert str(other) in refused.text


@pytest.mark.parametrize("name", ["tickets_escalate", "tickets_watch", "tickets_watchers"])
def test_what_is_not_understood_is_refused_about_a_thing_that_is_gone(name: str) -> None:
    trial = Trial(*TICKETS, tool(name, id=NUMBER))
    made = trial.shown("tickets_create", subject="A")
    assert trial.call(name, id=made["id"]) is None
    trial.call("tickets_delete", id=made["id"])
    assert trial.refused(name, id=made["id"])


def test_a_name_that_is_taken_is_given_to_nothing_else() -> None:
    trial = Trial(
        tool("create_note", name=TEXT, content=TEXT),
        tool("get_note", name=TEXT),
        tool("delete_note", name=TEXT),
        tool("rename_note", name=TEXT, new_name=TEXT),
    )
    for name in "ab":
        trial.shown("create_note", name=name, content=name)
    assert trial.refused("rename_note", name="a", new_name="b")
    assert trial.shown("get_note", name="a")["content"] == "a"
    assert trial.shown("get_note", name="b")["content"] == "b"
    trial.call("delete_note", name="b")
    trial.shown("rename_note", name="a", new_name="b")
    assert trial.shown("get_note", name="b")["content"] == "a"


def test_one_of_several_is_assigned() -> None:
    trial = Trial(
        tool("create_issue", title=TEXT, assignees_=TEXTS),
        tool("get_issue", issue_number=NUMBER),
        tool("assign_issue", issue_number=NUMBER, assignee=TEXT),
    )
    made = trial.shown("create_issue", title="A", assignees=["kim"])
    key = made["number"] if "number" in made else made["id"]
    trial.shown("assign_issue", issue_number=key, assignee="lee")
    shown = trial.shown("get_issue", issue_number=key)
    assert shown["assignees"] == ["kim", "lee"]
    assert set(shown) == set(made)


def test_people_who_are_known_by_their_names() -> None:
    trial = Trial(
        tool("create_user", username=TEXT, email=TEXT),
        tool("get_user", username=TEXT),
        tool("delete_user", username=TEXT),
        tool("change_email", username=TEXT, email=TEXT),
        tool("rename_user", username=TEXT, new_username=TEXT),
        tool("set_password", username=TEXT, password=TEXT),
        tool("save_to_group", group_id=TEXT, username=TEXT),
        tool("create_group", name=TEXT),
        tool("get_group", group_id=TEXT),
    )
    made = trial.shown("create_user", username="kim", email="k@x.io")
    assert list(made)[:2] == ["username", "email"]
    trial.shown("change_email", username="kim", email="kim@x.io")
    assert trial.call("set_password", username="kim", password="secret") is None
    renamed = trial.shown("rename_user", username="kim", new_username="kimberly")
    assert (renamed["username"], renamed["email"], set(renamed)) == ("kimberly", "kim@x.io", set(made))
    assert trial.refused("get_user", username="kim")
    group = trial.shown("create_group", name="staff")
    assert not trial.refused("save_to_group", group_id=group["id"], username="kimberly")
    assert trial.shown("get_group", group_id=group["id"]) == group


def test_a_new_title_is_the_title() -> None:
    trial = Trial(
        tool("create_page", title=TEXT, body_=TEXT),
        tool("get_page", page_id=TEXT),
        tool("edit_page", page_id=TEXT, new_title_=TEXT, new_body_=TEXT),
    )
    made = trial.shown("create_page", title="A", body="b")
    changed = trial.shown("edit_page", page_id=made["id"], new_title="Z", new_body="c")
    assert (changed["id"], changed["title"], changed["body"], set(changed)) == (made["id"], "Z", "c", set(made))
