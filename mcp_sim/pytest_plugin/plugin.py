"""The hooks of pytest. Loaded by every run of pytest where mcp-sim is installed, so it imports next to nothing."""

import importlib
import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from mcp_sim.assemble import offline

if TYPE_CHECKING:
    from mcp_sim.pytest_plugin.ledger import Ledger
    from mcp_sim.pytest_plugin.worlds import Worlds

_LEDGER = pytest.StashKey["Ledger"]()
_WORLDS = pytest.StashKey["Worlds"]()
_OFFLINE = pytest.StashKey[str | None]()
_OUTPUT = "mcp_sim"
MODES = ("frozen", "refresh", "live")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("mcp-sim", "simulated MCP servers")
    group.addoption(
        "--mcp-sim",
        dest="mcp_sim_mode",
        choices=MODES,
        help="frozen (default, or as `mcp_sim` in the ini file says): what is neither frozen nor computed fails the test. "
        "refresh: imagine it, and freeze it if the test passes. live: imagine it.",
    )
    group.addoption("--mcp-sim-seed", type=int, metavar="N", help="The seed of tests that name none.")
    group.addoption("--mcp-sim-model", metavar="URL", help="With refresh and live: ask this OpenAI-compatible server (or MCP_SIM_MODEL).")
    group.addoption(
        "--mcp-sim-offline",
        action="store_true",
        help="Refuse every model and real server, here and in processes of mcp-sim that tests start, and every connection of this process "
        "that leaves this machine (or MCP_SIM_OFFLINE=1).",
    )
    group.addoption(
        "--mcp-sim-real",
        action="append",
        default=[],
        metavar="WORLD=SERVER",
        help="With refresh: ask this real server, a URL or a command in quotes, for what is missing in this world, and change it.",
    )
    parser.addini("mcp_sim", "The mode where --mcp-sim is not given: frozen, refresh or live.", default="frozen")
    parser.addini("mcp_sim_worlds", "The folder of the project's own worlds, seen from the root folder.", default="tool_specs")


def pytest_configure(config: pytest.Config) -> None:
    """Check the options, and close the network where that is asked for."""
    config.addinivalue_line("markers", "mcp_sim(world, seed=None, mode=None): what the fixture mcp_sim opens where it is not told.")
    if config.getini("mcp_sim") not in MODES:
        raise pytest.UsageError(f"mcp_sim = {config.getini('mcp_sim')!r} in the ini file: use one of {', '.join(MODES)}.")
    if config.option.mcp_sim_real:
        if config.option.mcp_sim_mode != "refresh":
            raise pytest.UsageError("--mcp-sim-real has a meaning only with --mcp-sim=refresh.")
        if getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
            raise pytest.UsageError("--mcp-sim-real: tests that ask a real server take turns with it: leave -n away.")
        if wrong := [text for text in config.option.mcp_sim_real if not text.partition("=")[2]]:
            raise pytest.UsageError(f"--mcp-sim-real {wrong[0]!r} is not WORLD=SERVER, such as 'tracker=npx -y some-tracker'.")
    if config.option.mcp_sim_offline or offline.is_offline():
        if config.option.mcp_sim_model or config.option.mcp_sim_real:
            raise pytest.UsageError("--mcp-sim-offline refuses every model and real server: leave --mcp-sim-model and --mcp-sim-real away.")
        config.stash[_OFFLINE] = os.environ.get(offline.VARIABLE)
        os.environ[offline.VARIABLE] = "1"  # for the processes that tests start
        offline.refuse_network()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Open the network again."""
    if _OFFLINE not in config.stash:
        return
    offline.allow_network()
    before = config.stash[_OFFLINE]
    if before is None:
        del os.environ[offline.VARIABLE]
    else:
        os.environ[offline.VARIABLE] = before


@pytest.fixture
def mcp_sim(request: pytest.FixtureRequest) -> "Worlds":
    """Open simulated worlds: `async with mcp_sim("github", seed=7) as world: ...`.

    It gives a context manager, since a client must be opened and closed by the same task. See `mcp_sim.pytest_plugin.worlds.Worlds`.
    """
    ledger = _open_ledger(request.config)
    marker = request.node.get_closest_marker("mcp_sim")
    module = importlib.import_module("mcp_sim.pytest_plugin.worlds")
    worlds: Worlds = module.Worlds(ledger, request.node.nodeid, marker.args if marker else (), marker.kwargs if marker else {})
    request.node.stash[_WORLDS] = worlds
    return worlds


def _open_ledger(config: pytest.Config) -> "Ledger":
    if _LEDGER not in config.stash:
        module = importlib.import_module("mcp_sim.pytest_plugin.ledger")
        options = config.option
        config.stash[_LEDGER] = module.Ledger(
            worlds_folder=config.rootpath / config.getini("mcp_sim_worlds"),
            mode=options.mcp_sim_mode or config.getini("mcp_sim"),
            seed=options.mcp_sim_seed,
            model=None if offline.is_offline() else options.mcp_sim_model or os.environ.get("MCP_SIM_MODEL"),
            real=options.mcp_sim_real,
        )
    return config.stash[_LEDGER]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count what a test used; keep the sessions of a failed one, and say how to look at them."""
    report = yield
    worlds = item.stash.get(_WORLDS, None)
    if report.when != "setup" and worlds is not None:  # a world that another fixture opened is closed at the teardown
        told = worlds.settle(passed=report.passed)
        if told:
            report.sections.append(("mcp-sim", told))
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of pytest-xdist has counted."""
    counts = getattr(node, "workeroutput", {}).get(_OUTPUT)
    if counts:
        _open_ledger(node.config).add(counts)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts to the process that reports; there, write what was pinned."""
    ledger = session.config.stash.get(_LEDGER, None)
    if ledger is None:
        return
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_OUTPUT] = ledger.to_json()
    elif not ledger.write() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was used, what was frozen anew, and what went wrong with it."""
    ledger = config.stash.get(_LEDGER, None)
    if ledger is None:
        return
    names_some = any("::" in argument or argument.endswith(".py") for argument in config.args)
    lines = list(ledger.report(whole=not names_some and not terminalreporter.stats.get("deselected")))
    if lines:
        terminalreporter.section("mcp-sim")
    for line in lines:
        terminalreporter.line(line, green=line.startswith("+"), red=line.startswith("-"))
