"""Value objects: what was worked out from the fields of one is not carried to a copy with others."""

from mcp_sim.core.action import Action
from mcp_sim.core.world import Settings
from tests.worlds import make_tool, make_world


def test_a_copy_with_other_fields_works_out_its_own() -> None:
    before = make_world(make_tool("set_it"))
    call = Action.call("set_it")
    assert (list(before.tools_by_name), before.mutates(call), len(call.key)) == (["set_it"], True, 32)
    after = before.model_copy(update={"tools": (make_tool("move_it"),), "settings": Settings(reading=("set_*",))})
    assert (list(after.tools_by_name), after.mutates(call)) == (["move_it"], False)
    assert call.model_copy(update={"params": {"name": "x", "arguments": {}}}).key == Action.call("x").key


def test_a_plain_copy_keeps_what_was_worked_out() -> None:
    before = make_world()
    tools = before.tools_by_name
    assert before.model_copy().tools_by_name is tools
