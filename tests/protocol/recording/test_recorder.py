"""What is kept of a conversation, and when; looked at in the files, and in a simulator that answers from them."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.errors import FrozenMissError
from mcp_sim.protocol.in_memory import connect
from mcp_sim.protocol.server import SimulatedServer
from tests.protocol.recording.conversation import TOOLS, Conversation, said


def texts(conversation: Conversation) -> list[tuple[str, str]]:
    return [(turn.action.name, turn.observation.text) for turn in conversation.session.trajectory]


async def replay(conversation: Conversation, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    async with open_simulator(conversation.world, SimulatorOptions(frozen=True)) as simulator:
        return [(await simulator.call("again", Action.call(name, arguments))).observation.text for name, arguments in calls]


async def test_each_answer_is_in_the_files_when_it_was_given(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    talk.call("read_note", {"id": "a"}, said("old"))
    assert texts(talk) == [("read_note", "old")]
    assert len(talk.world.frozen) == len(talk.world.demonstrations) == 1
    talk.call("write_note", {"id": "a", "text": "new"}, said("written"))
    talk.call("read_note", {"id": "a"}, said("new", isError=False))
    assert [turn.source for turn in talk.session.trajectory] == ["real", "real", "real"]
    read, write = ("read_note", {"id": "a"}), ("write_note", {"id": "a", "text": "new"})
    assert await replay(talk, read, write, read) == ["old", "written", "new"]
    assert await replay(talk, write, read) == ["written", "new"]
    with pytest.raises(FrozenMissError):
        await replay(talk, ("write_note", {"id": "a", "text": "other"}), read)


def test_answers_that_overtake_each_other_are_kept_in_the_order_of_the_questions(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    slow = talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "slow"}})
    write = talk.ask("tools/call", {"name": "write_note", "arguments": {"id": "a"}})
    late = talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "late"}})
    talk.answer(late, said("3"))
    talk.answer(write, said("2"))
    talk.answer(slow, said("1"))
    assert [text for _, text in texts(talk)] == ["1", "2", "3"]


def test_what_was_cancelled_or_never_answered_holds_nothing_up(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    cancelled = talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "cancelled"}})
    talk.call("read_note", {"id": "b"}, said("b"))
    talk.reading.client_said(json.dumps({"method": "notifications/cancelled", "params": {"requestId": cancelled}}).encode())
    assert texts(talk) == [("read_note", "b")]
    talk.answer(cancelled, said("too late"))
    talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "never"}})
    talk.call("read_note", {"id": "c"}, said("c"))
    talk.reading.close()
    assert [text for _, text in texts(talk)] == ["b", "c"]
    assert not talk.recorder.notices


async def test_an_error_in_place_of_a_result_is_replayed_as_that_error(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    error = {"code": -32050, "message": "closed until ten, token ghp_0123456789abcdefghij", "data": {"opens": "10:00"}}
    talk.answer(talk.ask("tools/call", {"name": "write_note", "arguments": {"id": "a"}}), error=error)
    talk.answer(talk.ask("resources/read", {"uri": "a:1"}), error={"code": -32002, "message": "no a:1"})
    talk.call("read_note", {"id": "a"}, said("as before"))
    assert "0123456789abcdefghij" not in talk.kept_text()
    assert talk.world.demonstrations[0].action.name == "read_note"
    async with open_simulator(talk.world, SimulatorOptions(frozen=True)) as simulator, connect(SimulatedServer(simulator)) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("write_note", {"id": "a"})
        assert (refused.value.error.code, refused.value.error.data) == (-32050, {"opens": "10:00"})
        assert refused.value.error.message.startswith("closed until ten, token {{redacted:")
        assert (await client.call_tool("read_note", {"id": "a"})).content[0].text == "as before"  # what failed changed nothing


async def test_an_answer_takes_the_place_of_an_error_and_none_that_of_an_answer(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    for outcome in ("error", "a", "error"):
        number = talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "a"}})
        if outcome == "error":
            talk.answer(number, error={"code": -32603, "message": "broken"})
        else:
            talk.answer(number, said(outcome))
    talk.reading.close()
    assert talk.world.settings.volatile == ()
    assert await replay(talk, ("read_note", {"id": "a"})) == ["a"]
    assert talk.recorder.notices == {"an error of read_note, which it has answered before: broken": 1}


async def test_progress_is_told_again(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    asked = {"name": "read_note", "arguments": {"id": "a"}, "_meta": {"progressToken": 7}}
    number = talk.ask("tools/call", asked)
    steps = [{"progress": 1, "total": 2.5, "message": "half"}, {"progress": 2.5, "total": 2.5}]
    for step in steps:
        told = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 7, **step}}
        talk.reading.server_said(json.dumps(told).encode())
    talk.reading.server_said(json.dumps({"method": "notifications/progress", "params": {"progressToken": 8, "progress": 9}}).encode())
    talk.answer(number, said("a"))
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(*step: Any) -> None:
        heard.append(step)

    async with open_simulator(talk.world, SimulatorOptions(frozen=True)) as simulator, connect(SimulatedServer(simulator)) as client:
        await client.call_tool("read_note", {"id": "a"}, progress_callback=hear)
    assert heard == [(1, 2.5, "half"), (2.5, 2.5, None)]


async def test_a_tool_that_answers_differently_in_the_same_state_is_volatile(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    for degrees in ("20", "20", "21", "20"):
        talk.call("get_temperature", {}, said(degrees))
        talk.call("read_note", {"id": "a"}, said("a"))
    assert talk.world.settings.volatile == ("get_temperature",)
    assert [turn.occurrence for turn in talk.session.trajectory] == [1, 0, 2, 0, 3, 0, 4, 0]
    calls = [("get_temperature", {})] * 4
    assert await replay(talk, *calls) == ["20", "20", "21", "20"]
    with pytest.raises(FrozenMissError):
        await replay(talk, *calls, ("get_temperature", {}))


async def test_answers_before_the_tools_are_known_wait_for_them(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.call("read_note", {"id": "a"}, said("a"))
    talk.call("read_note", {"id": "b"}, said("b"))
    assert not talk.folder.exists()
    assert talk.waits == 1
    talk.list_tools()
    assert [text for _, text in texts(talk)] == ["a", "b"]


def test_lists_are_kept_as_sent_over_all_pages(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.answer(talk.ask("initialize", {}), {"protocolVersion": "2025-11-25", "capabilities": {"x": {}}, "serverInfo": {"name": "s"}})
    talk.answer(talk.ask("resources/list", {}), {"resources": [{"uri": "a:1", "name": "one"}], "_meta": {"k": 1}})
    first, second = TOOLS["tools"][:1], TOOLS["tools"][1:]
    talk.answer(talk.ask("tools/list", {}), {"tools": first, "nextCursor": "2", "ttlMs": 5})
    talk.answer(talk.ask("tools/list", {"cursor": "2"}), {"tools": second})
    assert json.loads((talk.folder / "tools.json").read_text()) == {"ttlMs": 5, **TOOLS}
    assert json.loads((talk.folder / "resources.json").read_text()) == {"resources": [{"uri": "a:1", "name": "one"}], "_meta": {"k": 1}}
    assert json.loads((talk.folder / "server.json").read_text())["capabilities"] == {"x": {}}


async def test_resources_and_prompts_are_answered_as_recorded(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    talk.answer(talk.ask("resources/list", {}), {"resources": [{"uri": "a:1", "name": "one"}]})
    contents = {"contents": [{"uri": "a:1", "text": "the text"}]}
    talk.answer(talk.ask("resources/read", {"uri": "a:1"}), contents)
    talk.answer(talk.ask("prompts/get", {"name": "p"}), {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}]})
    async with open_simulator(talk.world, SimulatorOptions(frozen=True)) as simulator:
        read = await simulator.call("s", Action(method="resources/read", params={"uri": "a:1"}))
        prompt = await simulator.call("s", Action(method="prompts/get", params={"name": "p", "arguments": {}}))
    assert read.observation.structured_content == contents
    assert prompt.observation.text == "hi"


async def test_tools_that_come_later_join_the_others(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools({"tools": TOOLS["tools"][:1]})
    talk.call("read_note", {"id": "a"}, said("a"))
    talk.list_tools({"tools": TOOLS["tools"][1:]})
    talk.call("write_note", {"id": "a", "text": "b"}, said("ok"))
    talk.call("read_note", {"id": "a"}, said("b"))
    assert [tool.name for tool in talk.world.tools] == ["read_note", "write_note", "get_temperature"]
    assert len(talk.session.trajectory) == 3
    assert await replay(talk, ("read_note", {"id": "a"}), ("write_note", {"id": "a", "text": "b"}), ("read_note", {"id": "a"})) == [
        *("a", "ok", "b")
    ]


async def test_a_second_recording_adds_to_the_first_and_its_answers_hold(tmp_path: Path) -> None:
    first = Conversation(tmp_path)
    first.list_tools()
    first.call("read_note", {"id": "a"}, said("then"))
    first.call("read_note", {"id": "b"}, said("b"))
    (first.folder / "world.toml").write_text("# mine\n" + (first.folder / "world.toml").read_text())
    second = Conversation(tmp_path, "two")
    second.call("read_note", {"id": "a"}, said("now"))
    second.reading.close()
    assert await replay(second, ("read_note", {"id": "a"}), ("read_note", {"id": "b"})) == ["now", "b"]
    assert (first.folder / "world.toml").read_text().startswith("# mine\n")
    assert len(first.session.trajectory) == 2
    assert len(second.session.trajectory) == 1


async def test_no_secret_is_kept_and_what_was_redacted_still_matches(tmp_path: Path) -> None:
    talk = Conversation(tmp_path, patterns=("DE[0-9]{8}",), secrets=("plain value of the environment",))
    talk.list_tools({"tools": [{**tool, "description": "like ghp_0123456789abcdefghij"} for tool in TOOLS["tools"]]})
    secrets = [
        "ghp_0123456789abcdefghij",
        "plain value of the environment",
        "DE12345678",
        "https://joe:hunter22@example.com/?token=hunter23",
    ]
    text = " and ".join(secrets)
    talk.call("write_note", {"id": "a", "text": text}, said(f"written {text}"))
    talk.call("read_note", {"id": "a"}, said(text))
    talk.call("read_note", {"id": secrets[1]}, said("nothing"))
    kept = talk.kept_text()
    for secret in ("0123456789abcdefghij", "plain value", "12345678", "hunter22", "hunter23"):
        assert secret not in kept
    asked = [("write_note", {"id": "a", "text": text}), ("read_note", {"id": "a"}), ("read_note", {"id": secrets[1]})]
    written, read, nothing = await replay(talk, *asked)
    assert nothing == "nothing"
    assert await replay(talk, ("write_note", {"id": "a", "text": read}), ("read_note", {"id": "a"})) == [written, read]
    with pytest.raises(FrozenMissError):
        await replay(talk, ("write_note", {"id": "a", "text": text.replace("DE12345678", "DE12345679")}), ("read_note", {"id": "a"}))


def test_all_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    talk = Conversation(tmp_path, keeps_all=True)
    talk.list_tools()
    talk.call("read_note", {"id": "ghp_0123456789abcdefghij"}, said("password=hunter2"))
    assert texts(talk) == [("read_note", "password=hunter2")]
    assert "redaction" not in (talk.folder / "world.toml").read_text()


def test_what_cannot_be_replayed_is_counted_and_the_world_stays_whole(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    strict = {"name": "strict", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "required": ["a"]}}
    talk.list_tools({"tools": [*TOOLS["tools"], strict]})
    talk.call("strict", {}, said("no structured content"))
    talk.call("read_note", {}, {"content": [{"type": "hologram"}]})
    talk.call("read_note", {}, {"content": [], "resultType": "input_required"})
    talk.call("read_note", {}, {"task": {"taskId": "1"}})
    talk.reading.client_said(b"no JSON")
    talk.reading.server_said(b"[" * 100_000)
    talk.call("no_such_tool", {}, said("Unknown tool"))
    talk.reading.close()
    assert not talk.faults
    assert sum(talk.recorder.notices.values()) == 6
    assert talk.world.frozen == ()
    assert [turn.changes for turn in talk.session.trajectory] == [False]


def test_a_batch_is_read_like_its_messages(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    calls = [{"id": f"x{n}", "method": "tools/call", "params": {"name": "read_note", "arguments": {"id": str(n)}}} for n in range(2)]
    talk.reading.client_said(json.dumps(calls).encode())
    talk.reading.server_said(json.dumps([{"id": "x1", "result": said("1")}, {"id": "x0", "result": said("0")}]).encode())
    assert [text for _, text in texts(talk)] == ["0", "1"]


def test_clients_that_use_the_same_ids_are_told_apart(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    for connection in ("a", "b"):
        call = {"id": 1, "method": "tools/call", "params": {"name": "read_note", "arguments": {"id": connection}}}
        talk.reading.client_said(json.dumps(call).encode(), connection)
    for connection in ("b", "a"):
        talk.reading.server_said(json.dumps({"id": 1, "result": said(connection)}).encode(), connection)
    assert [text for _, text in texts(talk)] == ["a", "b"]


def test_what_is_asked_on_one_connection_may_be_answered_on_another(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    call = {"id": 1, "method": "tools/call", "params": {"name": "read_note", "arguments": {}}}
    talk.reading.client_said(json.dumps(call).encode(), "post")
    talk.reading.join("post", "stream")
    talk.reading.server_said(json.dumps({"id": 1, "result": said("post")}).encode(), "post")
    talk.reading.server_said(json.dumps({"id": 1, "result": said("stream")}).encode(), "stream")
    assert [text for _, text in texts(talk)] == ["stream"]


def test_a_question_that_is_never_answered_does_not_hold_the_others_back_for_long(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    slow = talk.ask("tools/call", {"name": "read_note", "arguments": {"id": "slow"}})
    for number in range(20):
        talk.call("read_note", {"id": str(number)}, said(str(number)))
    assert [text for _, text in texts(talk)] == [str(number) for number in range(20)]
    talk.answer(slow, said("slow"))
    assert texts(talk)[-1] == ("read_note", "slow")


def test_what_came_to_nothing_is_not_waited_for(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    call = json.dumps({"id": "x", "method": "tools/call", "params": {"name": "read_note", "arguments": {}}}).encode()
    talk.reading.client_said(call)
    talk.call("read_note", {"id": "a"}, said("a"))
    assert talk.recorder.turns == 0
    talk.reading.give_up(call, "")
    assert texts(talk) == [("read_note", "a")]


def test_a_fault_is_told_once_and_ends_the_recording_only(tmp_path: Path) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    (talk.folder / "frozen.jsonl").mkdir()
    talk.call("read_note", {"id": "a"}, said("a"))
    talk.call("read_note", {"id": "b"}, said("b"))
    talk.reading.close()
    assert len(talk.faults) == 1
    assert "nothing more is recorded" in talk.faults[0]


@pytest.mark.parametrize("message", [[], 1, None, {"id": 1}, {"method": 5, "id": 1}, {"id": [1], "method": "tools/call", "params": 7}])
def test_odd_messages_are_passed_over(tmp_path: Path, message: Any) -> None:
    talk = Conversation(tmp_path)
    talk.list_tools()
    talk.reading.client_said(json.dumps(message).encode())
    talk.reading.server_said(json.dumps(message).encode())
    talk.reading.server_said(json.dumps({"id": [1], "result": said("x")}).encode())
    assert not talk.faults
    assert talk.recorder.turns == 0
