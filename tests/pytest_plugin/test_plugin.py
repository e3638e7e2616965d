"""The plugin as a project meets it: pytest itself, in a folder with its own worlds and tests."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_sim.assemble import offline
from tests.served import MCP_SIM

TOOLS = """
[{"name": "ask_oracle", "description": "Ask.", "inputSchema": {"type": "object", "properties": {"question": {"type": "string"}}},
  "annotations": {"readOnlyHint": true}},
 {"name": "feed_oracle", "description": "Feed.", "inputSchema": {"type": "object", "properties": {"food": {"type": "string"}}}}]
"""
TESTS = """
import pytest

async def test_agent_asks_and_feeds(mcp_sim):
    async with mcp_sim("oracle", seed=7) as world:
        await world.client.call_tool("ask_oracle", {"question": "rain?"})
        await world.client.call_tool("feed_oracle", {"food": "figs"})
        assert [call.tool for call in world.calls] == ["ask_oracle", "feed_oracle"]

@pytest.mark.mcp_sim("oracle", seed=7)
async def test_agent_that_swallows_errors(mcp_sim):
    async with mcp_sim() as world:
        try:
            await world.client.call_tool("ask_oracle", {"question": "snow?"})
        except Exception:
            pass
"""
REAL = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "oracle", "version": "1"}}
        if asked["method"] == "tools/call":
            open("heard", "a").write(asked["params"]["name"] + "\\n")
            text = "heard " + asked["params"]["name"] + " with " + os.environ["ORACLE_TOKEN"]
            result = {"content": [{"type": "text", "text": text}]}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
AGENTS = """
import json, pathlib, random
import pytest

REPOSITORY = {"owner": "brinewatch", "repo": "tidegauge"}
CALLS = [
    ("get_me", {}),
    ("list_commits", REPOSITORY),
    ("search_issues", {"q": "midnight repo:brinewatch/tidegauge"}),
    ("get_issue", {**REPOSITORY, "issue_number": 412}),
    ("create_issue", {**REPOSITORY, "title": "Readings stop at midnight"}),
    ("add_issue_comment", {**REPOSITORY, "issue_number": 412, "body": "Seen again."}),
]

@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize("replay", [f"r{count}x" for count in range(50)])
async def test_agent(mcp_sim, number, replay):
    chance = random.Random(number)
    async with mcp_sim("github") as world:
        said = [(await world.client.call_tool(*chance.choice(CALLS))).model_dump_json(exclude={"meta"}) for _ in range(6)]
    seen = pathlib.Path(f"seen-{number}.json")
    if not seen.exists():
        seen.write_text(json.dumps(said))
    assert said == json.loads(seen.read_text())
