"""Standard input and output carry messages and nothing else, whatever their length and whoever else reads and prints."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.protocol.standard_streams import Input, Output

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="left to the SDK there")

ECHO = """
import anyio, subprocess, sys
from mcp_sim.protocol.standard_streams import standard_streams

async def main():
    with standard_streams() as (stdin, stdout):
        print("stray", flush=True)
        subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], check=True)
        async for line in stdin:
            await stdout.write(line.upper())
            await stdout.flush()
    print("after", flush=True)

anyio.run(main)
"""


def test_long_lines_come_and_go_whole_and_in_order_and_others_neither_read_nor_print_there() -> None:
    lines = ["a", "é" * 3_000_000, "", "last, without an end"]
    done = subprocess.run(
        [sys.executable, "-c", ECHO], input="\n".join(lines), capture_output=True, check=True, encoding="utf-8", timeout=60
    )
    assert done.stdout == "\n".join(lines).upper() + "after\n"
    assert done.stderr == "stray\n0\n"


def test_sockets_serve_as_well_as_pipes() -> None:  # Node starts its children with sockets
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen([sys.executable, "-c", ECHO], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL):
        theirs.close()
        ours.sendall(b"one\ntwo\n")
        ours.shutdown(socket.SHUT_WR)
        assert ours.makefile().read() == "ONE\nTWO\nafter\n"


def test_who_reads_late_from_a_pipe_that_does_not_block_gets_all() -> None:
    source, sink = os.pipe()
    os.set_blocking(sink, False)
    text = "x" * 1_000_000

    async def main() -> None:
        async def send() -> None:
            output = Output(sink)
            await output.write(text)
            await output.flush()
            os.close(sink)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            await anyio.wait_readable(source)
            read = await anyio.to_thread.run_sync(Path(f"/dev/fd/{source}").read_bytes)
            os.close(source)
        assert read.decode() == text

    anyio.run(main)


@given(st.lists(st.binary(max_size=20)), st.integers(1, 7))
@settings(max_examples=50)
def test_lines_are_those_of_the_bytes_however_they_are_cut(lines: list[bytes], size: int) -> None:
    data = b"\n".join(line.replace(b"\n", b"") for line in lines)

    async def read() -> list[str]:
        source, sink = os.pipe()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write, sink)
            lines = [line async for line in Input(source)]
        os.close(source)
        return lines

    async def write(sink: int) -> None:
        for at in range(0, len(data), size):
            os.write(sink, data[at : at + size])
            await anyio.lowlevel.checkpoint()
        os.close(sink)

    assert "".join(anyio.run(read)) == data.decode(errors="replace")


@pytest.mark.parametrize("redirection", ["2>&-", "0<&-", "1>&-", "</dev/null", ">/dev/null"])
def test_where_a_standard_stream_is_missing_or_no_pipe_the_sdk_has_its_way(redirection: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    asked = f"""
import pathlib
from mcp_sim.protocol.standard_streams import standard_streams
with standard_streams() as lent:
    pathlib.Path({str(told)!r}).write_text(repr(lent))
"""
    with subprocess.Popen(
        ["bash", "-c", f'"$0" -c "$1" {redirection}', sys.executable, asked], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        child.communicate(timeout=60)
    assert (child.returncode, told.read_text()) == (0, "(None, None)")
