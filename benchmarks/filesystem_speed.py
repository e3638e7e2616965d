"""What a call of the filesystem behaviour costs on an empty disk and on one of 20,000 files and 50 MB.

Run: python benchmarks/filesystem_speed.py

Each figure is the processor's time of a call, the median of many, committed to its session as the simulator does. Answers are as long on
both disks: each call is about a small folder.
"""

import statistics
import time
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import freeze
from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.tool_specs.world_folder import load_world

FOLDERS, FILES, BYTES, TIMES = 200, 100, 2_500, 300
SMALL = {f"{name}.txt": {"/text": f"{name}\nsecond line\n"} for name in ("one", "two", "three")}
CALLS: dict[str, dict[str, Any]] = {
    "read_text_file": {"path": "/projects/small/one.txt"},
    "get_file_info": {"path": "/projects/small/two.txt"},
    "list_directory": {"path": "/projects/small"},
    "directory_tree": {"path": "/projects/small"},
    "search_files": {"path": "/projects/small", "pattern": "**/t*"},
    "write_file": {"path": "/projects/small/new.txt", "content": "number {n}"},
    "edit_file": {"path": "/projects/small/new.txt", "edits": [{"oldText": "number", "newText": "number"}]},
    "create_directory": {"path": "/projects/small/folder-{n}"},
    "move_file": {"source": "/projects/small/folder-{n}", "destination": "/projects/small/moved-{n}"},
}


def session_with(folders: int) -> Session:
    """Return a session whose disk holds the small folder and so many large ones."""
    large = {f"folder-{n}": {f"file-{k}.txt": {"/text": "x" * (BYTES - 1) + "\n"} for k in range(FILES)} for n in range(folders)}
    state = {"filesystem": {"allowed": ["/projects"], "tree": {"projects": {"small": SMALL, **large}}}}
    world = load_world("filesystem").model_copy(update={"first_state": freeze(state)})
    return Session.begin(world, "speed")


def main() -> None:
    """Measure and print."""
    behaviour = FilesystemBehaviour({})
    sessions = {"empty": session_with(0), "full": session_with(FOLDERS)}
    print(f"{'call':20}{'empty':>12}{f'{FOLDERS * FILES:,} files':>16}{'ratio':>8}")
    for name, arguments in CALLS.items():
        seconds: dict[str, list[float]] = {"empty": [], "full": []}
        for number in range(TIMES):
            filled = {key: value.replace("{n}", str(number)) if isinstance(value, str) else value for key, value in arguments.items()}
            for kind, session in sessions.items():
                start = time.process_time()
                transition = behaviour.answer(session, Action.call(name, filled))
                if transition is None or transition.observation.is_error:
                    raise SystemExit(f"{name}: {transition}")
                sessions[kind] = session.append(transition)
                seconds[kind].append(time.process_time() - start)
        low, high = (statistics.median(seconds[kind]) * 1e6 for kind in ("empty", "full"))
        print(f"{name:20}{low:>9.0f} µs{high:>13.0f} µs{high / low:>8.2f}")


if __name__ == "__main__":
    main()
