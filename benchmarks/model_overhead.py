"""What mcp-sim adds to a call of a language model, beside the same request sent by the openai SDK alone.

Run: python benchmarks/model_overhead.py

A local server answers every request with the same tokens at once, so that all that is measured is ours, the SDK's and the loopback's.
"""

import json
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import openai
from anyio.abc import SocketAttribute, SocketStream

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.world import World
from mcp_sim.predictors.language.completer import Message
from mcp_sim.predictors.language.connection import build_language_world_model, connect
from mcp_sim.predictors.language.prompt import Prompter
from mcp_sim.predictors.language.system_message import read_template

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
DEFINITION = {"name": "read_file", "description": "Read a file.", "inputSchema": {"type": "object"}}
WORLD = World(name="bench", key="bench", tools=(ToolSpec(name="read_file", input_schema=DEFINITION["inputSchema"], definition=DEFINITION),))
ACTION = Action.call("read_file", {"path": "/home/ada/notes.txt"})
SAMPLING = {"top_k": 20, "chat_template_kwargs": {"enable_thinking": True}, "separate_reasoning": True}
ROUNDS = 40


async def serve_constantly(stream: SocketStream) -> None:
    """Answer every request of one connection."""
    models = json.dumps({"data": [{"id": "constant", "owned_by": "sglang", "max_model_len": 1_000_000}]}).encode()
    texts = [*(f"word{number} " for number in range(20)), None]
    events = b"".join(
        b"data: "
        + json.dumps({"id": "1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None if text else "stop"}]}).encode()
        + b"\n\n"
        for text in texts
    )
    usage = {"prompt_tokens": 200_000, "completion_tokens": 20, "total_tokens": 200_020}
    events += b"data: " + json.dumps({"id": "1", "choices": [], "usage": usage}).encode() + b"\n\ndata: [DONE]\n\n"
    data = bytearray()
    async with stream:
        while True:
            while (end := data.find(b"\r\n\r\n")) < 0:
                try:
                    data += await stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return
            head = bytes(data[:end]).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r")[0]) if b"content-length:" in head else 0
            while len(data) < end + 4 + length:
                data += await stream.receive()
            del data[: end + 4 + length]
            kind, body = (b"text/event-stream", events) if head.startswith(b"post") else (b"application/json", models)
            await stream.send(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body))


def session_of(turns: int, characters: int) -> Session:
    """Return a session of so many turns, each with an observation of so many characters."""
    session = Session.begin(WORLD, f"{turns}-{characters}")
    for number in range(turns):
        action = Action.call("read_file", {"path": f"/home/ada/{number}.txt"})
        session = session.append(session.transition(action, Observation.of_text("a line of text\n" * (characters // 15)), "imagined"))
    return session


async def milliseconds(*calls: Callable[[], Awaitable[object]]) -> list[float]:
    """Return the median time of each call, made in turn so that a busy machine is so for all of them."""
    taken: list[list[float]] = [[] for _ in calls]
    for round_number in range(ROUNDS + 1):
        for call, times in zip(calls, taken, strict=True):
            started = time.perf_counter()
            await call()
            if round_number:  # the first one connects
                times.append(time.perf_counter() - started)
    return [1000 * statistics.median(times) for times in taken]


async def measure_calls(url: str) -> None:
    """Print what a call takes with and without mcp-sim."""
    print(f"{'history':<34}{'mcp-sim':>12}{'SDK alone':>12}{'ours':>10}{'allowed':>10}")
    for label, session, allowed in (
        ("10 turns", session_of(10, 300), 5),
        ("400 turns, about 200,000 tokens", session_of(400, 2000), 15),
    ):
        connection = connect(url)
        model = build_language_world_model(WORLD, connection, PROMPTS, on_slow="error")
        prompter = Prompter(WORLD, read_template(PROMPTS, "mcp"), 32_768, 48_000)
        client = openai.AsyncOpenAI(base_url=url, api_key="none")
        messages = prompter.compose(session, ACTION).messages

        async def ours(model: object = model, session: Session = session) -> None:
            await model.predict(session, ACTION, Context())

        async def alone(client: openai.AsyncOpenAI = client, messages: list[Message] = messages) -> None:
            stream = await client.chat.completions.create(
                model="constant",
                messages=messages,
                stream=True,
                stream_options={"include_usage": True},
                max_tokens=32_768,
                extra_body=SAMPLING,
            )
            async for _ in stream:
                pass

        with_us, by_sdk = await milliseconds(ours, alone)
        print(f"{label:<34}{with_us:>9.2f} ms{by_sdk:>9.2f} ms{with_us - by_sdk:>7.2f} ms{allowed:>7} ms")
        await connection.aclose()
        await client.close()


def measure_prompts() -> None:
    """Print what composing the next prompt takes in a session that goes on, early and late."""
    early = [seconds for _ in range(30) for seconds in compose_on(10, 10)]
    late = compose_on(2000, 300)
    at_10, at_2000 = (1e6 * statistics.median(times) for times in (early, late))
    print(f"prompt at turn 10: {at_10:.1f} us, at turn 2,000: {at_2000:.1f} us: {at_2000 / at_10:.2f} times (allowed: 1.2)")


def compose_on(turns: int, further: int) -> list[float]:
    """Return the seconds that each prompt of some further turns takes, in a session that has had so many."""
    prompter = Prompter(WORLD, read_template(PROMPTS, "mcp"), 32_768, 48_000)
    session = session_of(turns, 300)
    prompter.compose(session, ACTION, 10_000_000)
    times = []
    for _ in range(further):
        session = session.append(session.transition(ACTION, Observation.of_text("a line of text\n" * 20), "imagined"))
        started = time.perf_counter()
        prompter.compose(session, ACTION, 10_000_000)
        times.append(time.perf_counter() - started)
    return times


async def main() -> None:
    """Print both tables."""
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve_constantly)
        await measure_calls(f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}/v1")
        tasks.cancel_scope.cancel()
    measure_prompts()


if __name__ == "__main__":
    anyio.run(main)
