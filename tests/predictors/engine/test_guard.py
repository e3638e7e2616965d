"""The guard: every lie is caught, no honest answer is refused."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Transition
from tests.predictors.engine.laws import WORDS
from tests.predictors.engine.lists import INVENTED, world_of
from tests.predictors.engine.models import Chain, Honest, Lying

TASKS = world_of("tasks", INVENTED["tasks"])


def value_of(transition: Transition) -> Any:
    return json.loads(transition.observation.text)


def rewritten(transition: Transition, change: Callable[[Any], Any]) -> Transition:
    value = change(value_of(transition))
    return transition.model_copy(update={"observation": Observation.of_text(json.dumps(value, indent=2))})


async def a_session(model: Any) -> tuple[Chain, int, int]:
    """A session in which one task lives and one was deleted; the ids of both."""
    chain = Chain(TASKS, model)
    kept = value_of(await chain.call("create_task", title="Mend the net", assignee="ida"))["id"]
    gone = value_of(await chain.call("create_task", title="Paint the buoy"))["id"]
    await chain.call("delete_task", task_id=gone)
    return chain, kept, gone


async def test_an_honest_model_is_never_asked_twice() -> None:
    for seed in range(15):
        random = Random(seed)
        model = Honest(TASKS)
        chain = Chain(TASKS, model)
        ids = [value_of(await chain.call("create_task", title=word))["id"] for word in random.sample(WORDS, 3)]
        for _ in range(20):
            task = random.choice(ids)
            name = random.choice(("get_task", "update_task", "delete_task", "list_tasks", "count_tasks", "search_tasks", "close_task"))
            if name in ("list_tasks", "count_tasks"):
                await chain.call(name)
            elif name == "search_tasks":
                await chain.call(name, query=random.choice(WORDS))
            elif name == "update_task":
                await chain.call(name, task_id=task, title=random.choice(WORDS))
            else:
                await chain.call(name, task_id=task)
        assert [correction for correction in model.corrections if correction] == []
        assert [note for transition in chain.session.trajectory for note in transition.notes] == []


async def test_what_the_model_made_is_computed_from_then_on() -> None:
    model = Honest(TASKS)
    chain, kept, gone = await a_session(model)
    await chain.call("get_task", task_id=kept)
    asked = len(model.asked)
    await chain.call("update_task", task_id=kept, title="Mend both nets")
    await chain.call("update_task", task_id=kept, title="Mend all nets")
    found = await chain.call("get_task", task_id=kept)
    assert value_of(found)["title"] == "Mend all nets"
    assert found.source == "computed"
    assert len(model.asked) == asked + 1  # the first update shows how the tool answers
    missing = await chain.call("get_task", task_id=gone)
    assert missing.observation.is_error
    assert missing.source == "computed"


async def test_a_whole_list_closes_the_collection() -> None:
    model = Honest(TASKS)
    chain, kept, _ = await a_session(model)
    await chain.call("delete_task", task_id=kept)
    await chain.call("list_tasks", status="all", limit=500)
    listed = value_of(chain.session.trajectory[-1])["tasks"]
    asked = len(model.asked)
    new = value_of(await chain.call("create_task", title="Sweep the quay", description="All of it", assignee="ida", labels=["quay"]))["id"]
    again = value_of(await chain.call("list_tasks", status="all", limit=500))["tasks"]
    assert [task["id"] for task in again] == [*(task["id"] for task in listed), new]
    assert (await chain.call("get_task", task_id=4711)).observation.is_error
    assert value_of(await chain.call("count_tasks"))["count"] == len(again)
    assert len(model.asked) == asked + 2  # the creation, and how a count is answered
    assert kept not in [task["id"] for task in again]


def other_id(transition: Transition) -> Transition:
    return rewritten(transition, lambda value: {**value, "id": 9999}) if transition.action.name == "get_task" else transition


def other_title(transition: Transition) -> Transition:
    return rewritten(transition, lambda value: {**value, "title": "Something else"}) if transition.action.name == "get_task" else transition


def without_the_new(transition: Transition) -> Transition:
    def cut(value: Any) -> Any:
        tasks = [task for task in value["tasks"] if task["title"] != "Mend the net"]
        return {"total_count": len(tasks), "tasks": tasks}

    return rewritten(transition, cut) if transition.action.name == "list_tasks" else transition


def with_the_deleted(transition: Transition) -> Transition:
    def add(value: Any) -> Any:
        last = max(value["tasks"], key=lambda task: task["id"])
        tasks = [*value["tasks"], {**last, "id": last["id"] + 1, "title": "Paint the buoy"}]
        return {"total_count": len(tasks), "tasks": tasks}

    return rewritten(transition, add) if transition.action.name == "list_tasks" else transition


def forgets(transition: Transition) -> Transition:
    if transition.action.name != "get_task":
        return transition
    return transition.model_copy(update={"observation": Observation.of_text("Task not found", is_error=True)})


def claims_a_change(transition: Transition) -> Transition:
    return transition.model_copy(update={"changes": True}) if transition.action.name == "list_tasks" else transition


def uses_an_id_again(transition: Transition) -> Transition:
    if transition.action.arguments.get("title") != "Sweep the quay":
        return transition
    return rewritten(transition, lambda value: {**value, "id": value["id"] - 2})


LIES: dict[str, tuple[Callable[[Transition], Transition], str, dict[str, Any]]] = {
    "id changed": (other_id, "get_task", {"task_id": "kept"}),
    "sent value changed": (other_title, "get_task", {"task_id": "kept"}),
    "created missing from the default list": (without_the_new, "list_tasks", {"limit": 500}),
    "created missing from a full list": (without_the_new, "list_tasks", {"status": "all", "limit": 500}),
    "deleted listed": (with_the_deleted, "list_tasks", {"status": "all", "limit": 500}),
    "existing not found": (forgets, "get_task", {"task_id": "kept"}),
    "read claims a change": (claims_a_change, "list_tasks", {"status": "all", "limit": 500}),
    "id used again": (uses_an_id_again, "create_task", {"title": "Sweep the quay"}),
}


@pytest.mark.parametrize("lie", list(LIES))
@pytest.mark.parametrize("insists", [False, True])
async def test_every_lie_is_caught_and_put_right(lie: str, insists: bool) -> None:
    make, tool, arguments = LIES[lie]
    truth, kept, _ = await a_session(Honest(TASKS))
    right = await truth.call(tool, **{name: kept if value == "kept" else value for name, value in arguments.items()})
    model = Lying(TASKS, make, insists)
    chain, kept, _ = await a_session(model)
    answer = await chain.call(tool, **{name: kept if value == "kept" else value for name, value in arguments.items()})
    assert [correction for correction in model.corrections if correction], "the model was not asked again"
    assert answer.notes[0].startswith("Asked again: ")
    assert any("Corrected by code" in note for note in answer.notes) is insists
    assert answer.changes is right.changes
    if lie == "id used again" and insists:
        assert value_of(answer)["id"] == value_of(right)["id"]
    elif lie == "existing not found" and insists:
        assert not answer.observation.is_error
        assert value_of(answer)["id"] == kept
    else:
        assert value_of(answer) == value_of(right)


async def test_a_deleted_thing_returned_is_answered_by_code_before_the_model_can_lie() -> None:
    model = Lying(TASKS, lambda transition: transition, insists=True)
    chain, _, gone = await a_session(model)
    assert (await chain.call("get_task", task_id=gone)).source == "computed"


async def test_a_wrong_count_is_put_right() -> None:
    def wrong(transition: Transition) -> Transition:
        return rewritten(transition, lambda value: {"count": 999}) if transition.action.name == "count_tasks" else transition

    model = Lying(TASKS, wrong, insists=True)
    chain, _, _ = await a_session(model)
    listed = value_of(await chain.call("list_tasks", status="all", limit=500))["tasks"]
    answer = await chain.call("count_tasks")
    assert value_of(answer) == {"count": len(listed)}
    assert any("Corrected by code" in note for note in answer.notes)


async def test_a_mode_that_lists_is_no_change() -> None:
    world = world_of("modes", INVENTED["modes"])
    model = Honest(world)
    chain = Chain(world, model)
    await chain.call("manage_tag", action="create", tag_name="amber")
    listed = await chain.call("manage_tag", action="list")
    assert not listed.changes
    assert [correction for correction in model.corrections if correction] == []
