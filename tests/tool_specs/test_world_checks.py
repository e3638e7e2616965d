"""Slips of the pen in a world's files: said at load, never accepted in silence."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcp_sim.cli.main import main
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.world_folder import load_world, write_world

ORDER = {"type": "object", "properties": {"order_number": {"type": "string"}, "shop": {"type": "string"}}, "required": ["order_number"]}
TOOLS = {"tools": [{"name": name, "inputSchema": ORDER} for name in ("get_order", "delete_order")]}


def world_at(folder: Path, settings: str = "", state: dict[str, Any] | None = None) -> str:
    write_world(folder / "w", listing=TOOLS, state=state)
    (folder / "w" / "world.toml").write_text(settings)
    return str(folder / "w")


@pytest.mark.parametrize(
    ("hint", "place"),
    [
        ('id = "order_nr"', r"tools\.get_order\.id: \"order_nr\" is no argument of get_order\. Did you mean order_number"),
        ('parents = ["shop", "shpo"]', r"tools\.get_order\.parents: \"shpo\""),
        ('filters = ["x"]', r"tools\.get_order\.filters: \"x\""),
    ],
)
def test_a_hint_names_arguments_that_there_are(tmp_path: Path, hint: str, place: str) -> None:
    with pytest.raises(SetupError, match=rf"world\.toml: {place}"):
        load_world(world_at(tmp_path, f"[tools.get_order]\n{hint}\n"))


def test_a_hint_for_no_tool_is_told_and_right_ones_are_taken(tmp_path: Path) -> None:
    world = load_world(world_at(tmp_path, '[tools.get_ordr]\nid = "x"\n[tools.get_order]\nid = "order_number"\nparents = ["shop"]\n'))
    assert world.notices == ("world.toml: there is no tool 'get_ordr'. Did you mean get_order?",)


def test_a_key_of_the_state_that_is_nearly_one(tmp_path: Path) -> None:
    world = load_world(world_at(tmp_path, state={"colections": {}, "mine": {}, "documents": {}}))
    assert world.notices == ('state.json: nothing here reads "colections". Did you mean collections?',)


@pytest.mark.parametrize(
    ("collections", "said"),
    [
        ([], "collections is a list"),
        ({"orders": {}}, r"collections\.orders is an object"),
        ({"orders": [{}, 3]}, r"collections\.orders\[1\] is a number"),
    ],
)
def test_collections_are_lists_of_objects(tmp_path: Path, collections: Any, said: str) -> None:
    with pytest.raises(SetupError, match=rf"w/state\.json: {said}"):
        load_world(world_at(tmp_path, state={"collections": collections}))


@pytest.mark.parametrize("command", [["tools"], ["tools", "--explain"], ["world", "show"], ["call"]])
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[behaviours.nosuch]\n", "world.toml: there is no behaviour 'nosuch'"),
        ('[frozen]\npatterns = ["(["]\n', "world.toml: frozen.patterns: '(['"),
        ('[frozen]\nignore = ["$.["]\n', "world.toml: frozen.ignore: '$.['"),
        ('[shadow]\nreal_reads = ["delete_*"]\n', "world.toml: shadow.real_reads names delete_order"),
    ],
)
def test_settings_that_cannot_be_served_are_told_by_whoever_looks_at_the_world(
    tmp_path: Path, command: list[str], settings: str, said: str
) -> None:
    rest = ["get_order", '{"order_number": "1"}'] if command == ["call"] else []
    run = CliRunner().invoke(main, [*command, world_at(tmp_path, settings), *rest])
    assert run.exit_code == 2
    assert said in run.output


@pytest.mark.parametrize("name", bundled_worlds())
def test_what_is_bundled_has_no_slips(name: str) -> None:
    assert load_world(name).notices == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("./petstore.yaml", "is YAML, and worlds are folders or JSON. Make a world of it: mcp-sim import ./petstore.yaml"),
        ("petstore.yaml", "mcp-sim import petstore.yaml"),
        ("./nonexist/", "nonexist: there is no such file or folder."),
    ],
)
def test_a_path_that_is_no_world_is_told_what_would_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "petstore.yaml").write_text("openapi: 3.1.0\n")
    with pytest.raises(SetupError) as caught:
        load_world(given)
    assert said in str(caught.value)
