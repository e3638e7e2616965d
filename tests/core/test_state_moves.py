"""Moving a part of the state by its path."""

from mcp_sim.core.state import Change, apply, freeze, lookup, thaw

STATE = freeze({"tree": {"docs": {"a.txt": "one"}, "src": {}}})


def test_a_copy_and_a_removal_move_a_part_without_naming_its_content() -> None:
    patch = [Change(path=["tree", "src", "docs"], origin=["tree", "docs"]), Change(path=["tree", "docs"])]
    moved = apply(STATE, patch)
    assert thaw(moved) == {"tree": {"src": {"docs": {"a.txt": "one"}}}}
    assert lookup(moved, "tree", "src", "docs") is lookup(STATE, "tree", "docs")


def test_a_move_survives_being_written_and_read() -> None:
    change = Change(path=["b"], origin=["tree", "docs"])
    again = Change.model_validate_json(change.model_dump_json(exclude_unset=True))
    assert not again.removes
    assert lookup(apply(STATE, [again]), "b", "a.txt") == "one"


def test_an_origin_where_nothing_stands_changes_nothing() -> None:
    assert apply(STATE, [Change(path=["b"], origin=["tree", "nowhere"])]) == STATE


def test_a_revealing_move_overwrites_nothing() -> None:
    revealed = apply(STATE, [Change(path=["tree", "src"], origin=["tree", "docs"])], reveal=True)
    assert thaw(revealed) == thaw(STATE)