"""
CONFIG = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\nfilterwarnings = error\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tool_specs" / "oracle").mkdir(parents=True)
    (tmp_path / "tool_specs" / "oracle" / "tools.json").write_text(TOOLS)
    (tmp_path / "test_agent.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(CONFIG)
    return tmp_path


def run(project: Path, *arguments: str, passed: int = 0, failed: int = 0) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=project, timeout=600)
    counts = {kind: int(number) for number, kind in re.findall(r"(\d+) (passed|failed)", done.stdout.splitlines()[-1])}
    assert counts == {kind: count for kind, count in (("passed", passed), ("failed", failed)) if count}, done.stdout + done.stderr
    return done.stdout


def test_missing_then_refreshed_then_frozen(project: Path) -> None:
    missing = run(project, failed=2)
    assert "neither frozen nor computed" in missing
    assert "No call of ask_oracle is frozen" in missing
    assert "pytest --mcp-sim=refresh 'test_agent.py::test_agent_that_swallows_errors'" in missing
    assert not (project / "tool_specs" / "oracle" / "frozen.jsonl").exists()

    refreshed = run(project, "--mcp-sim=refresh", passed=2)
    assert "3 answers are frozen" in refreshed
    assert sum(line.startswith("+{") for line in refreshed.splitlines()) == 3

    frozen = run(project, passed=2)
    assert "2 of 2 tools called: 3 frozen" in frozen
    assert "3 of 3 frozen answers used" in frozen
    assert "+{" not in frozen

    path = project / "tool_specs" / "oracle" / "frozen.jsonl"
    before = path.read_bytes()
    assert "answers are frozen in" not in run(project, "--mcp-sim=refresh", passed=2)  # nothing was missing
    assert path.read_bytes() == before

    unused = '{"name": "feed_oracle", "arguments": {"food": "dates"}, "result": {"content": []}}\n'
    path.write_bytes(before + unused.encode())
    assert 'never used: feed_oracle {"food":"dates"}' in run(project, passed=2)
    assert "never used" not in run(project, "-k", "swallows", passed=1)  # part of the tests says nothing about the rest


def test_workers_of_xdist_pin_together(project: Path) -> None:
    tests = "\n".join(
        f"async def test_{number}(mcp_sim):\n"
        f'    async with mcp_sim("oracle") as world:\n'
        f'        await world.call("ask_oracle", {{"question": "{number % 7}"}})\n'
        for number in range(20)
    )
    (project / "test_agent.py").write_text(tests)
    refreshed = run(project, "-n2", "--mcp-sim=refresh", passed=20)
    assert "7 answers are frozen" in refreshed
    assert len((project / "tool_specs" / "oracle" / "frozen.jsonl").read_text().splitlines()) == 7
    assert "7 of 7 frozen answers used" in run(project, "-n2", passed=20)


def test_twenty_agent_runs_are_replayed_fifty_times_by_workers_without_a_network(project: Path) -> None:
    (project / "test_agent.py").write_text(AGENTS)
    assert "answers are frozen in" in run(project, "--mcp-sim=refresh", "-k", "r0x", passed=20)
    options = ["-n2", "--mcp-sim-offline", "--disable-socket", "--allow-unix-socket"]
    replayed = run(project, *options, passed=20 * 50)
    assert "never used" not in replayed
    assert "imagined" not in replayed


def test_the_session_of_a_failed_test_is_kept_and_what_it_imagined_is_not_frozen(project: Path) -> None:
    (project / "test_agent.py").write_text(
        "async def test_wrong(mcp_sim):\n"
        '    async with mcp_sim("oracle") as world:\n'
        '        await world.call("ask_oracle", {"question": "rain?"})\n'
        "        assert world.calls == []\n"
    )
    failed = run(project, "--mcp-sim=refresh", failed=1)
    assert "assert world.calls == []" in failed  # pytest's own account of it, not a group of errors
    assert not (project / "tool_specs" / "oracle" / "frozen.jsonl").exists()
    shown = re.search(r"mcp-sim (sessions show \S+)", failed)
    frozen = re.search(r"mcp-sim (freeze \S+ --session \S+)", failed)
    assert shown
    assert frozen
    for arguments in (shown[1], frozen[1]):
        done = subprocess.run([MCP_SIM, *arguments.split()], capture_output=True, text=True, check=False, cwd=project)
        assert done.returncode == 0, done.stderr
    assert "rain?" in (project / "tool_specs" / "oracle" / "frozen.jsonl").read_text()


def test_a_bundled_world_is_copied_into_the_project_with_its_answers(project: Path) -> None:
    (project / "test_agent.py").write_text(
        "async def test_search(mcp_sim):\n"
        '    async with mcp_sim("github") as world:\n'
        '        await world.call("get_pull_request_comments", {"owner": "brinewatch", "repo": "tidegauge", "pull_number": 416})\n'
    )
    run(project, failed=1)
    run(project, "--mcp-sim=live", passed=1)
    assert not (project / "tool_specs" / "github").exists()
    run(project, "--mcp-sim=refresh", passed=1)
    assert "tool_specs/github" in run(project, passed=1)


def test_worlds_put_together_each_keep_their_own_answers(project: Path) -> None:
    body = """
async def test_both(mcp_sim):
    async with mcp_sim("oracle+memory", seed=7) as world:
        await world.client.call_tool("read_graph", {})
        await world.client.call_tool("ask_oracle", {"question": "rain?"})
        await world.client.call_tool("feed_oracle", {"food": "figs"})
        await world.client.call_tool("ask_oracle", {"question": "rain?"})
