"""Things that are known by a field of their own (an ISBN, an e-mail address), in places that are no things themselves."""

from typing import Any

import pytest

from tests.predictors.engine.laws import value_of
from tests.predictors.engine.lists import NUMBER, TEXT, tool, world_of
from tests.predictors.engine.test_sources import Talk


def library(key: str, place: str) -> list[dict[str, Any]]:
    where: dict[str, Any] = {place: TEXT}
    return [
        tool("add_book", **where, **{key: TEXT}, title=TEXT, copies=NUMBER),
        tool("get_book", **where, **{key: TEXT}),
        tool("list_books", **where, min_copies_=NUMBER),
        tool("update_book", **where, **{key: TEXT}, title_=TEXT, copies_=NUMBER),
        tool("adjust_copies", **where, **{key: TEXT}, delta=NUMBER),
        tool("remove_book", **where, **{key: TEXT}),
        tool("count_books", **where),
    ]


@pytest.mark.parametrize(("key", "place"), [("isbn", "branch_office"), ("code", "shelf"), ("email", "site"), ("signature", "room")])
def test_a_thing_is_followed_by_its_natural_id(key: str, place: str) -> None:
    talk = Talk(world_of("library", library(key, place)))
    one: dict[str, Any] = {place: "north", key: "X-1"}
    made = talk("add_book", **one, title="Tides", copies=2)
    assert value_of(made.observation).items() >= {**one, "title": "Tides", "copies": 2}.items()
    again = talk("add_book", **one, title="Other", copies=9)
    assert again.observation.is_error
    assert "already exists" in again.observation.text
    assert talk.value("get_book", **one)["title"] == "Tides"
    assert talk.value("adjust_copies", **one, delta=-1)["copies"] == 1
    assert talk.value("update_book", **one, title="Ebb")["copies"] == 1
    books = talk.value("list_books", **{place: "north"})
    assert [book["title"] for book in books if book[key] == "X-1"] == ["Ebb"]
    assert talk.value("count_books", **{place: "north"})["count"] == len(books)
    assert not talk("remove_book", **one).observation.is_error
    for name, more in (("remove_book", {}), ("get_book", {}), ("adjust_copies", {"delta": 1}), ("update_book", {"title": "Ebb again"})):
        refused = talk(name, **one, **more)
        assert refused.observation.is_error, name
        assert refused.source == "computed"
    assert "X-1" not in [book[key] for book in talk.value("list_books", **{place: "north"})]


def test_what_is_in_one_place_is_not_in_another() -> None:
    talk = Talk(world_of("library", library("isbn", "office")))
    talk("add_book", office="north", isbn="X-1", title="Tides", copies=2)
    assert "X-1" not in [book["isbn"] for book in talk.value("list_books", office="south")]
    assert talk("get_book", office="south", isbn="X-1").observation.is_error  # its list was seen whole
