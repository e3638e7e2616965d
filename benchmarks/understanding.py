"""How many of each server's tools the engine can follow, and how often it is right about them.

Run: python benchmarks/understanding.py FOLDER

FOLDER holds one JSON file for each server, a `tools/list` result (or anything with such a list at `tools`). The servers of
`tests/predictors/engine/judged_tools.toml`, whose tools a careful reader judged by hand, also get precision (of what the engine says it
understands, the share that it has right: kind, thing, id and parents) and recall (of what can be understood, the share that it has right).
"""

import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcp_sim.core.world import World
from mcp_sim.predictors.engine.tools.reading import read_tools
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.tool_specs.mending import mend_all

JUDGED = Path(__file__).parent.parent / "tests" / "predictors" / "engine" / "judged_tools.toml"


def judgements() -> dict[str, dict[str, str]]:
    """What was judged by hand: by server, then by tool (or `tool:mode`); the empty string where nothing can be followed."""
    judged = {}
    for server, tools in tomllib.loads(JUDGED.read_text()).items():
        others = dict.fromkeys(tools.get("other", "").split(), "")
        judged[server] = others | {name: said for name, said in tools.items() if name != "other"}
    return judged


def spoken(tool: ToolUnderstanding) -> dict[str, str]:
    """What the engine understood of a tool, in the words of the judgements: by the tool's name, or by `tool:mode`."""
    if tool.modes:
        return {f"{tool.tool}:{mode}": said for mode, meaning in tool.modes.items() for said in spoken(meaning).values()}
    if tool.rest:
        return {tool.tool: f"rest {tool.rest}"}
    if tool.kind == "other":
        return {tool.tool: f"statement {tool.resource}" if tool.statement else ""}
    several = next((f"{name}[]" for name in (tool.items, tool.ids) if name), "")
    places = f"in {' '.join(tool.parents)}" if tool.parents else ""
    return {
        tool.tool: " ".join(part for part in (tool.kind, "+".join(tool.shows) or tool.resource, several or tool.id or "", places) if part)
    }


@dataclass
class Score:
    """How the engine's understanding compares with what was judged by hand."""

    claimed: int = 0
    judged: int = 0
    right: int = 0
    wrong: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()

    @classmethod
    def of(cls, read: Mapping[str, ToolUnderstanding], judged: Mapping[str, str]) -> "Score":
        """Compare what was understood of a server's tools."""
        said = {name: text for tool in read.values() for name, text in spoken(tool).items()}
        wrong = tuple(
            f"{name}: {text}, not {judged.get(name, '') or 'other'}" for name, text in said.items() if text and text != judged.get(name, "")
        )
        missed = tuple(f"{name}: {text}" for name, text in judged.items() if text and not said.get(name))
        claimed = sum(bool(text) for text in said.values())
        return cls(claimed, sum(map(bool, judged.values())), claimed - len(wrong), wrong, missed)

    def __add__(self, other: "Score") -> "Score":
        """Take two servers together."""
        return Score(
            self.claimed + other.claimed,
            self.judged + other.judged,
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
        )

    def __str__(self) -> str:
        """The precision and the recall."""
        precision = f"{self.right / self.claimed:.0%}" if self.claimed else "-"
        return f"{precision:>9} {f'{self.right / self.judged:.0%}' if self.judged else '-':>6}"


def main(folder: Path) -> None:
    """Print a line for each server."""
    print(f"{'server':48} {'tools':>5} {'followed':>8} {'share':>6} {'precision':>9} {'recall':>6} {'ms':>6}  what they do")
    every = followed = 0
    whole = Score()
    judged = judgements()
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
                    else {tool.rest.upper() or ("statement" if tool.statement else tool.kind)}
                )
        count = sum(tool.understood for tool in understanding.values())
        every, followed = every + len(tools), followed + count
        score = Score.of(understanding, judged[path.stem]) if path.stem in judged else Score()
        whole += score
        words = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
        print(f"{path.stem:48} {len(tools):5} {count:8} {count / max(len(tools), 1):6.0%} {score} {spent:6.1f}  {words}")
    print(f"{'all':48} {every:5} {followed:8} {followed / max(every, 1):6.0%} {whole}")
    if whole.judged:
        print(f"\n{whole.right} right of {whole.claimed} that are followed and {whole.judged} that can be (modes counted singly)")
    for title, lines in (("wrong", whole.wrong), ("not followed", whole.missed)):
        for line in lines:
            print(f"{title}: {line}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
