"""Sessions kept by real processes that are killed, or that share one."""

import json
import signal
import subprocess
import threading
from typing import Any

from mcp_sim.assemble.keeping import sessions_folder
from tests.raw_server import MODERN, RawServer, write_request
from tests.served import MCP_SIM

SERVE = [MCP_SIM, "serve", "memory", "--session", "mine"]


def entity(number: int) -> dict[str, Any]:
    return {"entities": [{"name": f"e{number}", "entityType": "thing", "observations": [f"number {number}"]}]}


def kept_calls() -> list[dict[str, Any]]:
    shown = subprocess.run([MCP_SIM, "sessions", "show", "mine", "--json"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in shown.stdout.splitlines()]


def test_every_answered_call_survives_kill_9() -> None:
    answered: list[tuple[dict[str, Any], Any]] = []
    with RawServer(SERVE, version=MODERN) as server:
        calls = {
            number: {"name": "create_entities", "arguments": entity(number)}
            if number % 2
            else {"name": "open_nodes", "arguments": {"names": [f"e{number - 1}"]}}
            for number in range(2, 202)
        }

        def ask_all() -> None:
            try:
                for number, call in calls.items():
                    server.send(write_request(number, "tools/call", call, MODERN))
            except BrokenPipeError:
                pass

        asking = threading.Thread(target=ask_all)
        asking.start()
        for message in server.messages():
            answered.append((calls[message["id"]], message["result"]))
            if len(answered) == 90:
                server.process.send_signal(signal.SIGKILL)
        asking.join()
    assert 90 <= len(answered) < 200
    kept = kept_calls()
    for call, result in answered:
        there = kept[result["_meta"]["mcp-sim/turn"] - 1]
        assert there["action"]["params"] == call
        assert there["observation"]["content"] == result["content"]
        assert there["observation"]["structured_content"] == result["structuredContent"]
    with RawServer(SERVE, version=MODERN) as server:
        assert server.call("read_graph", {})["_meta"]["mcp-sim/turn"] == len(kept) + 1
        for call, result in answered[-5:]:
            if call["name"] == "open_nodes" and result["structuredContent"]["entities"]:
                again = server.call("open_nodes", call["arguments"])
                assert again["structuredContent"]["entities"] == result["structuredContent"]["entities"]


def test_two_processes_on_one_session_take_turns_and_see_each_other() -> None:
    turns: list[int] = []
    with RawServer(SERVE, version=MODERN) as one, RawServer(SERVE, version=MODERN) as other:

        def write(server: RawServer, numbers: range) -> None:
            for number in numbers:
                turns.append(server.call("create_entities", entity(number))["_meta"]["mcp-sim/turn"])

        threads = [threading.Thread(target=write, args=(one, range(0, 40))), threading.Thread(target=write, args=(other, range(40, 80)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(turns) == list(range(1, 81))
        names = [f"e{number}" for number in range(80)]
        graphs = [server.call("open_nodes", {"names": names})["structuredContent"] for server in (one, other)]
    assert graphs[0] == graphs[1]
    assert {found["name"] for found in graphs[0]["entities"]} == set(names)
    assert len((sessions_folder("memory") / "mine.jsonl").read_text(encoding="utf-8").splitlines()) == 83


def test_a_session_of_a_changed_world_is_refused_with_the_way_out() -> None:
    subprocess.run([MCP_SIM, "call", "memory", "read_graph", "--session", "mine"], capture_output=True, check=True)
    path = sessions_folder("memory") / "mine.jsonl"
    header, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(json.dumps({**json.loads(header), "tools": "other"}) + "\n" + rest, encoding="utf-8")
    run = subprocess.run(SERVE, input="", capture_output=True, text=True, check=False)
    assert run.returncode in (1, 2)
    assert "`mcp-sim sessions fork mine NEW --world memory`" in run.stderr
    assert run.stdout == ""
