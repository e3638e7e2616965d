"""The six tools of the SQLite server."""

from collections.abc import Callable, Mapping

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.clock import world_time
from mcp_sim.predictors.behaviours.options import read_options
from mcp_sim.predictors.behaviours.sqlite.guard import SqliteOptions
from mcp_sim.predictors.behaviours.sqlite.history import History, Statement


class SqliteBehaviour:
    """Answers like PyPI's `mcp-server-sqlite` 2025.4.25 (read in its `server.py`), its quirks included: rows are printed as Python
    prints them, errors of SQL are plain answers, and only what begins with INSERT, UPDATE, DELETE, CREATE, DROP or ALTER is committed.

    State: see `History`; `sqlite.insights` keeps the memo's insights by number.
    """

    def __init__(self, options: Mapping[str, JSON]) -> None:
        self.mutates: Mapping[str, bool] = {name: name in ("write_query", "create_table", "append_insight") for name in _ARGUMENT}
        self.volatile: frozenset[str] = frozenset()
        self.history = History(read_options(SqliteOptions, "sqlite", options))

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to.

        Raises:
            PredictionError: the query took too long, its result is too large, or the state's snapshot cannot be loaded.
        """
        argument = _ARGUMENT.get(action.name)
        if argument is None:
            return None
        value = action.arguments.get(argument) if argument else ""
        if not isinstance(value, str):
            return None
        if action.name == "append_insight":
            number = len(lookup(session.state, "sqlite", "insights") or ()) + 1
            patch = [Change(path=["sqlite", "insights", str(number)], value=value)]
            return session.transition(action, _told("Insight added to memo"), "computed", patch, changes=True)
        refusal = _refusal(action.name, value)
        if refusal:
            return session.transition(action, _told(f"Error: {refusal}"), "computed", changes=False)
        statement = Statement(_SQL[action.name](value), world_time(session), f"{session.chance(action).getrandbits(64):016x}")
        text, patch = self.history.run(session.state, statement, session.world.settings.clock)
        if action.name == "create_table" and text.startswith("[{"):
            text = "Table created successfully"
        return session.transition(action, _told(text), "computed", patch, changes=bool(patch))


_ARGUMENT = {
    "read_query": "query",
    "write_query": "query",
    "create_table": "query",
    "list_tables": "",
    "describe_table": "table_name",
    "append_insight": "insight",
}
_SQL: dict[str, Callable[[str], str]] = {
    "read_query": str,
    "write_query": str,
    "create_table": str,
    "list_tables": lambda _: "SELECT name FROM sqlite_master WHERE type='table'",
    "describe_table": lambda table: f"PRAGMA table_info({table})",
}


def _refusal(tool: str, query: str) -> str | None:
    start = query.strip().upper()
    if tool == "read_query" and not start.startswith("SELECT"):
        return "Only SELECT queries are allowed for read_query"
    if tool == "write_query" and start.startswith("SELECT"):
        return "SELECT queries are not allowed for write_query"
    if tool == "create_table" and not start.startswith("CREATE TABLE"):
        return "Only CREATE TABLE statements are allowed"
    return None


def _told(text: str) -> Observation:
    return Observation(content=[{"type": "text", "text": text}], is_error=False)
