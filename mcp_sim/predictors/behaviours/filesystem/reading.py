"""What the reading tools tell of single files."""

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaviours.filesystem.disk import Disk
from mcp_sim.predictors.behaviours.filesystem.lines import head, tail
from mcp_sim.predictors.behaviours.filesystem.nodes import bytes_of, kind_of, mode_of, size_of, text_of, time_of
from mcp_sim.predictors.behaviours.filesystem.paths import extension
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

_MAX_ANSWER_CHARACTERS = 100_000_000
_MEDIA_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
}
_URL_SAFE = "/!$&'()*+,-.:;=@_"  # what Node's pathToFileURL leaves as it is


def read_text(disk: Disk, path: str, first: float | None, last: float | None) -> str:
    """Return the file's text, or its first or last lines."""
    place = disk.valid(path)
    if first and last:
        raise ToolError("Cannot specify both head and tail parameters simultaneously")
    node = disk.tree.find(place, "stat" if last else "open")
    if kind_of(node) == "directory":
        if (last or first or 1) < 0:
            return ""  # no line is asked for, so nothing is read
        raise ToolError.of_call("EISDIR", "read")
    if last:
        return tail(node, last)
    return head(node, first) if first else text_of(node)


def read_multiple(disk: Disk, paths: Sequence[str]) -> str:
    """Return the texts of several files, each below its path; what cannot be read says why."""
    answers: list[str] = []
    size = 0
    for path in paths:
        try:
            answers.append(f"{path}:\n{read_text(disk, path, None, None)}\n")
        except ToolError as failure:
            answers.append(f"{path}: Error - {failure.text}")
        size += len(answers[-1])
        if size > _MAX_ANSWER_CHARACTERS:
            raise PredictionError(f"The files asked for have more than {_MAX_ANSWER_CHARACTERS} characters; ask for fewer at once.")
    return "\n---\n".join(answers)


def read_media(disk: Disk, path: str) -> dict[str, JSON]:
    """Return the file as an image or audio block, or as an embedded resource."""
    place = disk.valid(path)
    node = disk.tree.find(place, "open")
    if kind_of(node) == "directory":
        raise ToolError.of_call("EISDIR", "read")
    data = base64.b64encode(bytes_of(node)).decode()
    mime_type = _MEDIA_TYPES.get(extension(place), "application/octet-stream")
    if mime_type == "application/octet-stream":
        uri = "file://" + quote(place, safe=_URL_SAFE)
        return {"type": "resource", "resource": {"uri": uri.replace("~", "%7E"), "mimeType": mime_type, "blob": data}}
    return {"type": mime_type.partition("/")[0], "data": data, "mimeType": mime_type}


def file_info(disk: Disk, path: str) -> str:
    """Return size, times, kind and permissions of what the path leads to."""
    node = disk.tree.find(disk.valid(path), "stat")
    is_directory = kind_of(node) == "directory"
    modified = time_of(node, "/modified", disk.beginning)
    facts: dict[str, Any] = {
        "size": size_of(node),
        "created": _as_javascript(time_of(node, "/created", modified)),
        "modified": _as_javascript(modified),
        "accessed": _as_javascript(modified),
        "isDirectory": str(is_directory).lower(),
        "isFile": str(not is_directory).lower(),
        "permissions": mode_of(node),
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _as_javascript(time: datetime) -> str:
    """Return a time as `Date.toString` writes it in UTC, whatever the locale here."""
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[time.weekday()]
    month = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[time.month - 1]
    return f"{day} {month} {time:%d} {time.year:04} {time:%H:%M:%S} GMT+0000 (Coordinated Universal Time)"
