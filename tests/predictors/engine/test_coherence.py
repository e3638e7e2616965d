"""What is imagined of one thing agrees with itself."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.predictors.engine.lists import NUMBER, TEXT, tool, world_of
from tests.predictors.engine.test_sources import Talk

TIME = {"type": "string", "format": "date-time"}
ADDRESS = {"type": "string", "format": "uri"}


def shape(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def listed(resource: str, thing: dict[str, Any], seed_name: str) -> list[dict[str, Any]]:
    many = {"type": "object", "properties": {f"{resource}s": {"type": "array", "items": thing}}, "required": [f"{resource}s"]}
    tools = [tool(f"list_{resource}s", many), tool(f"get_{resource}", thing, id=TEXT)]
    found: list[dict[str, Any]] = Talk(world_of(seed_name, tools)).value(f"list_{resource}s")[f"{resource}s"]
    assert found
    return found


@pytest.mark.parametrize("name", ["one", "two", "three"])
@pytest.mark.parametrize(("begins", "ends"), [("start", "end"), ("start_time", "end_time"), ("startsAt", "endsAt")])
def test_nothing_ends_before_it_begins_or_lasts_a_year(name: str, begins: str, ends: str) -> None:
    for thing in listed("meeting", shape(id=TEXT, title=TEXT, **{begins: TIME, ends: TIME}), name):
        lasts = datetime.fromisoformat(thing[ends]) - datetime.fromisoformat(thing[begins])
        assert timedelta(0) < lasts <= timedelta(days=3)


@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_addresses_say_the_name(name: str) -> None:
    owner = shape(login=TEXT, html_url=ADDRESS)
    for thing in listed("repo", shape(id=NUMBER, name=TEXT, full_name=TEXT, html_url=ADDRESS, owner=owner), name):
        assert thing["full_name"] == f"{thing['owner']['login']}/{thing['name']}"
        assert urlsplit(thing["html_url"]).path == f"/{thing['full_name'].replace(' ', '-')}"
        assert urlsplit(thing["owner"]["html_url"]).path == f"/{thing['owner']['login']}"
    for thing in listed("member", shape(id=NUMBER, login=TEXT, html_url=ADDRESS), name):
        assert urlsplit(thing["html_url"]).path == f"/{thing['login'].replace(' ', '-')}"
