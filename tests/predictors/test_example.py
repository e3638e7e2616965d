"""Answers without a model."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Demonstration, Transition
from mcp_sim.core.world import World
from mcp_sim.errors import PredictionError, UnsatisfiableSchemaError
from mcp_sim.predictors.example import ExamplePredictor, check_output_schemas
from tests.worlds import make_tool, make_world

ISSUE = {
    "type": "object",
    "required": ["number", "title", "state", "created_at"],
    "properties": {
        "number": {"type": "integer", "minimum": 1},
        "title": {"type": "string"},
        "state": {"enum": ["open", "closed"]},
        "created_at": {"type": "string", "format": "date-time"},
    },
}


async def answer(world: World, name: str, arguments: dict[str, Any] | None = None, seed: int = 0) -> Transition:
    session = Session.begin(world, "test", seed)
    return await ExamplePredictor(world).predict(session, Action.call(name, arguments), Context())


async def test_structured_content_is_an_instance_and_mirrored_as_text() -> None:
    world = make_world(make_tool("get_issue", output_schema=ISSUE))
    transition = await answer(world, "get_issue", {"issue_number": 42})
    made = transition.observation.structured_content
    Draft202012Validator(ISSUE).validate(made)
    assert made["number"] == 42
    assert json.loads(transition.observation.text) == made
    assert transition.source == "imagined"
    assert not transition.changes


async def test_seed_and_call_decide_and_nothing_else() -> None:
    world = make_world(make_tool("get_issue", output_schema=ISSUE), make_tool("list_teams"))
    predictor = ExamplePredictor(world)
    session = Session.begin(world, "one", 7)
    first = await predictor.predict(session, Action.call("get_issue", {"q": 1}), Context())
    await predictor.predict(session, Action.call("list_teams"), Context())
    again = await predictor.predict(session, Action.call("get_issue", {"q": 1}), Context())
    assert again == first
    assert await answer(world, "get_issue", {"q": 1}, seed=7) == first
    assert (await answer(world, "get_issue", {"q": 1}, seed=8)).observation != first.observation


async def test_times_are_the_worlds() -> None:
    world = make_world(make_tool("get_issue", output_schema=ISSUE))
    for seed in range(10):
        made = (await answer(world, "get_issue", seed=seed)).observation.structured_content
        assert "2024" < made["created_at"] < "2026-01-02"


def shown(name: str, arguments: dict[str, Any], text: str, *, is_error: bool = False) -> Demonstration:
    return Demonstration(action=Action.call(name, arguments), observation=Observation.of_text(text, is_error=is_error))


async def test_a_demonstration_in_plain_text_gives_its_wording() -> None:
    world = make_world(
        make_tool("write_note"),
        demonstrations=(
            shown("write_note", {"path": "/none/x.md"}, "Error: no such folder", is_error=True),
            shown("write_note", {"path": "/notes/a.md", "size": 120}, "Wrote 120 bytes to /notes/a.md (a.mdx untouched)."),
        ),
    )
    said = (await answer(world, "write_note", {"path": "/notes/b.md", "size": 64})).observation
    assert said.text == "Wrote 64 bytes to /notes/b.md (a.mdx untouched)."
    assert not said.is_error


async def test_the_very_call_of_a_demonstration_is_answered_by_it() -> None:
    failing = shown("write_note", {"path": "/none/x.md"}, "Error: no such folder", is_error=True)
    world = make_world(make_tool("write_note"), demonstrations=(failing,))
    assert (await answer(world, "write_note", {"path": "/none/x.md"})).observation == failing.observation
    assert not (await answer(world, "write_note", {"path": "/notes/y.md"})).observation.is_error


async def test_a_demonstration_in_json_gives_keys_and_types() -> None:
    value = {"owner": "ilse", "id": 4711, "email": "i@example.org", "state": "open", "tags": [{"name": "x", "uses": 2.5}], "none": None}
    text = json.dumps(value, indent=2)
    world = make_world(make_tool("get_repo"), demonstrations=(shown("get_repo", {"owner": "ilse"}, text),))
    said = (await answer(world, "get_repo", {"owner": "amara"})).observation.text
    old, new = json.loads(text), json.loads(said)
    assert list(new) == list(old)
    assert [type(value) for value in new.values()] == [type(value) for value in old.values()]
    assert list(new["tags"][0]) == ["name", "uses"]
    assert new["owner"] == "amara"
    assert new["state"] == "open"
    assert new["id"] != 4711
    assert said.startswith('{\n  "owner"')


async def test_binary_blocks_of_a_demonstration_are_kept() -> None:
    image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    observation = Observation(content=[image, {"type": "text", "text": "of page-1"}])
    world = make_world(
        make_tool("screenshot"),
        demonstrations=(Demonstration(action=Action.call("screenshot", {"of": "page-1"}), observation=observation),),
    )
    said = (await answer(world, "screenshot", {"of": "page-2"})).observation
    assert said.content == [image, {"type": "text", "text": "of page-2"}]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("create_issue", {"title": "Tides are late"}, ("Created issue 'Tides are late'",)),
        ("slack_post_message", {"channel": "C1", "text": "Hello"}, ("Posted message 'Hello'",)),
        ("copy_file", {"path": "/a"}, ("Copied file '/a'",)),
        ("puppeteer_navigate", {"url": "https://example.com"}, ("navigate", "https://example.com")),
        ("do_it", {}, ("it",)),
    ],
)
async def test_a_plain_result_names_what_was_done(name: str, arguments: dict[str, Any], words: tuple[str, ...]) -> None:
    text = (await answer(make_world(make_tool(name)), name, arguments)).observation.text
    assert all(word in text for word in words)
    assert len(text) < 200


async def test_a_plain_list_is_json_of_as_many_as_asked_for() -> None:
    text = (await answer(make_world(make_tool("list_widgets")), "list_widgets", {"limit": 2})).observation.text
    assert len(json.loads(text)) == 2
    assert all(team["created_at"] < team["updated_at"] for team in json.loads(text))


async def test_schemas_that_cannot_be_met_are_told_beforehand_and_refused_when_called() -> None:
    impossible = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": [1]}}}
    world = make_world(make_tool("good", output_schema=ISSUE), make_tool("bad", output_schema=impossible), make_tool("plain"))
    [(name, reason)] = check_output_schemas(world)
    assert name == "bad"
    assert "/a" in reason
    with pytest.raises(UnsatisfiableSchemaError, match="The output schema of 'bad'.*at /a"):
        await answer(world, "bad")


def test_checking_is_bounded_as_a_whole() -> None:
    def hostile(number: int) -> dict[str, Any]:
        choices = [{"anyOf": [{"minLength": n}, {"minLength": n + 1}]} for n in range(3, 40)]
        return {"type": "string", "maxLength": 2, "title": str(number), "allOf": choices}

    world = make_world(*(make_tool(f"tool_{number}", output_schema=hostile(number)) for number in range(60)))
    reasons = [reason for _, reason in check_output_schemas(world)]
    assert len(reasons) == 60
    assert "was not checked" in reasons[-1]


async def test_what_is_no_tool_of_the_world_has_no_example() -> None:
    with pytest.raises(PredictionError, match="no tool of this world"):
        await ExamplePredictor(make_world()).predict(
            Session.begin(make_world(), "test"), Action(method="resources/read", params={"uri": "x:"}), Context()
        )


@pytest.mark.skipif("MCP_SIM_CORPUS" not in os.environ, reason="needs a corpus of real tool lists")
async def test_every_tool_of_real_servers_is_answered() -> None:
    for path in sorted(Path(os.environ["MCP_SIM_CORPUS"], "toolslists").glob("*.json")):
        entries = json.loads(path.read_text())["tools"]
        tools = [make_tool(entry["name"], entry["inputSchema"], entry.get("outputSchema")) for entry in entries]
        world = make_world(*tools)
        assert check_output_schemas(world) == []
        for tool in tools:
            observation = (await answer(world, tool.name, {"path": "/x", "query": "tides"})).observation
            assert 0 < len(observation.text) <= 40_000
            assert observation.has_structured_content == (tool.output_schema is not None)
