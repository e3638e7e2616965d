"""Kept sessions as files: listed, forked and removed."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.errors import SessionStoreError, SetupError
from mcp_sim.sessions.file_lock import lock_until_closed
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.sessions.name import check_session_name
from mcp_sim.sessions.session_file import Header, check_can_hold, read_header, write_line


@dataclass(frozen=True, slots=True)
class Shelved:
    """A session file: its header, how many turns it holds, its size in bytes and when it was written last."""

    path: Path
    header: Header
    turns: int
    size_bytes: int
    written: datetime


def browse(folder: Path, problems: list[str] | None = None) -> Iterator[Shelved]:
    """Go through all kept sessions, by world and name. `problems` gets what is wrong with files that are none."""
    for path in sorted(folder.glob("*/*.jsonl")):
        try:
            yield _look_at(path)
        except (SessionStoreError, OSError) as error:
            if problems is not None:
                problems.append(str(error))


def find(folder: Path, name: str, world_key: str | None = None) -> Shelved:
    """Return the one session of this name, of that world where one is given.

    Raises:
        SetupError: there is none, or several worlds have one.
    """
    check_session_name(name)
    problems: list[str] = []
    named = [shelved for shelved in browse(folder, problems) if shelved.path.stem == name and world_key in (None, shelved.header.world)]
    if len(named) == 1:
        return named[0]
    if named:
        worlds = ", ".join(shelved.header.source for shelved in named)
        raise SetupError(f"Several worlds have a session {name!r}: say which with --world. They are: {worlds}.")
    if own := [problem for problem in problems if f"{os.sep}{name}.jsonl" in problem]:
        raise SetupError(f"There is no readable session {name!r}. {own[0]}")
    raise SetupError(f"There is no kept session {name!r}. See `mcp-sim sessions list`.")


def keep(folder: Path, session: Session, name: str) -> Path:
    """Write a session that was in memory under this name, whole or not at all; what had the name before is gone.

    Raises:
        SessionNameError: no session can have this name.
    """
    target = folder / f"{check_session_name(name)}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(write_line(Header.of(session.world, name, session.seed)))
            file.writelines(write_line(transition) for transition in session.trajectory)
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def find_damaged(folder: Path, name: str) -> Path | None:
    """Return the one file of this name that is no readable session, if no readable session has the name."""
    check_session_name(name)
    damaged = []
    for path in sorted(folder.glob(f"*/{name}.jsonl")):
        try:
            _look_at(path)
        except (SessionStoreError, OSError):
            damaged.append(path)
        else:
            return None
    return damaged[0] if damaged else None


def fork(shelved: Shelved, world: World, new_name: str, turn: int | None = None) -> Path:
    """Copy a session up to a turn (all of it by default) under a new name, for the world as it is now; whole or not at all.

    Raises:
        SetupError: the new name is taken or not allowed, there are fewer turns, or a line is damaged.
    """
    target = shelved.path.with_name(f"{check_session_name(new_name)}.jsonl")
    if turn is not None and turn > shelved.turns:
        raise SetupError(f"{shelved.path}: session {shelved.header.name!r} has {shelved.turns} turns; --at {turn} is beyond its end.")
    lines = _read_lines(shelved.path)[1 : None if turn is None else turn + 1]
    header = Header.of(world, new_name, shelved.header.seed)
    descriptor, temporary = tempfile.mkstemp(dir=shelved.path.parent, prefix=f".{new_name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(write_line(header) + b"".join(line + b"\n" for line in lines))
        KeptSession(world, new_name, Path(temporary)).catch_up()
        os.link(temporary, target)
    except FileExistsError:
        raise SetupError(f"There is a session {new_name!r} already: choose another name, or remove it first.") from None
    finally:
        Path(temporary).unlink()
    return target


def _look_at(path: Path) -> Shelved:
    lines = _read_lines(path)
    header = read_header(lines[0] if lines else b"", str(path))
    status = path.stat()
    return Shelved(path, header, len(lines) - 1, status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))


def _read_lines(path: Path) -> list[bytes]:
    """The whole lines; a torn last one belongs to a call that was never answered."""
    check_can_hold(path)
    with path.open("rb+") as file:
        lock_until_closed(file.fileno())
        data = file.read()
    return data.split(b"\n")[:-1]
