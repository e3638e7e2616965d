"""What a call of the engine costs in a world of 50 things and of 50,000.

Run: python benchmarks/engine_speed.py

Each figure is the median of many calls, each committed to its session as the simulator does.
"""

import statistics
import time
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.tool_specs.mending import mend_all

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TOOLS: dict[str, dict[str, Any]] = {
    "create_task": {"title": TEXT},
    "get_task": {"task_id": NUMBER},
    "list_tasks": {"status": {"type": "string", "enum": ["open", "closed", "all"]}, "limit": NUMBER, "offset": NUMBER},
    "search_tasks": {"query": TEXT},
    "update_task": {"task_id": NUMBER, "title": TEXT},
    "delete_task": {"task_id": NUMBER},
}


def build_world(size: int) -> World:
    """Return a world of so many tasks."""
    raw = [{"name": name, "inputSchema": {"type": "object", "properties": properties}} for name, properties in TOOLS.items()]
    tasks = [{"id": n + 1, "title": f"task {n}", "status": "open" if n % 2 else "closed", "assignee": "ida"} for n in range(size)]
    first_state = freeze({"collections": {"tasks": tasks}})
    return World(name="speed", key="speed", source="speed", tools=mend_all(raw)[0], first_state=first_state)


def calls(size: int) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Return the calls to measure, by what they are called in the table."""
    made = [size + 1 + n for n in range(200)]
    return {
        "create": [("create_task", {"title": f"new {n}"}) for n in range(200)],
        "get": [("get_task", {"task_id": n + 1}) for n in range(40)],
        "one page, from the middle": [("list_tasks", {"status": "all", "limit": 20, "offset": size // 2 + n}) for n in range(40)],
        "update": [("update_task", {"task_id": task, "title": "changed"}) for task in made],
        "delete": [("delete_task", {"task_id": task}) for task in made],
        "one page of a filtered list": [("list_tasks", {"status": "open", "limit": 20 + n}) for n in range(5)],
        "search": [("search_tasks", {"query": f"task {n}7"}) for n in range(5)],
    }


def measure(size: int) -> dict[str, float]:
    """Return the median microseconds of each kind of call."""
    engine = Engine(build_world(size))
    session = Session.begin(engine.world, "speed")
    medians = {}
    for label, actions in calls(size).items():
        spent = []
        for name, arguments in actions:
            started = time.perf_counter()
            transition = engine.answer(session, Action.call(name, arguments))
            assert transition is not None
            session = session.append(transition)
            spent.append(time.perf_counter() - started)
        medians[label] = statistics.median(spent) * 1e6
    return medians


def main() -> None:
    """Print the table."""
    measure(50)  # warm
    small, large = measure(50), measure(50_000)
    print(f"{'call':30} {'50 things':>12} {'50,000':>12} {'ratio':>7}")
    for label in small:
        print(f"{label:30} {small[label]:9.0f} µs {large[label]:9.0f} µs {large[label] / small[label]:7.2f}")


if __name__ == "__main__":
    main()
