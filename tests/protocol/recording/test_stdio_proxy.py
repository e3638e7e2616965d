"""`mcp-sim record` between pipes: what each side hears is, byte for byte, what it would hear without it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.served import MCP_SIM

SERVER = str(Path(__file__).with_name("odd_server.py"))
LINES = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n',
    b'{"id": 2,   "method":"unknown/method","jsonrpc":"2.0"}\r\n',
    b"[1, 2]\n",
    b"\xff no text\n",
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n',
    b'{"jsonrpc":"2.0","id":"srv","result":{}}\n',
    b'{"big":"' + b"y" * 2_000_000 + b'"}\n',
    b"no end of line",
)


def direct(folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    return [sys.executable, SERVER, str(folder)]


def recorded(folder: Path) -> list[str]:
    return [MCP_SIM, "record", str(folder / "world"), "--", *direct(folder)]


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ))
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe
            with suppress(BrokenPipeError):
                pipe.close()


def say(process: subprocess.Popen[bytes], line: bytes, until: bytes) -> None:
    assert process.stdin
    assert process.stdout
    process.stdin.write(line)
    process.stdin.flush()
    while until not in process.stdout.readline():
        pass


def test_every_byte_goes_on_in_both_directions(tmp_path: Path) -> None:
    spoken = b"".join(LINES)
    plain = subprocess.run(direct(tmp_path / "plain"), input=spoken, capture_output=True, timeout=60, check=True)
    passed = subprocess.run(recorded(tmp_path / "passed"), input=spoken, capture_output=True, timeout=60, check=True)
    assert passed.stdout == plain.stdout
    assert (tmp_path / "passed" / "heard").read_bytes() == (tmp_path / "plain" / "heard").read_bytes() == spoken
    assert b"a word on standard error" in passed.stderr
    assert b"Traceback" not in passed.stderr


def test_what_comes_from_a_file_goes_on_too(tmp_path: Path) -> None:
    (tmp_path / "spoken").write_bytes(b"".join(LINES[:3]))
    with (tmp_path / "spoken").open("rb") as source, (tmp_path / "heard back").open("wb") as target:
        subprocess.run(recorded(tmp_path / "passed"), stdin=source, stdout=target, stderr=subprocess.DEVNULL, timeout=60, check=True)
    plain = subprocess.run(direct(tmp_path / "plain"), input=b"".join(LINES[:3]), capture_output=True, timeout=60, check=True)
    assert (tmp_path / "heard back").read_bytes() == plain.stdout


@pytest.mark.parametrize("code", [0, 7])
def test_the_exit_code_and_the_last_words_are_the_servers(tmp_path: Path, code: int) -> None:
    with running(recorded(tmp_path / "passed")) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"exit {code}\n".encode())
        process.stdin.flush()
        assert process.stdout.read().endswith(b"last words without an end")
        assert process.wait(timeout=30) == code


def test_a_server_that_cannot_be_started_is_a_setup_error(tmp_path: Path) -> None:
    failed = subprocess.run(
        [MCP_SIM, "record", str(tmp_path / "world"), "--", "/no/such/server"], capture_output=True, timeout=60, check=False
    )
    assert failed.returncode == 2
    assert b"cannot be started" in failed.stderr
    assert failed.stdout == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_and_what_it_started_end_with_the_recorder(tmp_path: Path, number: signal.Signals) -> None:
    with running(recorded(tmp_path / "passed")) as process:
        say(process, b"stay child\n", b"child")
        child = psutil.Process(int((tmp_path / "passed" / "child").read_text()))
        process.send_signal(number)
        process.wait(timeout=30)
        psutil.wait_procs([child], timeout=10)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    with running(recorded(tmp_path / "passed")) as process:
        say(process, b"child\n", b"child")
        child = psutil.Process(int((tmp_path / "passed" / "child").read_text()))
        process.communicate(timeout=30)
        assert process.returncode == 0
        psutil.wait_procs([child], timeout=10)
        assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
