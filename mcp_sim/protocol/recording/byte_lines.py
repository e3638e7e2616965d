"""A stream of bytes as lines."""

from collections.abc import Iterator

MOST_BYTES = 64 * 1024 * 1024


class ByteLines:
    """Puts chunks together to lines. A line of more than 64 MB is passed over."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines that this chunk completes, without their ends."""
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            whole = b"".join([*self._parts, line])
            if self._length + len(line) <= MOST_BYTES:
                yield whole
            self._parts, self._length = [], 0
        if rest:
            self._length += len(rest)
            if self._length <= MOST_BYTES:
                self._parts.append(rest)
            else:
                self._parts = []
