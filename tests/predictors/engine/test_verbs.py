"""What verbs do to things: what only sounds like making one, and what takes another back."""

from typing import Any

import pytest

from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, one_of, tool
from tests.predictors.engine.trial import Trial


@pytest.mark.parametrize(
    ("adding", "sent"),
    [
        (tool("append_to_note", note_id=TEXT, text=TEXT), {"text": "more"}),
        (tool("append_note", note_id=TEXT, text=TEXT), {"text": "more"}),
        (tool("inviteToNote", noteId=TEXT, userId=TEXT), {"userId": "u"}),
        (tool("note-send", note_id=TEXT), {}),
        (tool("submit_note", note_id=TEXT, comment_=TEXT), {}),
        (tool("schedule_note", note_id=TEXT, at=TEXT), {"at": "2026-01-01"}),
        (tool("add_to_note", note_id=TEXT, item=TEXT), {"item": "x"}),
    ],
    ids=lambda raw: raw.get("name", "") if isinstance(raw, dict) else "",
)
def test_what_is_done_to_a_thing_makes_none(adding: dict[str, Any], sent: dict[str, Any]) -> None:
    trial = Trial(tool("create_note", title=TEXT, text=TEXT), tool("get_note", note_id=TEXT), tool("delete_note", note_id=TEXT), adding)
    made = trial.shown("create_note", title="A", text="b")
    named = next(name for name in adding["inputSchema"]["properties"] if name.lower().replace("_", "") == "noteid")
    assert not trial.refused(adding["name"], **{named: made["id"]}, **sent)
    assert trial.shown("get_note", note_id=made["id"]) == made


def test_appending_to_what_is_known_by_name() -> None:
    trial = Trial(
        tool("create_note", name=TEXT, content=TEXT),
        tool("get_note", name=TEXT),
        tool("append_to_note", name=TEXT, text=TEXT),
        tool("delete_note", name=TEXT),
    )
    made = trial.shown("create_note", name="shopping", content="milk")
    assert not trial.refused("append_to_note", name="shopping", text="eggs")
    assert trial.shown("get_note", name="shopping") == made


def test_publishing_what_was_made_before() -> None:
    trial = Trial(
        tool("create_post", title=TEXT),
        tool("get_post", post_id=NUMBER),
        tool("publish_post", post_id=NUMBER),
        tool("unpublish_post", post_id=NUMBER),
    )
    made = trial.shown("create_post", title="A")
    assert trial.shown("publish_post", post_id=made["id"])["published"] is True
    assert trial.shown("unpublish_post", post_id=made["id"])["published"] is False
    assert "published" in trial.shown("get_post", post_id=made["id"])


@pytest.mark.parametrize(
    ("does", "undoes"),
    [
        ("complete", "reopen"),
        ("complete", "uncomplete"),
        ("close", "reopen"),
        ("resolve", "reopen"),
        ("archive", "unarchive"),
        ("enable", "disable"),
        ("activate", "deactivate"),
        ("enable", "deactivate"),
        ("lock", "unlock"),
        ("ban", "unban"),
        ("star", "unstar"),
        ("mute", "unmute"),
        ("pin", "unpin"),
        ("block", "unblock"),
        ("follow", "unfollow"),
        ("freeze", "unfreeze"),
        ("pause", "resume"),
        ("suspend", "activate"),
    ],
)
@pytest.mark.parametrize("fields", [{}, {"status_": TEXT}, {"status_": one_of("open", "active", "archived", "done", "closed")}], ids=str)
def test_a_verb_takes_back_what_its_opposite_set(does: str, undoes: str, fields: dict[str, Any]) -> None:
    trial = Trial(
        tool("create_task", title=TEXT, **fields),
        tool("get_task", task_id=NUMBER),
        tool(f"{does}_task", _hints={"readOnlyHint": False}, task_id=NUMBER),
        tool(f"{undoes}_task", task_id=NUMBER),
    )
    made = trial.shown("create_task", title="A")
    done = trial.shown(f"{does}_task", task_id=made["id"])
    back = trial.shown(f"{undoes}_task", task_id=made["id"])
    for name, value in done.items():
        if name != "updated_at" and made.get(name) != value:
            assert back[name] != value, name
    assert set(back) == set(done)


def test_words_of_a_state_that_are_nouns() -> None:
    trial = Trial(
        tool("block_create", text=TEXT),
        tool("block_get", id=TEXT),
        tool("block_list"),
        tool("block_delete", id=TEXT),
        tool("page_get", id=TEXT),
    )
    assert [meaning.kind for meaning in trial.engine.understanding.values()][:4] == ["create", "get", "list", "delete"]


@pytest.mark.parametrize("key", ["sku", "isbn", "ticker", "email", "username", "slug", "code"])
def test_a_thing_is_known_by_what_all_of_its_tools_ask_for(key: str) -> None:
    trial = Trial(
        tool("create_product", **{key: TEXT}, price={"type": "number"}, stock_=NUMBER),
        tool("get_product", **{key: TEXT}),
        tool("list_products", price_={"type": "number"}),
        tool("adjust_stock", **{key: TEXT}, delta=NUMBER),
        tool("set_price", **{key: TEXT}, price={"type": "number"}),
        tool("bulk_delete_products", **{f"{key}s": TEXTS}),
    )
    made = trial.shown("create_product", **{key: "A-1"}, price=2, stock=10)
    trial.shown("create_product", **{key: "B-1"}, price=9)
    assert trial.refused("create_product", **{key: "A-1"}, price=3)
    assert trial.shown("get_product", **{key: "A-1"}) == made
    assert trial.shown("adjust_stock", **{key: "A-1"}, delta=-4)["stock"] == 6
    assert trial.shown("set_price", **{key: "A-1"}, price=3)["price"] == 3
    shown = trial.shown("get_product", **{key: "A-1"})
    assert (shown[key], shown["price"], shown["stock"]) == ("A-1", 3, 6)
    trial.call("bulk_delete_products", **{f"{key}s": ["A-1", "B-1"]})
    assert trial.refused("get_product", **{key: "A-1"})


@pytest.mark.parametrize("name", ["boardName", "board_name", "name"])
def test_what_a_thing_is_called_is_shown_beside_its_id(name: str) -> None:
    trial = Trial(tool("createBoard", **{name: TEXT}), tool("getBoards"), tool("deleteBoard", boardId=TEXT))
    made = trial.shown("createBoard", **{name: "Roadmap"})
    assert made[name] == "Roadmap"
    assert made["id"]


def test_merging_two_things_closes_neither_for_certain() -> None:
    trial = Trial(
        tool("create_ticket", title=TEXT), tool("get_ticket", ticket_id=TEXT), tool("merge_tickets", source_id=TEXT, target_id=TEXT)
    )
    one, other = (trial.shown("create_ticket", title=title) for title in "AB")
    assert trial.call("merge_tickets", source_id=one["id"], target_id=other["id"]) is None
    assert trial.shown("get_ticket", ticket_id=other["id"]) == other
