"""What is added to a thing or taken out of it is a part of it, never the thing itself."""

from typing import Any

import pytest

from tests.predictors.engine.lists import NUMBER, TEXT, tool
from tests.predictors.engine.trial import Trial


@pytest.mark.parametrize(
    "removing",
    [
        tool("delete_invoice_item", invoice_id=TEXT, item_id=TEXT),
        tool("remove_invoice_content", invoice_id=TEXT),
        tool("delete_invoice_data", invoice_id=TEXT),
        tool("removeInvoiceProfile", invoice_id=TEXT),
        tool("delete_invoice_details", invoice_id=TEXT),
        tool("invoice_item_delete", invoice_id=TEXT, item_id=TEXT),
        tool("delete_invoice_metadata", invoice_id=TEXT, key=TEXT),
    ],
    ids=lambda raw: raw["name"],
)
def test_removing_a_part_leaves_the_whole(removing: dict[str, Any]) -> None:
    trial = Trial(tool("create_invoice", customer=TEXT), tool("get_invoice", invoice_id=TEXT), removing)
    made = trial.shown("create_invoice", customer="A")
    trial.call(removing["name"], invoice_id=made["id"], item_id="i1", key="k")
    assert trial.shown("get_invoice", invoice_id=made["id"]) == made


def test_items_of_a_thing_are_things_of_their_own() -> None:
    trial = Trial(
        tool("createOrder", notes_=TEXT),
        tool("getOrder", orderId=NUMBER),
        tool("addOrderItem", orderId=NUMBER, sku=TEXT, quantity=NUMBER),
        tool("listOrderItems", orderId=NUMBER),
        tool("updateOrderItem", orderId=NUMBER, itemId=NUMBER, quantity=NUMBER),
        tool("removeOrderItem", orderId=NUMBER, itemId=NUMBER),
        tool("clearOrderItems", orderId=NUMBER),
        tool("deleteOrderItems", orderId=NUMBER),
    )
    order = trial.shown("createOrder", notes="n")["id"]
    item = trial.shown("addOrderItem", orderId=order, sku="A-1", quantity=2)["id"]
    other = trial.shown("addOrderItem", orderId=order, sku="B-1", quantity=1)["id"]
    assert trial.shown("updateOrderItem", orderId=order, itemId=item, quantity=5)["quantity"] == 5
    trial.call("removeOrderItem", orderId=order, itemId=item)
    assert [row["id"] for row in trial.shown("listOrderItems", orderId=order)] == [other]
    assert trial.shown("getOrder", orderId=order)["id"] == order
    assert trial.refused("removeOrderItem", orderId=order, itemId=item)
    assert not trial.engine.understanding["deleteOrderItems"].understood


def test_tracks_of_a_playlist() -> None:
    trial = Trial(
        tool("create_playlist", name=TEXT),
        tool("get_playlist", playlist_id=TEXT),
        tool("add_playlist_item", playlist_id=TEXT, track_id=TEXT),
        tool("remove_playlist_item", playlist_id=TEXT, track_id=TEXT),
        tool("get_playlist_items", playlist_id=TEXT),
    )
    made = trial.shown("create_playlist", name="Mix")
    for track in ("t1", "t2"):
        trial.shown("add_playlist_item", playlist_id=made["id"], track_id=track)
    trial.call("remove_playlist_item", playlist_id=made["id"], track_id="t1")
    assert [row["id"] for row in trial.shown("get_playlist_items", playlist_id=made["id"])] == ["t2"]
    assert trial.shown("get_playlist", playlist_id=made["id"]) == made


def test_a_thing_may_be_called_a_record_of_it() -> None:
    trial = Trial(
        tool("create_customer_record", name=TEXT),
        tool("get_customer_record", customer_id=TEXT),
        tool("delete_customer_record", customer_id=TEXT),
        tool("list_customers"),
    )
    made = trial.shown("create_customer_record", name="Kim")
    trial.call("delete_customer_record", customer_id=made["id"])
    assert trial.refused("get_customer_record", customer_id=made["id"])


def test_what_is_removed_from_somewhere_is_still_there() -> None:
    trial = Trial(
        tool("create_post", title=TEXT),
        tool("get_post", post_id=NUMBER),
        tool("delete_post", post_id=NUMBER),
        tool("remove_post_from_feed", post_id=NUMBER, feed=TEXT),
    )
    made = trial.shown("create_post", title="A")
    trial.call("remove_post_from_feed", post_id=made["id"], feed="news")
    assert trial.shown("get_post", post_id=made["id"]) == made


def test_what_is_made_in_a_list_is_gone_when_it_is_removed_from_it() -> None:
    trial = Trial(
        tool("create_list", name=TEXT),
        tool("get_lists"),
        tool("create_card", list_id=TEXT, title=TEXT),
        tool("get_card", card_id=TEXT),
        tool("remove_card_from_list", list_id=TEXT, card_id=TEXT),
    )
    card = trial.shown("create_card", list_id=trial.shown("create_list", name="Todo")["id"], title="A")
    trial.call("remove_card_from_list", list_id=card["list_id"], card_id=card["id"])
    assert trial.refused("get_card", card_id=card["id"])


def test_what_is_in_a_cart_is_not_the_cart() -> None:
    trial = Trial(
        tool("cart_create", customer=TEXT),
        tool("cart_get", cart_id=TEXT),
        tool("add_to_cart", cart_id=TEXT, product_id=TEXT, quantity=NUMBER),
        tool("remove_from_cart", cart_id=TEXT, product_id=TEXT),
        tool("delete_cart", cart_id=TEXT),
    )
    made = trial.shown("cart_create", customer="A")
    assert not trial.refused("add_to_cart", cart_id=made["id"], product_id="p", quantity=2)
    assert not trial.refused("remove_from_cart", cart_id=made["id"], product_id="p")
    assert trial.shown("cart_get", cart_id=made["id"]) == made
    trial.call("delete_cart", cart_id=made["id"])
    assert trial.refused("add_to_cart", cart_id=made["id"], product_id="p", quantity=2)
