"""What replaying a frozen session costs: 20 agent runs, replayed 50 times each, beside a server that always says the same.

    python benchmarks/replaying.py [--quick]

Both are spoken to over a pipe by the same thin client, turn by turn, in slices that alternate, so that a busy machine slows both alike. The
other server is the SDK's low-level server with one constant answer, as long as the frozen ones are on average.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from clients import StdioClient, write_request

import mcp_sim
from mcp_sim.tool_specs.frozen_file import pin
from mcp_sim.tool_specs.world_folder import load_world

HERE = Path(__file__).resolve().parent
MCP_SIM = str(Path(sys.executable).with_name("mcp-sim"))
RUNS, CALLS = 20, 8
REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}
POSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("get_me", {}),
    ("search_code", {"q": "sluice"}),
    ("list_commits", REPOSITORY),
    ("get_issue", {**REPOSITORY, "issue_number": 412}),
    ("create_issue", {**REPOSITORY, "title": "Readings stop at midnight"}),
    ("add_issue_comment", {**REPOSITORY, "issue_number": 412, "body": "Seen again."}),
    ("list_issues", REPOSITORY),
]


def agent(number: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of one run."""
    chance = random.Random(number)
    return [chance.choice(POSSIBLE) for _ in range(CALLS)]


async def record(folder: Path) -> int:
    """Freeze the runs into a world folder; return the average length of an answer in characters."""
    world, answers, lengths = load_world("github"), [], []
    for number in range(RUNS):
        async with mcp_sim.open_world(world, refresh=True) as opened:
            for call in agent(number):
                lengths.append(len((await opened.call(*call)).text))
            answers += opened.coverage.pinned
    pin(world, answers, {world.key: folder})
    return round(statistics.mean(lengths))


def replay(client: StdioClient, session: str, number: int) -> float:
    """Replay one run in a session of its own; return how many seconds it took. Every call must be answered."""
    meta = {"mcp-sim/session": session}
    requests = [write_request("tools/call", {"name": name, "arguments": arguments, "_meta": meta}) for name, arguments in agent(number)]
    start = time.perf_counter()
    for request in requests:
        client.ask(request)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5 replays each instead of 50")
    replays = 5 if parser.parse_args().quick else 50
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "recorded"
        length = anyio.run(record, folder)
        constant = Path(home) / "answer.json"
        constant.write_text(json.dumps({"content": [{"type": "text", "text": "x" * length}]}), encoding="utf-8")
        bare_command = [sys.executable, str(HERE / "bare_server.py"), str(folder / "tools.json"), str(constant)]
        with StdioClient([MCP_SIM, "serve", str(folder), "--frozen"]) as ours, StdioClient(bare_command) as bare:
            seconds: dict[str, list[float]] = {"ours": [], "bare": []}
            for number in range(RUNS):
                for client in (ours, bare):
                    replay(client, f"first-{number}", number)
            for repeated in range(replays):
                for number in range(RUNS):
                    for name, client in (("ours", ours), ("bare", bare)):
                        seconds[name].append(replay(client, f"r{repeated}-{number}", number))
    whole = {name: sum(values) for name, values in seconds.items()}
    fastest = {name: sum(min(values[number::RUNS]) for number in range(RUNS)) / RUNS / CALLS * 1_000 for name, values in seconds.items()}
    print(f"{RUNS} runs of {CALLS} calls, replayed {replays} times; an answer has {length} characters on average")
    for name, label in (("ours", "frozen:  "), ("bare", "constant:")):
        print(f"{label} {whole[name]:6.2f} s in all; the fastest replay of each run: {fastest[name]:.2f} ms a call")
    ratios = [one["ours"] / one["bare"] for one in (whole, fastest)]
    print(f"ratio:    {ratios[0]:.2f} in all, {ratios[1]:.2f} of the fastest (at most 1.5)")


if __name__ == "__main__":
    main()
