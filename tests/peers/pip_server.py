"""Reference servers from PyPI, each in an environment of its own."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest


def pip_server(config: pytest.Config, name: str, *requirements: str) -> str:
    """Return the Python of an environment that has these packages, made once in pytest's cache; skip where they cannot be installed."""
    assert config.cache
    home = config.cache.mkdir(f"{name}-{sys.version_info.major}.{sys.version_info.minor}")
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = home / "installed"
    if not done.is_file() or done.read_text() != repr(requirements):
        venv.create(home, with_pip=True, clear=True)
        installed = subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], capture_output=True, text=True, check=False)
        if installed.returncode:
            pytest.skip(f"pip could not install {' '.join(requirements)}: {installed.stderr[-500:]}")
        Path(done).write_text(repr(requirements))
    return str(python)
