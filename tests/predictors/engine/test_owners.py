"""Things that belong to something that belongs to something else, and what must be there for them to be made."""

from itertools import pairwise
from typing import Any

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.index.catalogue import Catalogue
from tests.predictors.engine.lists import NUMBER, TEXT, one_of, tool, world_of
from tests.predictors.engine.test_sources import Talk

BOARDS = [
    tool("create_board", name=TEXT),
    tool("list_boards"),
    tool("delete_board", board_id=TEXT),
    tool("create_column", board_id=TEXT, title=TEXT),
    tool("list_columns", board_id=TEXT),
    tool("create_card", column_id=TEXT, title=TEXT, priority_=one_of("low", "high")),
    tool("get_card", card_id=TEXT),
    tool("list_cards", board_id_=TEXT, column_id_=TEXT, priority_=one_of("low", "high")),
    tool("search_cards", query=TEXT, board_id_=TEXT),
    tool("count_cards", board_id=TEXT),
    tool("move_card", card_id=TEXT, column_id=TEXT),
]
SHOP = [
    tool("create_customer", name=TEXT),
    tool("get_customer", customer_id=NUMBER),
    tool("list_customers", limit_=NUMBER, offset_=NUMBER),
    tool("create_order", customer_id=NUMBER, notes_=TEXT),
    tool("get_order", order_id=NUMBER),
    tool("list_orders", customer_id_=NUMBER, limit_=NUMBER, offset_=NUMBER),
]


def shown(session: Talk, name: str, **arguments: Any) -> list[dict[str, Any]]:
    found = session.value(name, **arguments)
    return found if isinstance(found, list) else next(value for value in found.values() if isinstance(value, list))


def ids(session: Talk, name: str, **arguments: Any) -> list[Any]:
    return [record["id"] for record in shown(session, name, **arguments)]


@pytest.mark.parametrize("indexed", [False, True])
def test_the_board_of_a_card_is_that_of_its_column(indexed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Catalogue, "least", 0 if indexed else 10**9)
    session = Talk(world_of("kanban", BOARDS))
    boards = [session.value("create_board", name=name)["id"] for name in ("one", "two")]
    columns = [session.value("create_column", board_id=board, title="to do")["id"] for board in boards]
    cards = [session.value("create_card", column_id=column, title="splice rope")["id"] for column in columns]
    for board, card in zip(boards, cards, strict=True):
        assert ids(session, "list_cards", board_id=board) == [card]
        assert ids(session, "search_cards", query="splice", board_id=board) == [card]
        assert session.value("count_cards", board_id=board)["count"] == 1
    session("move_card", card_id=cards[0], column_id=columns[1])
    assert ids(session, "list_cards", board_id=boards[0]) == []
    assert sorted(ids(session, "list_cards", board_id=boards[1])) == sorted(cards)
    session("delete_board", board_id=boards[1])
    assert ids(session, "list_cards", column_id=columns[1]) == ids(session, "search_cards", query="splice") == []
    assert session("get_card", card_id=cards[0]).observation.is_error


def test_cards_that_were_there_all_the_time_are_in_columns_that_are_there() -> None:
    session = Talk(world_of("kanban", BOARDS))
    cards = shown(session, "list_cards")
    columns = {column for board in ids(session, "list_boards") for column in ids(session, "list_columns", board_id=board)}
    assert cards
    assert {card["column_id"] for card in cards} <= columns


def test_nothing_is_made_in_a_column_that_is_not_there() -> None:
    session = Talk(world_of("kanban", BOARDS))
    boards = ids(session, "list_boards")
    columns = [column for board in boards for column in ids(session, "list_columns", board_id=board)]
    refused = session("create_card", column_id="nope", title="lost")
    assert refused.observation.is_error
    assert "nope" in refused.observation.text
    assert not session("create_card", column_id=columns[0], title="found").observation.is_error


def test_a_kind_of_which_a_total_was_told_is_known_whole() -> None:
    session = Talk(world_of("shop", SHOP))
    before = shown(session, "list_customers", limit=2)
    for refused in (session("create_order", customer_id=999_999), session("get_customer", customer_id=999_998)):
        assert refused.observation.is_error
    assert shown(session, "list_customers", limit=2) == before
    assert not session("create_order", customer_id=before[0]["id"]).observation.is_error


def test_what_a_task_names_before_anything_was_listed_is_there() -> None:
    session = Talk(world_of("shop", SHOP))
    assert not session("create_order", customer_id=41).observation.is_error
    assert session.value("get_customer", customer_id=41)["id"] == 41
    everyone = ids(session, "list_customers")
    assert 41 in everyone
    assert len(set(everyone)) == len(everyone)


def test_pages_do_not_shift_by_what_orders_name() -> None:
    session = Talk(world_of("shop", SHOP))
    pages = [ids(session, "list_customers", limit=3, offset=offset) for offset in (0, 3)]
    session("create_order", customer_id=77)
    again = [ids(session, "list_customers", limit=3, offset=offset) for offset in (0, 3)]
    assert again == pages
    assert all(not set(one) & set(other) for one, other in pairwise(pages))


def test_what_a_model_says_of_a_board_is_held_against_the_cards_of_that_board() -> None:
    session = Talk(world_of("kanban", BOARDS))
    board = session.value("create_board", name="one")["id"]
    column = session.value("create_column", board_id=board, title="to do")["id"]
    session("create_card", column_id=column, title="splice rope")
    assert len(shown(session, "list_cards")) > 1
    asked = Action.call("count_cards", {"board_id": board})
    wrong_if = {
        number: session.reasoning.engine.contradictions(
            session.session, session.session.transition(asked, Observation.of_text(f'{{"count": {number}}}'), "imagined", changes=False)
        )
        for number in (1, 2)
    }
    assert wrong_if == {1: [], 2: ["There are 1 cards, but the answer says 2."]}
