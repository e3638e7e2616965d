"""`mcp-sim record` between a client and real servers: the client sees what it would see without it, and what was kept is what happened."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import tests.raw_server
from mcp_sim.tool_specs.world_folder import load_world
from tests.peers.record.servers import NAMES, Call, Peer, peer
from tests.raw_server import LEGACY, MODERN, RawServer
from tests.served import MCP_SIM

pytestmark = pytest.mark.peers

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|Errored at .*?\"")


class Overheard(RawServer):
    """A server of which every line is noted."""

    def __enter__(self) -> "Overheard":
        self.heard: list[str] = []
        super().__enter__()
        return self

    def messages(self) -> Any:
        assert self.process.stdout
        for line in self.process.stdout:
            self.heard.append(_MOMENT.sub("MOMENT", line))
            yield json.loads(line)


def talk(command: list[str], real: Peer) -> list[str]:
    """Lay out the place, do all there is to do, and return every line that the server said."""
    real.lay_out()
    with Overheard(command, real.environment, LEGACY) as server:
        server.ask("tools/list", {})
        for method, params in real.others:
            server.ask(method, params)
        for name, arguments in [*real.reads, *([real.write, *real.reads] if real.write else [])]:
            server.ask("tools/call", {"name": name, "arguments": arguments})
    return server.heard


@pytest.mark.parametrize("name", NAMES)
def test_a_client_sees_the_same_messages_as_without_it(name: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    real = peer(name, tmp_path, pytestconfig)
    expected = talk(real.command, real)
    seen = talk([MCP_SIM, "record", str(tmp_path / "world"), "--", *real.command], real)
    # what a server says by itself (log messages, changed lists) comes when it comes
    assert sorted(seen) == sorted(expected)
    answers = [line for line in seen if '"id":' in line]
    assert answers == [line for line in expected if '"id":' in line]


def replies(command: list[str], calls: Iterable[Call], version: str = LEGACY, environment: Any = None) -> list[Any]:
    """Return what is answered to the calls: content and whether it is an error, or the refusal."""
    found: list[Any] = []
    with RawServer(command, environment, version) as server:
        server.tools()
        for name, arguments in calls:
            reply = server.ask("tools/call", {"name": name, "arguments": arguments})
            result = reply.get("result")
            found.append({**result, "_meta": None, "resultType": None, "isError": bool(result.get("isError"))} if result else "refused")
    return found


def same(answers: list[Any]) -> list[Any]:
    return [{key: value for key, value in answer.items() if value is not None} if answer != "refused" else answer for answer in answers]


@pytest.mark.parametrize("name", NAMES)
def test_one_session_three_times(name: str, tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    real = peer(name, tmp_path, pytestconfig)
    real.lay_out()
    world = str(tmp_path / "world")
    calls = [*real.reads, *([real.write, *real.reads] if real.write else [])]
    recorded = same(replies([MCP_SIM, "record", world, "--", *real.command], calls, environment=real.environment))
    replay = [MCP_SIM, "serve", world, "--frozen"]
    assert same(replies(replay, calls)) == recorded

    count = len(real.reads)
    reads, rest = list(enumerate(calls))[:count], list(enumerate(calls))[count:]
    reordered = [*reversed(reads), *rest[:1], *reversed(rest[1:])]
    if name != "thinking":  # its only tool counts
        again = same(replies(replay, [call for _, call in reordered]))
        assert again == [recorded[place] for place, _ in reordered]

    monkeypatch.setattr(tests.raw_server, "_CLIENT", {"name": "somebody else", "version": "99"})
    assert same(replies(replay, calls, MODERN)) == recorded

    if real.write and real.changed_write:
        depending = [place for place in range(count) if recorded[place] != recorded[count + 1 + place]]
        assert depending
        changed = [*real.reads, real.changed_write, *real.reads]
        frozen = same(replies(replay, changed))
        assert frozen[count] == "refused"  # so that nothing was written
        assert frozen[count + 1 :] == recorded[:count]
        with RawServer(replay[:-1], version=LEGACY) as imagining:
            results = [imagining.call(*call) for call in changed]
        assert all(result["_meta"]["mcp-sim/source"] == "frozen" for result in results[:count])
        for place in depending:
            assert results[count + 1 + place]["_meta"]["mcp-sim/source"] != "frozen"


def test_the_mark_of_a_recording(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    real = peer("filesystem", tmp_path, pytestconfig)
    talk([MCP_SIM, "record", str(tmp_path / "world"), "--session", "peer", "--", *real.command], real)
    world = load_world(tmp_path / "world")
    assert len(world.tools) == 14
    assert world.server_info["name"] == "secure-filesystem-server"
    assert {answer.action.name for answer in world.frozen} == {call[0] for call in (*real.reads, real.write) if call}
    assert len({demonstration.action.name for demonstration in world.demonstrations}) == len({name for name, _ in real.reads}) + 1
