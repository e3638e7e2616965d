"""What follows from the text of a file: its name, its size and its hash."""

import hashlib
import re

from mcp_sim.predictors.engine.kept.collection import Record

_HASH = re.compile(r"^[0-9a-f]{40}$")


def blob_sha(text: str) -> str:
    """Return the hash that git gives a file of that text."""
    data = text.encode("utf-8", "replace")
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def of_file(record: Record, text: object) -> Record:
    """Return what a file's record says of its name and, where its text is known, of its size and hash."""
    found: Record = {}
    path = record.get("path")
    if isinstance(path, str) and isinstance(record.get("name"), str):
        found["name"] = path.rstrip("/").rsplit("/", 1)[-1]
    if isinstance(path, str) and isinstance(text, str):
        if isinstance(record.get("size"), int):
            found["size"] = len(text.encode("utf-8", "replace"))
        if isinstance(record.get("sha"), str) and _HASH.match(record["sha"]):
            found["sha"] = blob_sha(text)
    return found
