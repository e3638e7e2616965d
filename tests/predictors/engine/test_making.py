"""What a thing just made shows besides what was sent."""

from typing import Any

import pytest

from tests.predictors.engine.lists import NUMBER, TEXT, TEXTS, one_of, tool, world_of
from tests.predictors.engine.test_sources import Talk


def booking(**more: Any) -> dict[str, Any]:
    properties = {"booking_id": TEXT, "guest": TEXT, **more}
    return {"type": "object", "properties": properties, "required": ["booking_id", "guest"]}


def made(shown: dict[str, Any], required: list[str]) -> Any:
    schema = {**shown, "required": [*shown["required"], *required]}
    tools = [
        tool("create_booking", schema, guest=TEXT, note_=TEXT),
        tool("get_booking", schema, booking_id=TEXT),
        tool("list_bookings"),
    ]
    return Talk(world_of("bookings", tools)).value("create_booking", guest="Ada")


@pytest.mark.parametrize(
    ("states", "first"),
    [
        (("cancelled", "tentative", "confirmed"), "confirmed"),
        (("closed", "open"), "open"),
        (("archived", "deleted", "waiting"), "waiting"),
        (("sold", "available", "pending"), "available"),
    ],
)
@pytest.mark.parametrize("required", [[], ["status"]])
def test_a_new_thing_is_in_its_first_state(states: tuple[str, ...], first: str, required: list[str]) -> None:
    assert made(booking(status=one_of(*states)), required)["status"] == first


def test_nobody_makes_up_what_was_not_sent() -> None:
    shown = booking(note=TEXT, rooms=TEXTS, replies=NUMBER, floor=NUMBER)
    assert set(made(shown, [])) - {"booking_id", "created_at", "updated_at"} <= {"guest", "rooms", "replies"}
    whole = made(shown, ["rooms", "replies"])
    assert (whole["rooms"], whole["replies"]) == ([], 0)


def test_what_must_be_shown_is_shown() -> None:
    assert isinstance(made(booking(floor=NUMBER), ["floor"])["floor"], int)
    assert made(booking(floor={"type": ["integer", "null"]}), ["floor"])["floor"] is None
