"""One writer of world folders at a time: whoever adds to their files reads them first."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def folder_locked(folder: Path) -> Iterator[None]:
    """Keep other processes that ask likewise from writing what is in a folder, made if new. The system lets go when a process dies.

    Not on Windows, which locks no folders: two commands that freeze into one world at once may lose lines there.

    Raises:
        OSError: it cannot be made or opened.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
