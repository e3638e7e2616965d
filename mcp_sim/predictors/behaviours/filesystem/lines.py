"""The first and the last lines of a file, with the server's habits at the ends of its 1,024-byte reads."""

import codecs
from typing import Any

from mcp_sim.predictors.behaviours.filesystem.nodes import first_bytes, last_bytes, size_of

_CHUNK_BYTES = 1024


def head(file: Any, count: float) -> str:
    """Return the first `count` lines, joined by line feeds; carriage returns stay."""
    data = _leading(file, count)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    lines: list[str] = []
    rest = ""
    for start in range(0, len(data), _CHUNK_BYTES):
        if len(lines) >= count:
            break
        *complete, rest = (rest + decoder.decode(data[start : start + _CHUNK_BYTES])).split("\n")
        for line in complete:
            lines.append(line)
            if len(lines) >= count:
                break
    rest += decoder.decode(b"", final=True)
    if rest and len(lines) < count:
        lines.append(rest)
    return "\n".join(lines)


def tail(file: Any, count: float) -> str:
    """Return the last `count` lines; what follows a closing line feed counts as a line, and CR LF becomes LF."""
    if size_of(file) == 0:
        return ""
    data = _trailing(file, count)
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    whole = int(max(min(count, len(lines) + 1), -len(lines) - 1))
    return "\n".join(lines[-whole:] if whole else lines)


def _leading(file: Any, count: float) -> bytes:
    """Return whole chunks from the start that hold at least `count` lines, or the whole file."""
    size = _CHUNK_BYTES * 16
    while True:
        data = first_bytes(file, size)
        if len(data) < size:
            return data
        if data.count(b"\n") >= count:
            return data
        size *= 8


def _trailing(file: Any, count: float) -> bytes:
    """Return what the server has read when it has seen `count` line feeds from the end: whole chunks, or the whole file."""
    size = 0
    feeds = 0
    while feeds < count:
        size += _CHUNK_BYTES
        data = last_bytes(file, size)
        if len(data) < size:
            return data
        feeds += data[:_CHUNK_BYTES].count(b"\n")
    return last_bytes(file, size) if size else b""
