"""A real SQLite database, read into the state of a world that has one."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, read_text

_MAX_BYTES = 200_000_000
_LONGEST_STATEMENT = 1_000_000  # what the sqlite behaviour lets one value be
_SKIPPED = ("BEGIN TRANSACTION;", "COMMIT;")
_MAGIC = b"SQLite format 3\0"
_MOST_STEPS = 500_000_000
_STEPS_A_CHECK = 100_000


def import_database(path: Path) -> dict[str, JSON]:
    """Return the value of `state.json` that holds a database: `{"sqlite": {"snapshot": [statement, ...]}}`.

    The file is a database, which is only read, or a dump of SQL, as `sqlite3 app.db .dump` writes.

    Raises:
        SetupError: it is neither, too large, or does not load by itself.
    """
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_MAGIC)) == _MAGIC
        size = path.stat().st_size
    except OSError as error:
        raise SetupError(f"{path}: cannot be read: {error.strerror}. Name a database or a dump of SQL.") from error
    if size > _MAX_BYTES:
        raise SetupError(f"{path}: is larger than {_MAX_BYTES // 1_000_000} MB. Import a smaller database.")
    snapshot: JSON = _dump(path) if is_database else read_text(path, _MAX_BYTES)
    _try_out(path, snapshot)
    return {"sqlite": {"snapshot": snapshot}}


def _dump(path: Path) -> list[str]:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as connection:
            statements = [statement for statement in connection.iterdump() if statement not in _SKIPPED]
    except (sqlite3.Error, ValueError) as error:
        raise SetupError(f"{path}: is no database that can be read: {error}.") from error
    for statement in statements:
        if len(statement) > _LONGEST_STATEMENT:
            raise SetupError(f"{path}: holds a row of more than {_LONGEST_STATEMENT:,} characters ({statement[:60]}...). Leave it out.")
        if reason := flaw(statement):
            raise SetupError(f"{path}: {reason}.")
    return statements


def _try_out(path: Path, snapshot: JSON) -> None:
    """Load the snapshot once, in memory and away from files, so that a bad one is found now and not by an agent."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += _STEPS_A_CHECK
        return int(steps > _MOST_STEPS)

    script = snapshot if isinstance(snapshot, str) else "\n;\n".join(snapshot)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.set_authorizer(lambda operation, *_: sqlite3.SQLITE_DENY if operation == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK)
        connection.set_progress_handler(count, _STEPS_A_CHECK)
        try:
            connection.executescript(script)
        except (sqlite3.Error, ValueError) as error:
            raise SetupError(f"{path}: its SQL does not load: {error}. Give a database or the output of `sqlite3 FILE .dump`.") from error
