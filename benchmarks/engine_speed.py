"""What a call of the engine costs in a world of 50 things and of 50,000.

Run: python benchmarks/engine_speed.py

Each figure is the processor's time of a call, the median of many, each committed to its session as the simulator does. A change is made
before each read of the second part, so that nothing is answered from an index that is up to date already. What is asked for the first time,
when indexes are built, is told apart.
"""

import gc
import statistics
import time
from random import Random
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.tool_specs.mending import mend_all

Call = tuple[str, dict[str, Any]]

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
STATUS = {"type": "string", "enum": ["open", "closed", "all"]}
TIMES = 40
TASK_TOOLS: dict[str, dict[str, Any]] = {
    "create_task": {"title": TEXT, "assignee": TEXT},
    "get_task": {"task_id": NUMBER},
    "list_tasks": {
        "status": STATUS,
        "assignee": TEXT,
        "updated_after": TEXT,
        "sort": TEXT,
        "direction": TEXT,
        "limit": NUMBER,
        "offset": NUMBER,
    },
    "search_tasks": {"query": TEXT, "limit": NUMBER, "offset": NUMBER},
    "update_task": {"task_id": NUMBER, "title": TEXT},
    "delete_task": {"task_id": NUMBER},
}
FORGE_TOOLS: dict[str, dict[str, Any]] = {
    "create_repository": {"name": TEXT},
    "get_repository": {"repo": TEXT},
    "delete_repository": {"repo": TEXT},
    "create_issue": {"repo": TEXT, "title": TEXT},
    "get_issue": {"repo": TEXT, "issue_number": NUMBER},
    "update_issue": {"repo": TEXT, "issue_number": NUMBER, "title": TEXT},
    "list_issues": {"repo": TEXT, "page": NUMBER, "per_page": NUMBER},
    "search_issues": {"q": TEXT, "page": NUMBER, "per_page": NUMBER},
}


def build_world(tools: dict[str, dict[str, Any]], collections: dict[str, list[dict[str, Any]]]) -> World:
    """Return a world that holds some things."""
    raw = [
        {"name": name, "inputSchema": {"type": "object", "properties": properties, "required": list(properties)[:1]}}
        for name, properties in tools.items()
    ]
    return World(name="speed", key="speed", source="speed", tools=mend_all(raw)[0], first_state=freeze({"collections": collections}))


def words(random: Random) -> str:
    """Return words as titles have them: one of a few, and one that hardly another has."""
    return f"{random.choice(('fix', 'improve', 'drop'))} {random.getrandbits(40):x}"


def build_tasks(size: int) -> World:
    """Return a world of so many tasks, half of them open, ten for each person, the last nine changed this year."""
    random = Random(0)
    tasks = [
        {
            "id": n + 1,
            "title": words(random),
            "status": "open" if n % 2 else "closed",
            "assignee": f"person{n // 10}",
            "updated_at": f"202{5 if n < size - 9 else 6}-01-0{n % 9 + 1}T00:00:00Z",
        }
        for n in range(size)
    ]
    return build_world(TASK_TOOLS, {"tasks": tasks})


def build_forge(size: int) -> World:
    """Return a world of so many repositories with an issue in each."""
    random = Random(0)
    issues = [{"repo": f"repo{n}", "number": 1, "title": words(random), "state": "open"} for n in range(size)]
    return build_world(FORGE_TOOLS, {"repositories": [{"name": f"repo{n}"} for n in range(size)], "issues": issues})


def title_of(n: int) -> str:
    """Return the rare word of the title of the n-th thing."""
    random = Random(0)
    return [words(random) for _ in range(n + 1)][-1].split()[1]


