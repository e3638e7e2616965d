"""What serving costs: one table of ratios to a bare low-level SDK server, measured side by side in one run.

    python benchmarks/serving.py [--quick]

Every figure is a median of interleaved measurements, so that a busy machine slows both sides alike.
"""

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from clients import HttpClient, StdioClient, fresh_environment, seconds_of, write_request

HERE = Path(__file__).resolve().parent
TOOL_SPECS = HERE.parent / "tool_specs"
MCP_SIM = str(Path(sys.executable).with_name("mcp-sim"))
READ = write_request("tools/call", {"name": "open_nodes", "arguments": {"names": ["Brinewatch"]}})
WRITE = write_request("tools/call", {"name": "delete_entities", "arguments": {"entityNames": ["nobody"]}})
LIST = write_request("tools/list", {})
Row = tuple[str, str, str, str]
REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}
COMPUTED: list[tuple[str, str, dict[str, Any], tuple[str, dict[str, Any]] | None]] = [
    ("filesystem", "write_file", {"path": "/projects/note-{n}.txt", "content": "{n}"}, None),
    (
        "filesystem",
        "read_text_file",
        {"path": "/projects/note-{n}.txt"},
        ("write_file", {"path": "/projects/note-{n}.txt", "content": "{n}"}),
    ),
    ("memory", "search_nodes", {"query": "Ilse"}, ("delete_entities", {"entityNames": ["nobody"]})),
    ("github", "create_issue", {**REPOSITORY, "title": "Reading {n} is late"}, None),
    ("github", "get_issue", {**REPOSITORY, "issue_number": 412}, ("create_issue", {**REPOSITORY, "title": "Reading {n} is late"})),
    ("github", "list_issues", {**REPOSITORY, "per_page": 5}, ("create_issue", {**REPOSITORY, "title": "Reading {n} is late"})),
]
"""World, tool, arguments and the call before it that changes the state, so that nothing is answered from memory."""


