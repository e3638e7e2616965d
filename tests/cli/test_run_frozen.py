"""`mcp-sim run` as a test in CI: frozen, with what was used, what was not and what is missing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.served import MCP_SIM

AGENT = """
import json, os, sys
import anyio
from mcp import Client, MCPError

async def main():
    code = 0
    async with Client(os.environ["MCP_SIM_URL"]) as client:
        for call in sys.argv[1:]:
            name, _, arguments = call.partition(" ")
            try:
                result = await client.call_tool(name, json.loads(arguments))
                print(result.content[0].text)
            except MCPError as error:
                print("refused", error.error.code)
                code = 3
    return code

sys.exit(anyio.run(main))
"""
TOOLS = """
[{"name": "ask_oracle", "description": "Ask.", "inputSchema": {"type": "object", "properties": {"question": {"type": "string"}}},
  "annotations": {"readOnlyHint": true}},
 {"name": "feed_oracle", "description": "Feed.", "inputSchema": {"type": "object", "properties": {"food": {"type": "string"}}}}]
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "oracle"
    folder.mkdir()
    (folder / "tools.json").write_text(TOOLS)
    return folder


def run(world: Path | str, *arguments: str) -> subprocess.CompletedProcess[str]:
    options, calls = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    command = [MCP_SIM, "run", str(world), *options, "--", sys.executable, "-c", AGENT, *calls]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_refreshed_then_frozen_answers_the_same_and_says_what_was_used(world: Path) -> None:
    calls = ['ask_oracle {"question": "rain?"}', 'feed_oracle {"food": "figs"}', 'ask_oracle {"question": "rain?"}']
    refreshed = run(world, "--refresh", "--", *calls)
    assert refreshed.returncode == 0, refreshed.stderr
    assert "3 answers are frozen" in refreshed.stderr
    assert sum(line.startswith("+{") for line in refreshed.stderr.splitlines()) == 3
    assert len((world / "frozen.jsonl").read_text().splitlines()) == 3

    frozen = run(world, "--frozen", "--", *calls)
    assert frozen.returncode == 0, frozen.stderr
    assert frozen.stdout == refreshed.stdout
    assert "3 of 3 frozen answers used" in frozen.stderr

    fewer = run(world, "--frozen", "--", calls[0])
    assert fewer.returncode == 0
    assert "1 of 2 tools called" in fewer.stderr
    assert "1 of 3 frozen answers used" in fewer.stderr
    assert 'never used: feed_oracle {"food":"figs"}' in fewer.stderr


def test_a_miss_is_loud_and_the_exit_code_is_the_agents(world: Path) -> None:
    run(world, "--refresh", "--", 'ask_oracle {"question": "rain?"}')
    missed = run(world, "--frozen", "--", 'ask_oracle {"question": "snow?"}')
    assert missed.returncode == 3
    assert missed.stdout == "refused -32603\n"
    assert "calls that nothing is frozen for: 1" in missed.stderr
    assert "question is 'snow?' (frozen: 'rain?')" in missed.stderr
    assert "--refresh" in missed.stderr


def test_an_agent_that_passes_over_a_miss_fails_all_the_same(world: Path) -> None:
    run(world, "--refresh", "--", 'ask_oracle {"question": "rain?"}')
    careless = [MCP_SIM, "run", str(world), "--frozen", "--", sys.executable, "-c", AGENT.replace("code = 3", "pass")]
    missed = subprocess.run([*careless, 'ask_oracle {"question": "snow?"}'], capture_output=True, text=True, check=False, timeout=60)
    assert (missed.returncode, missed.stdout) == (1, "refused -32603\n")
    assert subprocess.run([*careless, 'ask_oracle {"question": "rain?"}'], capture_output=True, check=False, timeout=60).returncode == 0


def test_of_several_misses_the_way_out_is_told_once_and_each_near_call_once(world: Path) -> None:
    asked = 'ask_oracle {"question": "rain?"}'
    run(world, "--refresh", "--", asked, 'feed_oracle {"food": "figs"}', asked)
    missed = run(world, "--frozen", "--", 'ask_oracle {"question": "snow?"}', 'ask_oracle {"question": "hail?"}')
    assert missed.stderr.count("not answered: Nothing is frozen for ask_oracle") == 2
    assert missed.stderr.count("question is 'snow?' (frozen: 'rain?')") == 1, "frozen in two states, named once"
    assert missed.stderr.count("--refresh -- COMMAND") == 1


