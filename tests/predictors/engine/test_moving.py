"""Amounts that move: up and down, between things, between places."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.predictors.engine.engine import Engine
from tests.predictors.engine.lists import NUMBER, TEXT, tool, world_of
from tests.predictors.engine.test_sources import Talk

AMOUNT = {"type": "number"}
BANK = [
    tool("create_account", owner_name=TEXT, currency_=TEXT, initial_deposit_=AMOUNT),
    tool("get_account", account_id=TEXT),
    tool("list_accounts"),
    tool("get_balance", account_id=TEXT),
    tool("deposit", account_id=TEXT, amount=AMOUNT),
    tool("withdraw", account_id=TEXT, amount=AMOUNT),
    tool("transfer_funds", from_account_id=TEXT, to_account_id=TEXT, amount=AMOUNT, memo_=TEXT),
]
STORE = [
    tool("list_stock_levels", warehouse=TEXT),
    tool("create_stock_level", warehouse=TEXT, sku=TEXT, quantity=NUMBER),
    tool("get_stock_level", warehouse=TEXT, sku=TEXT),
    tool("adjust_stock", warehouse=TEXT, sku=TEXT, delta=NUMBER),
    tool("move_stock", sku=TEXT, from_warehouse=TEXT, to_warehouse=TEXT, quantity=NUMBER),
]
LEVELS = [{"warehouse": "north", "sku": "A-1", "quantity": 12}, {"warehouse": "south", "sku": "A-1", "quantity": 3}]
STORED: dict[str, Any] = {"first_state": freeze({"collections": {"stock_levels": LEVELS}})}


def opened() -> tuple[Talk, str, str]:
    talk = Talk(world_of("bank", BANK))
    one, two = (talk.value("create_account", owner_name=name, currency="EUR", initial_deposit=500) for name in ("Ida", "Jo"))
    return talk, one["id"], two["id"]


def test_what_is_paid_in_is_there_and_what_is_taken_out_is_not() -> None:
    talk, account, _ = opened()
    assert talk.value("deposit", account_id=account, amount=250.5)["balance"] == 750.5
    assert talk.value("withdraw", account_id=account, amount=0.5)["balance"] == 750
    shown = talk("get_balance", account_id=account)
    assert shown.source == "computed"
    assert talk.value("get_balance", account_id=account)["balance"] == talk.value("get_account", account_id=account)["balance"] == 750


def test_what_goes_from_one_arrives_at_the_other() -> None:
    talk, one, two = opened()
    moved = talk.value("transfer_funds", from_account_id=one, to_account_id=two, amount=100, memo="rent")
    assert (moved["amount"], moved["memo"], moved["from_balance"], moved["to_balance"]) == (100, "rent", 400, 600)
    assert [talk.value("get_balance", account_id=account)["balance"] for account in (one, two)] == [400, 600]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("withdraw", {"account_id": 0, "amount": 501}, "Insufficient funds: 500 available, 501 requested"),
        ("transfer_funds", {"from_account_id": 0, "to_account_id": 1, "amount": 501}, "Insufficient funds: 500 available, 501 requested"),
        ("transfer_funds", {"from_account_id": 0, "to_account_id": "nobody", "amount": 1}, "Account not found: nobody"),
        ("transfer_funds", {"from_account_id": "nobody", "to_account_id": 0, "amount": 1}, "Account not found: nobody"),
    ],
)
def test_what_cannot_be_moved_is_refused(name: str, arguments: dict[str, Any], says: str) -> None:
    talk, *accounts = opened()
    refused = talk(name, **{key: accounts[value] if value in (0, 1) and key != "amount" else value for key, value in arguments.items()})
    assert (refused.observation.text, refused.observation.is_error, refused.changes) == (says, True, False)
    assert talk.value("get_balance", account_id=accounts[0])["balance"] == 500


def test_stock_moves_between_places_and_a_place_without_any_gets_some() -> None:
    talk = Talk(world_of("store", STORE, **STORED))
    talk("move_stock", sku="A-1", from_warehouse="north", to_warehouse="south", quantity=5)
    talk("move_stock", sku="A-1", from_warehouse="north", to_warehouse="east", quantity=2)
    held = {place: talk.value("get_stock_level", warehouse=place, sku="A-1")["quantity"] for place in ("north", "south", "east")}
    assert held == {"north": 5, "south": 8, "east": 2}
    short = talk("move_stock", sku="A-1", from_warehouse="north", to_warehouse="south", quantity=6)
    assert short.observation.is_error
    assert talk("adjust_stock", warehouse="north", sku="A-1", delta=-6).observation.is_error
    assert talk.value("adjust_stock", warehouse="north", sku="A-1", delta=-5)["quantity"] == 0


def test_a_tool_that_moves_no_number_of_anything_known_is_left_alone() -> None:
    tools = [tool("send_money", to=TEXT, amount=AMOUNT), tool("transfer_call", from_number=TEXT, to_number=TEXT), *BANK[1:3]]
    engine = Engine(world_of("other", tools))
    assert engine.understanding["transfer_call"].counts is None
    assert engine.understanding["send_money"].counts is None


def balances(engine: Engine, session: Session) -> int:
    found = engine.answer(session, Action.call("list_accounts", {}))
    assert found is not None
    return sum(account["balance"] for account in json.loads(found.observation.text))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(-50, 300)), max_size=12))
def test_moving_neither_makes_nor_loses_anything(moves: list[tuple[int, int, int]]) -> None:
    given_accounts = [{"id": str(number), "owner_name": "x", "balance": 200} for number in range(3)]
    world = world_of("bank", BANK, first_state=freeze({"collections": {"accounts": given_accounts}}))
    engine, session = Engine(world), Session.begin(world, "moves")
    for one, two, amount in moves:
        asked = {"from_account_id": str(one), "to_account_id": str(two), "amount": amount}
        transition = engine.answer(session, Action.call("transfer_funds", asked))
        assert transition is not None
        session = session.append(transition)
    assert balances(engine, session) == 600


def test_what_was_moved_stands_in_the_list_of_transactions() -> None:
    talk = Talk(world_of("bank", [*BANK, tool("list_transactions", account_id=TEXT, limit_=NUMBER)]))
    one, two = (talk.value("create_account", owner_name=name, currency="EUR", initial_deposit=500)["id"] for name in ("Ida", "Jo"))
    assert talk.value("list_transactions", account_id=one) == []
    talk("deposit", account_id=one, amount=20)
    talk("transfer_funds", from_account_id=one, to_account_id=two, amount=70, memo="rent")
    talk("withdraw", account_id=one, amount=5000)
    mine, theirs = (talk.value("list_transactions", account_id=account) for account in (one, two))
    assert [(entry["type"], entry["amount"]) for entry in mine] == [("deposit", 20), ("transfer", -70)]
    assert [(entry["amount"], entry["description"]) for entry in theirs] == [(70, "rent")]
    assert 500 + sum(entry["amount"] for entry in mine) == talk.value("get_balance", account_id=one)["balance"]


SHOP = [
    tool("add_product", sku=TEXT, name=TEXT, price=AMOUNT, quantity=NUMBER),
    tool("get_product", sku=TEXT),
    tool("list_products"),
    tool("check_stock", sku=TEXT),
    tool("add_stock", sku=TEXT, quantity=NUMBER),
    tool("remove_stock", sku=TEXT, quantity=NUMBER),
    tool("create_deal", title=TEXT, stage_={"type": "string", "enum": ["lead", "won", "lost"]}),
    tool("get_deal", deal_id=TEXT),
    tool("list_deals", stage_=TEXT),
    tool("update_deal_stage", deal_id=TEXT, stage={"type": "string", "enum": ["lead", "won", "lost"]}),
    tool("mark_deal_as_won", deal_id=TEXT),
    tool("create_order", customer=TEXT, items={"type": "array", "items": {"type": "object", "properties": {"sku": TEXT}}}),
    tool("get_order", order_id=TEXT),
]


def test_stock_and_quantity_are_one_number() -> None:
    talk = Talk(world_of("shop", SHOP))
    talk("add_product", sku="A1", name="Lamp", price=12.5, quantity=5)
    talk("add_stock", sku="A1", quantity=10)
    talk("remove_stock", sku="A1", quantity=4)
    assert talk.value("check_stock", sku="A1")["quantity"] == talk.value("get_product", sku="A1")["quantity"] == 11
    assert talk("remove_stock", sku="A1", quantity=12).observation.text == "Insufficient stock: 11 available, 12 requested"


def test_a_tool_sets_the_field_that_it_is_named_after() -> None:
    talk = Talk(world_of("shop", SHOP))
    deal = talk.value("create_deal", title="Boats")
    assert deal["stage"] == "lead"
    talk("update_deal_stage", deal_id=deal["id"], stage="lost")
    assert talk.value("get_deal", deal_id=deal["id"])["stage"] == "lost"
    assert deal["id"] in [one["id"] for one in talk.value("list_deals", stage="lost")]
    talk("mark_deal_as_won", deal_id=deal["id"])
    assert "won" in talk.value("get_deal", deal_id=deal["id"])


def test_an_order_of_several_things_is_one_order() -> None:
    talk = Talk(world_of("shop", SHOP))
    order = talk.value("create_order", customer="Jo", items=[{"sku": "A1"}, {"sku": "B2"}])
    assert (order["customer"], order["items"]) == ("Jo", [{"sku": "A1"}, {"sku": "B2"}])
    assert talk.value("get_order", order_id=order["id"]) == order
