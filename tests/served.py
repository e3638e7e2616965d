"""The real command, serving."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MCP_SIM = str(Path(sys.executable).with_name("mcp-sim"))


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """Run `mcp-sim serve ... --http` on a free port and give the URL of `/mcp`; it must stop cleanly when asked."""
    command = [MCP_SIM, "serve", *arguments, "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as server:
        assert server.stderr
        found, said = None, ""
        while not found:  # after what the world's notices say
            line = server.stderr.readline()
            said += line
            assert line, said
            found = re.search(r"http://\S+/mcp", line)
        try:
            yield found[0]
        finally:
            server.terminate()
            rest = server.stderr.read()
            assert server.wait(timeout=20) == 0, rest
            assert "Traceback" not in rest, rest
