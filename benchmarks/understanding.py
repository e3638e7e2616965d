"""How many of each server's tools the engine can follow.

Run: python benchmarks/understanding.py FOLDER

FOLDER holds one JSON file for each server, a `tools/list` result (or anything with such a list at `tools`).
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path

from mcp_sim.core.world import World
from mcp_sim.predictors.engine.reading import read_tools
from mcp_sim.tool_specs.mending import mend_all


def main(folder: Path) -> None:
    """Print a line for each server."""
    print(f"{'server':48} {'tools':>5} {'followed':>8} {'share':>6} {'ms':>6}  what they do")
    every = followed = 0
    for path in sorted(folder.glob("*.json")):
        tools, _ = mend_all(json.loads(path.read_text())["tools"])
        world = World(name=path.stem, key=path.stem, source=path.stem, tools=tools)
        started = time.perf_counter()
        understanding = read_tools(world)
        spent = (time.perf_counter() - started) * 1000
        kinds: Counter[str] = Counter()
        for tool in understanding.values():
            if tool.understood:
                kinds.update(
                    {meaning.kind for meaning in tool.modes.values() if meaning.understood}
                    if tool.modes
                    else {tool.rest.upper() or tool.kind}
                )
        count = sum(tool.understood for tool in understanding.values())
        every, followed = every + len(tools), followed + count
        words = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
        print(f"{path.stem:48} {len(tools):5} {count:8} {count / max(len(tools), 1):6.0%} {spent:6.1f}  {words}")
    print(f"{'all':48} {every:5} {followed:8} {followed / max(every, 1):6.0%}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
