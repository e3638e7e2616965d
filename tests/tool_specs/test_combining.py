"""Several worlds as one: who is called what, what is shared, and what stays each world's own."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.offers import Offers
from mcp_sim.core.state import freeze, thaw
from mcp_sim.core.tool_hint import ToolHint
from mcp_sim.core.transition import Demonstration, FrozenAnswer
from mcp_sim.core.world import Settings, World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.combining import LONGEST_NAME, combine, separate
from mcp_sim.tool_specs.world_folder import load_world, write_world
from tests.worlds import make_tool


def world(name: str, *tools: str, **fields: Any) -> World:
    return World(name=name, key=f"key-{name}", source=name, tools=tuple(make_tool(tool) for tool in tools), **fields)


def test_only_names_that_clash_get_a_prefix() -> None:
    both = combine([world("one", "search", "get"), world("two", "search", "put")])
    assert [tool.name for tool in both.tools] == ["one__search", "get", "two__search", "put"]
    assert [tool.definition["name"] for tool in both.tools] == ["one__search", "get", "two__search", "put"]
    assert [notice for notice in both.notices if "search" in notice] == [
        "one: search is served as one__search: another world has one of that name.",
        "two: search is served as two__search: another world has one of that name.",
    ]


def test_what_a_world_says_of_a_tool_goes_with_its_name() -> None:
    action = Action.call("search", {"q": 1})
    answer = Observation.of_text("one")
    first = world(
        "one",
        "search",
        "searching",
        settings=Settings(
            errors="pydantic",
            reading=("searc?",),
            volatile=("search",),
            tools={"search": ToolHint(kind="search")},
            behaviours={"search": {"names": {"search": "web_search"}}},
        ),
        demonstrations=(Demonstration(action=action, observation=answer),),
        frozen=(FrozenAnswer(action=action, observation=answer),),
    )
    both = combine([first, world("two", "search", settings=Settings(errors="jsonschema"))])
    mine, theirs = Action.call("one__search", {"q": 1}), Action.call("two__search")
    part = both.part_of(mine)
    assert part.settings.errors == "pydantic"
    assert both.part_of(theirs).settings.errors == "jsonschema"
    assert not part.mutates(mine)
    assert part.is_volatile(mine)
    assert not part.is_volatile(Action.call("searching"))
    assert part.settings.tools == {"one__search": ToolHint(kind="search")}
    assert part.settings.behaviours == {"search": {"names": {"one__search": "web_search"}}}
    assert part.own_names == {"one__search": "search"}
    assert [shown.action for shown in part.demonstrations] == [mine]
    assert both.pins(mine)
    alone = separate(part)
    assert [tool.definition["name"] for tool in alone.tools] == ["search", "searching"]
    assert alone.demonstrations == first.demonstrations
    assert alone.own_names == {}


def test_first_states_become_one() -> None:
    one = world("one", "a", first_state=freeze({"collections": {"issue": {"1": {"title": "x"}}}, "same": [1, 2.0]}))
    two = world("two", "b", first_state=freeze({"collections": {"user": {"7": {}}}, "filesystem": {}, "same": [1, 2.0]}))
    both = combine([one, two])
    merged = {"collections": {"issue": {"1": {"title": "x"}}, "user": {"7": {}}}, "filesystem": {}, "same": [1, 2.0]}
    assert thaw(both.first_state) == merged
    assert all(thaw(part.first_state) == merged for part in both.parts)
    with pytest.raises(SetupError, match=r"three: its first state has something else than another world's at collections\.issue\.1\.title"):
        combine([one, world("three", "c", first_state=freeze({"collections": {"issue": {"1": {"title": "y"}}}}))])


def test_the_first_clock_that_is_set_holds_for_all(tmp_path: Path) -> None:
    early = Settings.model_validate({"clock": "2026-03-02T09:00:00Z"})
    late = Settings.model_validate({"clock": "2026-04-02T09:00:00Z"})
    both = combine([world("none", "a"), world("early", "b", settings=early), world("late", "c", settings=late)])
    assert both.settings.clock == early.clock
    assert [notice for notice in both.notices if "time" in notice] == ["late: its time is that of early here."]


def test_prompts_and_resources() -> None:
    one = Offers(resources=({"uri": "a://1", "name": "of one"},), prompts=({"name": "ask"}, {"name": "only"}), capabilities={"prompts": {}})
    two = Offers(resources=({"uri": "a://1", "name": "of two"}, {"uri": "b://1", "name": "b"}), prompts=({"name": "ask"},))
    both = combine([world("one", "a", offers=one), world("two", "b", offers=two)])
    assert [entry["name"] for entry in both.offers.resources] == ["of one", "b"]
    assert [entry["name"] for entry in both.offers.prompts] == ["one__ask", "only", "two__ask"]
    ask = Action(method="prompts/get", params={"name": "two__ask", "arguments": {}})
    assert both.part_of(ask).name == "two"
    assert both.part_of(Action(method="resources/read", params={"uri": "b://1"})).name == "two"


def test_worlds_of_one_name_and_the_same_world_twice() -> None:
    twins = combine([world("one", "a"), World(name="one", key="other", tools=(make_tool("a"),))])
    assert [tool.name for tool in twins.tools] == ["one__a", "one-2__a"]
    with pytest.raises(SetupError, match="'one' is given 2 times"):
        combine([world("one", "a"), world("one", "a")])


@given(st.lists(st.text(min_size=1, max_size=90), min_size=2, max_size=4, unique=True), st.text(min_size=1, max_size=128))
def test_prefixed_names_differ_and_are_short(names: list[str], tool: str) -> None:
    both = combine([world(name, tool) for name in names])
    served = [tool.name for tool in both.tools]
    assert len(set(served)) == len(names)
    assert all(len(name) <= LONGEST_NAME for name in served)
    assert all(re.match(r"[A-Za-z0-9_-]+__", name) for name in served)


def write(folder: Path, tool: str, settings: dict[str, Any], background: str = "") -> Path:
    listing = {"tools": [{"name": tool, "inputSchema": {"type": "object"}}]}
    write_world(folder, listing=listing, settings=settings, background=background)
    return folder


def test_a_shared_background_is_known_to_all(tmp_path: Path) -> None:
    (tmp_path / "company.md").write_text("Ada runs Brine Ltd.\n")
    one = write(tmp_path / "one", "a", {"shared": ["company.md"]}, "One has issues.")
    two = write(tmp_path / "two", "b", {"title": "two"}, "Two has files.")
    assert load_world(one).background == "Ada runs Brine Ltd.\n\nOne has issues."
    both = load_world(f"{one}+{two}")
    assert [part.background for part in both.parts] == [
        "Ada runs Brine Ltd.\n\nOne has issues.",
        "Ada runs Brine Ltd.\n\nTwo has files.",
    ]
    assert load_world(both.source).key == both.key


@pytest.mark.parametrize("name", ["../company.md", "/etc/passwd", "no-such.md", ""])
def test_what_is_shared_lies_in_or_beside_the_world(name: str, tmp_path: Path) -> None:
    (tmp_path / "company.md").write_text("x")
    folder = write(tmp_path / "worlds" / "one", "a", {"shared": [name]})
    with pytest.raises(SetupError, match=r"world\.toml: shared: "):
        load_world(folder)