class Bench:
    """Runs the measurements; `scale` below 1 is for a quick look."""

    def __init__(self, folder: Path, scale: float) -> None:
        self._folder = folder
        self._scale = scale
        self._sessions = 0
        self._computed: tuple[list[float], list[float]] = ([], [])

    def times(self, number: int) -> int:
        """Return how often something is to be repeated."""
        return max(5, round(number * self._scale))

    def bare(self, tools: Path, answer: Any) -> list[str]:
        """Return the command of a bare server with this list and this answer."""
        file = self._folder / f"answer-{abs(hash(json.dumps(answer)))}.json"
        file.write_text(json.dumps(answer), encoding="utf-8")
        return [sys.executable, str(HERE / "bare_server.py"), str(tools), str(file)]

    def kept(self) -> list[str]:
        """Return the options of a new kept session."""
        self._sessions += 1
        return ["--session", f"bench-{self._sessions}"]

    def start(self) -> Row:
        """Spawn until `tools/list` is answered."""
        bare = self.bare(TOOL_SPECS / "github" / "tools.json", {"content": []})
        ours = [MCP_SIM, "serve", "github"]
        seconds = side_by_side(self.times(21), [lambda: first_list(bare), lambda: first_list(ours)])
        return ratio_row("spawn to tools/list, stdio, github world", *seconds, 1.2)

    def calls(self, way: str, kind: str, line: bytes, kept: bool) -> Row:
        """The same call again and again: a read that is recalled, or a write that is computed each time."""
        options = self.kept() if kept else []
        with ExitStack() as stack:
            ours: StdioClient | HttpClient
            bare: StdioClient | HttpClient
            tools = TOOL_SPECS / "memory" / "tools.json"
            if way == "stdio":
                ours = stack.enter_context(StdioClient([MCP_SIM, "serve", "memory", *options]))
                answer = json.loads(ours.ask(line))["result"]
                bare = stack.enter_context(StdioClient(self.bare(tools, answer)))
            else:
                name = json.loads(line)["params"]["name"]
                ours = stack.enter_context(HttpClient([MCP_SIM, "serve", "memory", "--http", "127.0.0.1:0", *options], name))
                answer = json.loads(ours.ask(line).split(b"data: ")[-1])["result"]
                bare = stack.enter_context(HttpClient([*self.bare(tools, answer), "--http"], name))
            for client in (bare, ours):
                block_seconds(client, line)
            seconds = side_by_side(self.times(40), [lambda: block_seconds(bare, line), lambda: block_seconds(ours, line)])
        where = "kept session" if kept else "in memory"
        return ratio_row(f"tools/call, {way}, {where}, {kind}, p50", *seconds, 1.5 if kept else 1.3)

    def computed(self, world: str, name: str, arguments: dict[str, Any], change: tuple[str, dict[str, Any]] | None) -> Row:
        """Calls that a behaviour or the engine works out anew each time, from a state that grows."""
        with StdioClient([MCP_SIM, "serve", world]) as ours:
            turn = Turn(name, arguments, change)
            answer = json.loads(turn.ask(ours))["result"]
            with StdioClient(self.bare(TOOL_SPECS / world / "tools.json", answer)) as bare:
                for client in (bare, ours):
                    turn.block_seconds(client)
                seconds = side_by_side(self.times(30), [lambda: turn.block_seconds(bare), lambda: turn.block_seconds(ours)])
        for whole, part in zip(self._computed, seconds, strict=True):
            whole.extend(part)
        return ratio_row(f"{name} ({world}), stdio, in memory, worked out, p50", *seconds, 1.4)

    def all_computed(self) -> Row:
        """All calls of `computed` together, as in the work of an agent that makes each of them as often."""
        return ratio_row("all of these together, p50", *self._computed, 1.4)

    def late_turn(self) -> Row:
        """A call at turn 5,000 of a kept session against one at turn 10."""
        command = [MCP_SIM, "serve", "memory"]
        with StdioClient([*command, *self.kept()]) as late:
            for _ in range(5_000):
                late.ask(WRITE)
            early: list[float] = []
            later: list[float] = []
            for _ in range(self.times(20)):
                with StdioClient([*command, *self.kept()]) as young:
                    for _ in range(9):
                        young.ask(WRITE)
                        late.ask(WRITE)
                    for _ in range(20):
                        early.append(seconds_of(young, WRITE))
                        later.append(seconds_of(late, WRITE))
        return ratio_row("tools/call, kept session, turn 5,000 against turn 10, p50", early, later, 1.2)

    def memory(self) -> Row:
        """A session of 5,000 calls with 1 KB answers."""
        command = [sys.executable, str(HERE / "session_memory.py"), "5000"]
        runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
        grown, data = sorted((int(grown), int(data)) for grown, data in runs)[1]
        above = (grown - data) / 1e6
        return (
            "memory of 5,000 calls with 1 KB answers, above the data",
            f"{data / 1e6:.1f} MB",
            f"{grown / 1e6:.1f} MB",
            judge(above, 30, " MB"),
        )

    def long_list(self) -> list[Row]:
        """Spawn until the first page of a long list."""
        files = {number: self._long_list(number) for number in (2_500, 5_000)}
        commands = [[MCP_SIM, "serve", str(file)] for file in files.values()]
        half, whole = side_by_side(self.times(5), [lambda: first_list(commands[0]), lambda: first_list(commands[1])])
        low, high = statistics.median(half), statistics.median(whole)
        return [
            ("a list of 5,000 tools: spawn to first page", "", shown(high), judge(high, 3, " s")),
            ("the same, 5,000 tools against 2,500", shown(low), shown(high), judge(high / low, 2.2, "x")),
        ]

    def _long_list(self, number: int) -> Path:
        tools = json.loads((TOOL_SPECS / "github" / "tools.json").read_text(encoding="utf-8"))["tools"]
        many = [
            {**tools[n % len(tools)], "name": f"{tools[n % len(tools)]['name']}_{n}", "description": f"Tool {n}."} for n in range(number)
        ]
        file = self._folder / f"tools-{number}.json"
        file.write_text(json.dumps({"tools": many}), encoding="utf-8")
        return file