def test_where_nothing_is_frozen_that_is_said(world: Path) -> None:
    missed = run(world, "--frozen", "--", 'ask_oracle {"question": "snow?"}')
    assert "No call of ask_oracle is frozen, nor anything else in this world." in missed.stderr


def test_freezing_what_was_computed_makes_nothing(tmp_path: Path) -> None:
    subprocess.run([MCP_SIM, "call", "memory", "read_graph", "--session", "monday"], check=True, capture_output=True, timeout=60)
    command = [MCP_SIM, "freeze", "memory", "--session", "monday", "--into", str(tmp_path / "mine")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert "Nothing was imagined in monday" in done.stdout
    assert "Use them" not in done.stdout
    assert not (tmp_path / "mine").exists()


def test_refresh_asks_only_for_what_is_missing(world: Path) -> None:
    run(world, "--refresh", "--", 'ask_oracle {"question": "rain?"}')
    path = world / "frozen.jsonl"
    path.write_text(path.read_text().replace('"text": "', '"text": "Edited by hand. '))
    again = run(world, "--refresh", "--", 'ask_oracle {"question": "rain?"}', 'ask_oracle {"question": "snow?"}')
    assert again.stdout.startswith("Edited by hand. ")
    assert "2 answers are frozen" in again.stderr
    assert sum("Edited by hand" in line for line in path.read_text().splitlines()) == 1
    assert not any(line.startswith("-{") for line in again.stderr.splitlines())


def test_where_to_freeze_is_asked_before_the_command_runs(tmp_path: Path) -> None:
    refused = run("github", "--refresh", "--", "get_me {}")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "--into tool_specs/mine" in refused.stderr
    made = run("github", "--refresh", "--into", str(tmp_path / "mine"), "--", "get_me {}")
    assert made.returncode == 0, made.stderr
    assert run(tmp_path / "mine", "--frozen", "--", "get_me {}").stdout == made.stdout


def test_options_that_contradict_each_other(world: Path) -> None:
    assert run(world, "--refresh", "--frozen", "--", "get_me {}").returncode == 2
    assert run(world, "--into", "x", "--", "get_me {}").returncode == 2


def test_several_worlds_together_each_keep_their_own_answers(world: Path, tmp_path: Path) -> None:
    other = tmp_path / "temple"
    other.mkdir()
    (other / "tools.json").write_text(TOOLS.replace("feed_oracle", "feed_priest"))
    both = f"{world}+{other}"
    calls = [
        'oracle__ask_oracle {"question": "rain?"}',
        'feed_priest {"food": "figs"}',
        'temple__ask_oracle {"question": "rain?"}',
        'oracle__ask_oracle {"question": "rain?"}',
    ]
    refreshed = run(both, "--refresh", "--", *calls)
    assert refreshed.returncode == 0, refreshed.stderr
    named = {folder: [json.loads(line)["name"] for line in (folder / "frozen.jsonl").read_text().splitlines()] for folder in (world, other)}
    assert named == {world: ["ask_oracle", "ask_oracle"], other: ["ask_oracle", "feed_priest"]}
    frozen = run(f"{other}+{world}", "--frozen", "--", *calls)
    assert frozen.stdout == refreshed.stdout, frozen.stderr
    assert "4 of 4 frozen answers used" in frozen.stderr
    changed = run(both, "--frozen", "--", calls[1].replace("figs", "nuts"), calls[2])
    assert changed.stdout == "refused -32603\nrefused -32603\n", "a changed write in one world, and the read that came after it"


def test_a_session_of_several_worlds_is_frozen_world_by_world(world: Path, tmp_path: Path) -> None:
    both = f"{world}+memory"
    run(both, "--session", "monday", "--", 'ask_oracle {"question": "rain?"}', "read_graph {}")
    refused = subprocess.run([MCP_SIM, "freeze", both, "--session", "monday"], capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 2
    assert "'memory' is no folder of yours" in refused.stderr
    command = [MCP_SIM, "freeze", both, "--session", "monday", "--into", str(tmp_path / "mine")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert len((tmp_path / "mine" / "oracle" / "frozen.jsonl").read_text().splitlines()) == 1
    assert not (tmp_path / "mine" / "memory").exists(), "nothing was imagined there"
    served = done.stdout.rsplit("serve ", 1)[1].split()[0]
    assert "1 of 1 frozen answer" in run(served, "--frozen", "--", 'ask_oracle {"question": "rain?"}', "read_graph {}").stderr