def task_calls(size: int) -> dict[str, list[Call]]:
    """Return the calls to measure in a world of tasks, by what they are called in the table."""
    made = [size + 1 + n for n in range(TIMES)]
    return {
        "create": [("create_task", {"title": f"new {n}"}) for n in range(TIMES)],
        "get": [("get_task", {"task_id": n + 1}) for n in range(TIMES)],
        "one page, from the middle": [("list_tasks", {"status": "all", "limit": 20, "offset": size // 2 + n}) for n in range(TIMES)],
        "update": [("update_task", {"task_id": task, "title": "changed"}) for task in made],
        "delete": [("delete_task", {"task_id": task}) for task in made],
    }


def task_reads(size: int) -> dict[str, list[Call]]:
    """Return the reads to measure in a world of tasks that changes between them."""
    half = size // 4
    same, new = {"query": title_of(7)}, [{"query": title_of(n)} for n in range(TIMES)]
    return {
        "filtered page, half of all": [("list_tasks", {"status": "open", "limit": 5, "offset": half + n % 8}) for n in range(TIMES)],
        "filtered page, rare": [("list_tasks", {"assignee": f"person{n % 4 + 1}", "status": "all", "limit": 5}) for n in range(TIMES)],
        "filtered page, two filters": [("list_tasks", {"assignee": f"person{n % 4 + 1}", "limit": 5}) for n in range(TIMES)],
        "filtered page, limits": [("list_tasks", {"updated_after": f"2026-01-01T00:00:{n:02}Z", "limit": 5}) for n in range(TIMES)],
        "sorted page": [("list_tasks", {"status": "all", "sort": "title", "limit": 5, "offset": n % 8}) for n in range(TIMES)],
        "search, a new rare word each time": [("search_tasks", {**asked, "limit": 5}) for asked in new],
        "search, the same rare word": [("search_tasks", {**same, "limit": 5 + n}) for n in range(TIMES)],
        "search, the same common word": [("search_tasks", {"query": "improve", "limit": 5, "offset": n % 8}) for n in range(TIMES)],
    }


def forge_reads() -> dict[str, list[Call]]:
    """Return the reads to measure in a world of many repositories that changes between them."""
    return {
        "get, one of many parents": [("get_issue", {"repo": f"repo{n}", "issue_number": 1}) for n in range(TIMES)],
        "page, one of many parents": [("list_issues", {"repo": f"repo{n}", "per_page": 5}) for n in range(TIMES)],
        "search all parents, rare word": [("search_issues", {"q": title_of(n), "per_page": 5}) for n in range(TIMES)],
        "search all parents, common word": [("search_issues", {"q": "improve", "per_page": 5, "page": n % 3 + 1}) for n in range(TIMES)],
    }


class Talk:
    """A session in which calls are made and timed."""

    def __init__(self, world: World) -> None:
        self.engine = Engine(world)
        self.session = Session.begin(world, "speed")

    def call(self, name: str, arguments: dict[str, Any]) -> float:
        """Make a call and return the microseconds that it took."""
        started = time.process_time()
        transition = self.engine.answer(self.session, Action.call(name, arguments))
        assert transition is not None
        self.session = self.session.append(transition)
        return (time.process_time() - started) * 1e6


def measure(size: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the median microseconds of each kind of call, and those of the first call of its kind."""
    medians, first = {}, {}
    tasks = Talk(build_tasks(size))
    gc.collect()
    for label, calls in task_calls(size).items():
        medians[label] = statistics.median([tasks.call(*call) for call in calls])
    for talk, reads, change in (
        (tasks, task_reads(size), ("update_task", {"task_id": 3})),
        (Talk(build_forge(size)), forge_reads(), ("update_issue", {"repo": "repo3", "issue_number": 1})),
    ):
        for label, calls in reads.items():
            spent = []
            for number, call in enumerate(calls):
                talk.call(change[0], {**change[1], "title": f"drop {label} {number}"})
                spent.append(talk.call(*call))
            medians[label] = statistics.median(spent)
            first[label] = spent[0]
    return medians, first


def main() -> None:
    """Print the tables."""
    measure(50)  # warm
    (small, first_small), (large, first_large) = measure(50), measure(50_000)
    print(f"{'call':36} {'50 things':>12} {'50,000':>13} {'ratio':>7}")
    for label in small:
        print(f"{label:36} {small[label]:9.0f} µs {large[label]:10.0f} µs {large[label] / small[label]:7.2f}")
    print(f"\n{'first call, which builds an index':36} {'50 things':>12} {'50,000':>13}")
    for label in first_small:
        print(f"{label:36} {first_small[label] / 1000:9.1f} ms {first_large[label] / 1000:10.1f} ms")


if __name__ == "__main__":
    main()
