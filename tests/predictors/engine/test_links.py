"""Things name each other: by a field that may be asked for, by ids that are there, and by none that is certainly not."""

import json
from random import Random
from typing import Any

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from tests.worlds import make_tool, make_world


def tool(name: str, *needed: str, **properties: str) -> Any:
    types = {key: {"type": value} for key, value in properties.items()} | {key: {"type": "string"} for key in needed}
    return make_tool(name, {"type": "object", "properties": types, "required": list(needed)})


ORDERS = make_world(
    tool("create_customer", "name"),
    tool("list_customers"),
    tool("create_order", "customer_id", "item"),
    tool("list_orders", customer_id="string"),
    tool("get_order", "order_id"),
    tool("count_orders", customer_id="string"),
)
ALONE = make_world(*(one for one in ORDERS.tools if "customer" not in one.name))


class Talk:
    """A session of one world, spoken to by the engine alone."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self.engine, self.session = Engine(world), Session.begin(world, "test", seed)

    def call(self, name: str, **arguments: Any) -> Any:
        transition = self.engine.answer(self.session, Action.call(name, arguments))
        assert transition is not None
        self.session = self.session.append(transition)
        text = transition.observation.text
        return json.loads(text) if text[:1] in ("{", "[") else text


@pytest.mark.parametrize("world", [ALONE, ORDERS], ids=["alone", "with customers"])
def test_what_a_thing_is_made_for_selects_it(world: World) -> None:
    talk = Talk(world)
    first = talk.call("create_order", customer_id="c-1", item="tulip")
    talk.call("create_order", customer_id="c-2", item="rose")
    assert talk.call("list_orders", customer_id="c-1") == [first]
    assert talk.call("count_orders", customer_id="c-1") == {"count": 1}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("order", [("list_customers", "list_orders"), ("list_orders", "list_customers")])
def test_what_was_there_all_the_time_names_what_was_there_too(seed: int, order: tuple[str, str]) -> None:
    talk = Talk(ORDERS, seed)
    shown = {name: talk.call(name) for name in order}
    assert shown["list_orders"]
    assert {one["customer_id"] for one in shown["list_orders"]} <= {one["id"] for one in shown["list_customers"]}


def test_whom_a_thing_was_made_for_is_there_from_then_on() -> None:
    talk = Talk(ORDERS)
    talk.call("create_order", customer_id="walk-in", item="tulip")
    assert "walk-in" in [one["id"] for one in talk.call("list_customers")]


def test_nothing_is_made_for_one_who_is_missing_from_a_whole_list() -> None:
    talk = Talk(ORDERS)
    known = Random(0).choice(talk.call("list_customers"))["id"]
    assert talk.call("create_order", customer_id=known, item="tulip")["customer_id"] == known
    assert talk.call("create_order", customer_id="nobody", item="tulip") == "Customer not found: nobody"


COMMENTED = make_world(*ORDERS.tools, tool("delete_order", "order_id"), tool("ponder", "order_id", "text"))


def test_what_nobody_can_follow_is_refused_for_what_is_certainly_not_there() -> None:
    talk = Talk(COMMENTED)
    order = talk.call("create_order", customer_id="c-1", item="tulip")
    asked = Action.call("ponder", {"order_id": order["id"], "text": "hm"})
    assert not talk.engine.understanding["ponder"].understood
    assert talk.engine.answer(talk.session, asked) is None
    talk.call("delete_order", order_id=order["id"])
    assert talk.call("ponder", order_id=order["id"], text="hm") == f"Order not found: {order['id']}"
    assert talk.engine.answer(talk.session, Action.call("ponder", {"order_id": "unheard", "text": "hm"})) is None
    talk.call("list_orders")
    assert talk.call("ponder", order_id="unheard", text="hm") == "Order not found: unheard"
