"""Standard output carries messages and nothing else, whatever their length and whoever else prints."""

import subprocess
import sys

import pytest

SERVER = """
import anyio
from mcp_sim.protocol.output import standard_output

async def main():
    with standard_output() as output:
        print("stray", flush=True)
        for length in (1, 3_000_000, 2):
            await output.write("é" * length)
            await output.write("\\n")
            await output.flush()
    print("after", flush=True)

anyio.run(main)
"""


def test_long_messages_arrive_whole_and_in_order_and_stray_prints_go_to_standard_error() -> None:
    done = subprocess.run([sys.executable, "-c", SERVER], capture_output=True, check=True, encoding="utf-8", timeout=60)
    assert done.stdout == "é\n" + "é" * 3_000_000 + "\néé\nafter\n"
    assert done.stderr == "stray\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the shell is POSIX")
@pytest.mark.parametrize("closed", ["2>&-", "0<&-", "1>&-"])
def test_where_a_standard_stream_is_missing_the_wire_is_left_alone(closed: str) -> None:
    asked = "from mcp_sim.protocol.output import standard_output\nwith standard_output() as output: open('/dev/fd/1') if output else None"
    done = subprocess.run(["bash", "-c", f'"$0" -c "$1" {closed}', sys.executable, asked], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
