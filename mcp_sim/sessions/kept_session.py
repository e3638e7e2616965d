"""One session and its file, kept equal."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import SessionStoreError
from mcp_sim.sessions.file_lock import FileLock, lock_until_closed
from mcp_sim.sessions.lock import ReadWriteLock
from mcp_sim.sessions.session_file import Header, check_can_hold, read_header, read_transition, write_line

logger = logging.getLogger(__name__)


class KeptSession:
    """A session as far as this process has read its file. `lock` is for the tasks of this process, `file_lock` for others."""

    def __init__(self, world: World, name: str, path: Path, *, seed: int | None = None, fsync: bool = False) -> None:
        self.lock = ReadWriteLock()
        self.file_lock = FileLock(path.parent / ".locks" / name)
        self._seed = seed
        self._first = Session.begin(world, name, seed or 0)
        self.session = self._first
        self._path = path
        self._file_name = str(path)
        self._fsync = fsync
        self._offset = 0
        self._lines = 0
        self._inode = 0

    def check(self) -> None:
        """Check that the file, if there is one, is a session of this world; only its first line is read.

        Raises:
            SessionStoreError: it is not.
        """
        if check_can_hold(self._path):
            try:
                with self._path.open("rb") as file:
                    header = read_header(file.readline(), str(self._path))
            except OSError as error:
                raise SessionStoreError(
                    f"{self._path}: {error.strerror or error}. Mend its permissions, or name another session."
                ) from error
            header.check(self._first.world, str(self._path))
            header.check_seed(self._seed, str(self._path))

    def catch_up(self) -> None:
        """Read what others have appended since.

        Raises:
            SessionStoreError: the file is not of this world, or damaged elsewhere than at its end.
        """
        if not self._is_current():
            with self._file() as descriptor:
                self._read_news(descriptor)

    def append(self, transition: Transition, *, alone: bool) -> Transition:
        """Write the transition behind all that others have written, and return it with its turn. `alone` if nobody else can write now.

        Raises:
            SessionStoreError: it could not be written whole; the file is as it was.
        """
        with self._file(alone=alone) as descriptor:
            self._read_news(descriptor)
            session = self.session.append(transition)
            self._write(descriptor, write_line(session.trajectory[-1]))
            self.session = session
        return session.trajectory[-1]

    def _is_current(self) -> bool:
        """Whether the file is as it was left; to look at it costs less than to open and lock it, and mostly it is."""
        try:
            status = os.stat(self._file_name)  # noqa: PTH116 - the path would be made into a text anew for each call
        except OSError:
            return False
        return status.st_ino == self._inode and status.st_size == self._offset

    @contextmanager
    def _file(self, *, alone: bool = False) -> Iterator[int]:
        try:
            descriptor = os.open(self._file_name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                if not alone:
                    lock_until_closed(descriptor)
                yield descriptor
            finally:
                os.close(descriptor)
        except OSError as error:
            reason = error.strerror or error
            raise SessionStoreError(f"{self._path}: {reason}. Free space or mend its permissions, then call again.") from error

    def _read_news(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        if status.st_ino != self._inode or status.st_size < self._offset:
            if self._offset:
                logger.warning("%s was removed or replaced by another process; the session is read anew", self._path)
            self.session, self._offset, self._lines, self._inode = self._first, 0, 0, status.st_ino
        if status.st_size > self._offset:
            self._take(descriptor, _read(descriptor, self._offset, status.st_size))
        if not self._lines:
            self._write(descriptor, write_line(Header.of(self._first.world, self._first.name, self._first.seed)))

    def _take(self, descriptor: int, news: bytes) -> None:
        whole, _, torn = news.rpartition(b"\n")
        if torn:
            logger.warning("%s: the last line is torn (its writer was stopped in mid-write); %d bytes cut off", self._path, len(torn))
            os.ftruncate(descriptor, self._offset + len(news) - len(torn))
        for line in whole.split(b"\n") if whole else ():
            self._take_line(line)
            self._offset += len(line) + 1

    def _take_line(self, line: bytes) -> None:
        where = str(self._path)
        if self._lines:
            self.session = self.session.append(read_transition(line, where, self._lines + 1))
        else:
            header = read_header(line, where)
            header.check(self._first.world, where)
            header.check_seed(self._seed, where)
            self._first = self.session = Session.begin(self._first.world, self._first.name, header.seed)
        self._lines += 1

    def _write(self, descriptor: int, line: bytes) -> None:
        try:
            if os.write(descriptor, line) != len(line):
                raise OSError(None, "the disk is full")
            if self._fsync:
                os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, self._offset)
            raise
        self._offset += len(line)
        self._lines += 1


def _read(descriptor: int, start: int, end: int) -> bytes:
    os.lseek(descriptor, start, os.SEEK_SET)
    chunks = []
    while start < end and (chunk := os.read(descriptor, end - start)):
        chunks.append(chunk)
        start += len(chunk)
    return b"".join(chunks)