class Turn:
    """A call, each time after another that changes the state, with a number that counts up where it says `{n}`."""

    def __init__(self, name: str, arguments: dict[str, Any], change: tuple[str, dict[str, Any]] | None) -> None:
        self._calls = [(name, arguments)] if change is None else [change, (name, arguments)]
        self._number = 0

    def _lines(self) -> list[bytes]:
        self._number += 1
        calls = json.loads(json.dumps(self._calls).replace("{n}", str(self._number)))
        return [write_request("tools/call", {"name": name, "arguments": arguments}) for name, arguments in calls]

    def ask(self, client: StdioClient) -> bytes:
        """Make the calls; return the answer to the last."""
        return [client.ask(line) for line in self._lines()][-1]

    def block_seconds(self, client: StdioClient) -> float:
        """Return the median of a block of calls, what is before each of them aside."""
        seconds = []
        for _ in range(25):
            *before, line = self._lines()
            for other in before:
                client.ask(other)
            seconds.append(seconds_of(client, line))
        return statistics.median(seconds)


def first_list(command: Sequence[str]) -> float:
    """Return the seconds from the spawn of a server until its list of tools was read."""
    start = time.perf_counter()
    with StdioClient(command) as client:
        client.ask(LIST)
        return time.perf_counter() - start


def block_seconds(client: StdioClient | HttpClient, line: bytes) -> float:
    """Return the median of a block of calls: one at a time would leave what a server does after its answer to the other side."""
    return statistics.median(seconds_of(client, line) for _ in range(25))


def side_by_side(times: int, measures: Sequence[Callable[[], float]]) -> list[list[float]]:
    """Take each measure in turn, so many times."""
    results: list[list[float]] = [[] for _ in measures]
    for _ in range(times):
        for measure, result in zip(measures, results, strict=True):
            result.append(measure())
    return results


def ratio_row(what: str, bare: list[float], ours: list[float], target: float) -> Row:
    """Return a row of two medians and their ratio."""
    low, high = statistics.median(bare), statistics.median(ours)
    return what, shown(low), shown(high), judge(high / low, target, "x")


def shown(seconds: float) -> str:
    """Return a duration as text."""
    return f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def judge(value: float, target: float, unit: str) -> str:
    """Return a figure beside what is to be reached."""
    return f"{value:.2f}{unit} (to reach: {target}{unit}{'' if value <= target else ', MISSED'})"


def main() -> None:
    """Print the table, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--only", default="", help="only rows of this group: start, calls, computed, late, memory, list")
    options = parser.parse_args()
    print("| what | against | mcp-sim | ratio |\n|---|---|---|---|")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode, so it is there for both sides
    compileall.compile_dir(str(HERE.parent / "mcp_sim"), quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        fresh_environment(folder)
        bench = Bench(Path(folder), 0.2 if options.quick else 1)
        groups: dict[str, list[Callable[[], Row | list[Row]]]] = {
            "start": [bench.start],
            "calls": [
                lambda way=way, kind=kind, line=line, kept=kept: bench.calls(way, kind, line, kept)  # type: ignore[misc]
                for way in ("stdio", "http")
                for kept in (False, True)
                for kind, line in (("read", READ), ("write", WRITE))
            ],
            "computed": [*(lambda row=row: bench.computed(*row) for row in COMPUTED), bench.all_computed],  # type: ignore[misc]
            "late": [bench.late_turn],
            "memory": [bench.memory],
            "list": [bench.long_list],
        }
        for name, measures in groups.items():
            for measure in measures if options.only in ("", name) else ():
                rows = measure()
                for row in rows if isinstance(rows, list) else [rows]:
                    print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
