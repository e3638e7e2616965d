"""A real SGLang server as a child process."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import anyio

HERE = Path(__file__).resolve().parent
HOME = Path(os.environ.get("MCP_SIM_SGLANG_HOME", "~/.cache/mcp-sim/sglang")).expanduser()
_START_SECONDS = 240


class SGLang:
    """Starts, kills and starts again on the same port."""

    def __init__(self, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            command = [HERE / "serve.sh", HOME, str(self.port)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        give_up = time.monotonic() + _START_SECONDS
        while time.monotonic() < give_up and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        self.kill()
        raise AssertionError(f"SGLang did not start:\n{self._log.read_text('utf-8', 'replace')[-3000:]}")

    def kill(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    async def idle(self) -> None:
        """Wait until nothing is generated any more."""
        with anyio.fail_after(30):
            while self.metric("sglang:num_running_reqs"):
                await anyio.sleep(0.2)

    def forget(self) -> None:
        """Empty the prefix cache."""
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/flush_cache", method="POST"), timeout=30).close()

    def metric(self, name: str) -> float:
        """Return the sum of a metric over its labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as response:
            lines = response.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"{name}{{") or line.startswith(f"{name} "))