"""
    (project / "test_agent.py").write_text(body)
    assert "3 answers are frozen" in run(project, "--mcp-sim=refresh", "-n", "2", passed=1)
    assert len((project / "tool_specs" / "oracle" / "frozen.jsonl").read_text().splitlines()) == 3
    assert not (project / "tool_specs" / "memory").exists()
    assert "3 of 3 frozen answers used" in run(project, passed=1)


def test_other_seeds_and_modes(project: Path) -> None:
    (project / "test_agent.py").write_text(
        "import pytest\n"
        "async def test_command_line(mcp_sim):\n"
        '    async with mcp_sim("oracle") as world:\n'
        "        assert world.session.seed == 5\n"
        '@pytest.mark.mcp_sim("oracle", seed=6, mode="live")\n'
        "async def test_marker(mcp_sim):\n"
        "    async with mcp_sim() as world:\n"
        "        assert world.session.seed == 6\n"
        '        await world.call("ask_oracle", {})\n'
        "    async with mcp_sim(seed=8) as world:\n"
        "        assert world.session.seed == 8\n"
    )
    run(project, "--mcp-sim-seed=5", passed=2)


def test_offline_refuses_models_and_the_network_but_not_this_machine(project: Path) -> None:
    (project / "test_agent.py").write_text(
        "import socket, pytest\n"
        "from mcp import Client\n"
        "async def test_http(mcp_sim):\n"
        '    async with mcp_sim("memory") as world, Client(world.url) as client:\n'
        '        await client.call_tool("read_graph", {})\n'
        "def test_out():\n"
        '    socket.create_connection(("192.0.2.1", 443), timeout=1)\n'
    )
    output = run(project, "--mcp-sim-offline", passed=1, failed=1)
    assert "MCP_SIM_OFFLINE refuses a connection to '192.0.2.1'" in output
    refused = subprocess.run(
        [sys.executable, "-m", "pytest", "--mcp-sim-offline", "--mcp-sim-model", "http://127.0.0.1:1/v1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
    )
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "refuses every model" in refused.stderr


def test_offline_holds_for_what_tests_start(project: Path) -> None:
    command = [MCP_SIM, "run", "memory", "--model", "http://127.0.0.1:1/v1", "--", "true"]
    opening = "import anyio, mcp_sim\nasync def main():\n    async with mcp_sim.open_world('memory', model='http://127.0.0.1:1/v1'): pass\n"
    (project / "test_agent.py").write_text(
        "import subprocess, sys\n"
        "def run(*command):\n"
        "    return subprocess.run(command, capture_output=True, text=True)\n"
        "def test_commands():\n"
        f"    assert 'refuses models' in run(*{command}).stderr\n"
        f"    assert run(*{[*command[:3], *command[5:]]}).returncode == 0\n"
        f"    asked = run({MCP_SIM!r}, 'capture', 'x', 'http://192.0.2.1/mcp')\n"
        "    assert (asked.returncode, 'refuses servers at a URL' in asked.stderr) == (2, True), asked.stderr\n"
        "def test_python():\n"
        f"    assert 'refuses models' in run(sys.executable, '-c', {(opening + 'anyio.run(main)')!r}).stderr\n"
    )
    run(project, "--mcp-sim-offline", passed=2)


@pytest.mark.parametrize(
    ("host", "refused"),
    [
        ("localhost", False),
        ("127.0.0.9", False),
        ("::1", False),
        ("", False),
        ("example.com", True),
        ("10.0.0.1", True),
        ("2001:db8::1", True),
    ],
)
def test_what_is_here(host: str, refused: bool) -> None:
    assert offline._is_here(host, is_address=True) is not refused


def test_what_is_missing_may_be_asked_of_a_real_server(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACLE_TOKEN", "plain words of a secret")
    (project / "server.py").write_text(REAL)
    real = ["--mcp-sim=refresh", "--mcp-sim-real", f"oracle='{sys.executable}' server.py"]
    asked = run(project, *real, passed=2)
    assert "2 real" in asked or "3 real" in asked, asked
    kept = (project / "tool_specs" / "oracle" / "frozen.jsonl").read_text()
    assert "heard ask_oracle" in kept
    assert "plain words" not in kept + asked
    run(project, passed=2)
    assert (project / "heard").read_text().split() == ["ask_oracle", "feed_oracle", "ask_oracle"]
    (project / "tool_specs" / "oracle" / "frozen.jsonl").unlink()
    (project / "test_agent.py").write_text(TESTS.replace('"feed_oracle"]', '"fed"]'))
    failed = run(project, *real, passed=1, failed=1)
    assert "that session is not kept" in failed
    assert "sessions show" not in failed
    refused = subprocess.run([sys.executable, "-m", "pytest", *real, "-n2"], capture_output=True, text=True, check=False, cwd=project)
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "leave -n away" in refused.stderr


def test_a_wrong_setting_is_told_at_once(project: Path) -> None:
    (project / "pytest.ini").write_text(CONFIG + "mcp_sim = freeze\n")
    done = subprocess.run([sys.executable, "-m", "pytest"], capture_output=True, text=True, check=False, cwd=project)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "use one of frozen, refresh, live" in done.stderr


def test_a_run_without_worlds_loads_nothing_and_says_nothing(project: Path) -> None:
    (project / "test_agent.py").write_text(
        "import sys\ndef test_nothing():\n    assert not {'mcp', 'mcp_sim.api', 'mcp_sim.core'} & sys.modules.keys()\n"
    )
    assert "mcp-sim ==" not in run(project, passed=1)


def test_several_worlds_at_once_with_another_runner_of_async_tests(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\n")
    (project / "test_agent.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.anyio\n"
        "@pytest.fixture\n"
        "def anyio_backend():\n"
        "    return 'asyncio'\n"
        "@pytest.fixture\n"
        "async def opened(mcp_sim):\n"
        '    async with mcp_sim("oracle", mode="live") as world:\n'
        "        yield world\n"
        "async def test_two(mcp_sim):\n"
        '    async with mcp_sim("memory") as one, mcp_sim("memory") as other:\n'
        '        await one.call("create_entities", {"entities": [{"name": "unheard-of", "entityType": "t", "observations": []}]})\n'
        '        assert "unheard-of" not in (await other.call("read_graph")).text\n'
        "async def test_from_a_fixture(opened):\n"
        '    await opened.call("ask_oracle", {"question": "rain?"})\n'
        "    assert 0\n"
    )
    output = run(project, "-p", "no:asyncio", passed=1, failed=1)
    assert "mcp-sim sessions show test-from-a-fixture-" in output
    assert "1 of 2 tools called: 1 imagined" in output
