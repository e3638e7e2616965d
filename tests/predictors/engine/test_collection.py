"""The order of a collection, however many of its things are gone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.state import EMPTY_STATE
from mcp_sim.predictors.engine.kept import collection as room
from mcp_sim.predictors.engine.kept.collection import Collection, Given
from mcp_sim.predictors.engine.kept.draft import Draft

NUMBERS = st.integers(0, 40)


@given(given=NUMBERS, made=NUMBERS, gone=st.sets(st.integers(0, 80)), back=st.sets(st.integers(0, 80)), offset=NUMBERS, count=NUMBERS)
def test_a_page_is_the_part_of_all_that_it_should_be(
    given: int, made: int, gone: set[int], back: set[int], offset: int, count: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "_BUCKET", 4)
        draft = Draft(EMPTY_STATE)
        base = Given.of([{"id": n} for n in range(given)], "id")

        def now() -> Collection:
            return Collection.at(draft.state, "task", "", "id", base, closed=True)

        for number in range(given, given + made):
            now().create(draft, str(number), {"id": number})
        for number in sorted(gone):
            if number < given + made:
                now().delete(draft, str(number))
        for number in sorted(back & gone):
            if number < given + made:
                now().revive(draft, str(number), {"id": number})
        left = [number for number in range(given + made) if number not in gone - back]
        assert [record["id"] for record in now()] == left
        assert len(now()) == len(left)
        assert [record["id"] for record in now().page(offset, count)] == left[offset : offset + count]
        assert [record["id"] for record in now().page(offset, count, newest_first=True)] == left[::-1][offset : offset + count]


@given(names=st.lists(st.sampled_from("abc"), max_size=8), gone=st.sets(st.integers(0, 7)), asked=st.sampled_from("abcd"))
def test_what_is_called_by_a_name_is_the_first_that_is_still_there(names: list[str], gone: set[int], asked: str) -> None:
    draft = Draft(EMPTY_STATE)
    base = Given.of([{"id": number, "name": name} for number, name in enumerate(names)], "id")
    for number in gone & set(range(len(names))):
        Collection.at(draft.state, "task", "", "id", base).delete(draft, str(number))
    called = [number for number, name in enumerate(names) if name == asked]
    alive = [number for number in called if number not in gone]
    assert Collection.at(draft.state, "task", "", "id", base).key_of(asked) == str((alive or called or [asked])[0])
