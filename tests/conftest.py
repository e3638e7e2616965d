"""What every test may use."""

import logging
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Deadlines would make a busy machine fail a right answer.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or leaves sessions and worlds of the person who runs it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


@pytest.fixture(autouse=True)
def _own_log_levels() -> Iterator[None]:
    """No test leaves the log levels that a command sets to those after it."""
    before = {name: logging.getLogger(name).level for name in ("", "mcp_sim", "mcp", "mcp.client")}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
