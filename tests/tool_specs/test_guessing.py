"""What is guessed of a server: held against the behaviours that there are, and against recorded lists where those are present."""

import json
import os
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.world import World
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.guessing import BEHAVIOURS, guess_settings
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.settings_file import settings_of, settings_text
from mcp_sim.tool_specs.world_folder import load_world
from tests.worlds import make_tool

CORPUS = os.environ.get("MCP_SIM_CORPUS")


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_known_tool_sets_are_those_of_the_behaviours(name: str) -> None:
    [entry] = entry_points(group="mcp_sim.behaviours", name=name)
    assert BEHAVIOURS[name][0] == set(entry.load()({}).mutates)


@pytest.mark.parametrize("name", ["filesystem", "memory"])
def test_bundled_worlds_of_known_servers_are_known(name: str) -> None:
    assert name in bundled_worlds()
    assert guess_settings(load_world(name).tools)["behaviours"] == {name: {}}


def test_a_server_with_one_tool_more_is_another() -> None:
    tools = load_world("memory").tools
    assert "behaviours" not in guess_settings((*tools, make_tool("more")))
    assert "behaviours" not in guess_settings(tools[1:])


def test_names_tell_what_changes_state_and_what_differs_each_time() -> None:
    tools = tuple(make_tool(name) for name in ("delete_it", "get_it", "roll_dice", "get_current_time", "wait_for", "odd[1]*"))
    settings = settings_of(guess_settings(tools), "guess")
    world = World(name="w", key="w", tools=tools, settings=settings)
    assert [tool.name for tool in tools if world.is_volatile(Action.call(tool.name))] == ["roll_dice", "get_current_time", "wait_for"]
    assert [tool.name for tool in tools if world.mutates(Action.call(tool.name))] == ["delete_it", "roll_dice", "odd[1]*"]
    assert settings_text(guess_settings(tools))


@pytest.mark.parametrize(
    ("schema", "command", "style"),
    [
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, [], "zod"),
        ({"title": "getArguments"}, [], "pydantic"),
        ({"properties": {"a": {"title": "A", "type": "string"}}}, [], "pydantic"),
        ({}, ["/usr/bin/python3", "-m", "x"], "jsonschema"),
        ({}, ["uvx", "x"], "jsonschema"),
        ({}, ["npx", "-y", "x"], "zod"),
        ({}, [], "zod"),
    ],
)
def test_the_wording_of_errors(schema: dict[str, Any], command: list[str], style: str) -> None:
    assert guess_settings([make_tool("get", {"type": "object", **schema})], "", command)["errors"] == style


@pytest.mark.skipif(not CORPUS, reason="MCP_SIM_CORPUS names no folder of recorded lists")
def test_recorded_lists() -> None:
    guessed: dict[str, tuple[str, str, list[str]]] = {}
    for path in sorted(Path(str(CORPUS), "toolslists").glob("*.json")):
        value = json.loads(path.read_text())
        settings = guess_settings(mend_all(value["tools"])[0])
        guessed[path.stem] = settings["domain"], settings["errors"], list(settings.get("behaviours", {}))
    assert guessed["server-filesystem"] == ("mcp", "zod", ["filesystem"])
    assert guessed["mcp-server-time"] == ("mcp", "pydantic", ["time"])
    assert guessed["mcp-server-sqlite"][2] == ["sqlite"]
    assert guessed["mcp-server-fetch"][1:] == ("pydantic", ["fetch"])
    assert {name for name, (domain, _, _) in guessed.items() if domain == "web"} == {
        "playwright__mcp",
        "modelcontextprotocol__server-puppeteer",
    }
    assert {name for name, (_, errors, _) in guessed.items() if errors == "pydantic"} == {
        "mcp-server-fetch",
        "mcp-server-git",
        "mcp-server-time",
    }


def test_the_behaviour_of_a_recorded_server_is_told_that_its_first_state_is_not_here() -> None:
    tools = load_world("filesystem").tools
    assert guess_settings(tools)["behaviours"] == {"filesystem": {}}
    assert guess_settings(tools, recorded=True)["behaviours"] == {"filesystem": {"recorded": True}}
