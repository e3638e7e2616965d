"""What stands in the tree: files, links and directories."""

import base64
from datetime import UTC, datetime
from typing import Any, Literal

from rpds import HashTrieMap

from mcp_sim.errors import PredictionError

Kind = Literal["file", "link", "directory"]

DIRECTORY_BYTES = 4096
"""What a directory's own size is given as."""


def kind_of(node: Any) -> Kind:
    """Tell what a node is."""
    if not isinstance(node, HashTrieMap):
        return "file"
    if "/link" in node:
        return "link"
    return "file" if "/text" in node or "/base64" in node else "directory"


def names_in(directory: Any) -> list[str]:
    """Return the names in a directory as `readdir` gives them: libuv sorts by bytes, which is the order of code points."""
    return sorted(name for name in directory if "/" not in name)


def height_of(node: Any, limit: int) -> int:
    """Return how many directories are nested in a node, but no more than `limit`."""
    level, height = [node], -1
    while level and height < limit:
        level = [inner for node in level if isinstance(node, HashTrieMap) for inner in node.values() if isinstance(inner, HashTrieMap)]
        height += 1
    return height


def bytes_of(file: Any) -> bytes:
    """Return the file's content."""
    if isinstance(file, HashTrieMap) and "/base64" in file:
        try:
            return base64.b64decode(file["/base64"], validate=True)
        except (ValueError, TypeError) as error:
            raise PredictionError("A file in the world's state has a `/base64` that is no base64; mend state.json.") from error
    return _text(file).encode("utf-8", "replace")


def text_of(file: Any) -> str:
    """Return the file's content as text; bytes that are no UTF-8 become U+FFFD."""
    return bytes_of(file).decode("utf-8", "replace") if isinstance(file, HashTrieMap) and "/base64" in file else _text(file)


def first_bytes(file: Any, count: int) -> bytes:
    """Return at most the first `count` bytes, without looking at the rest of a text."""
    if isinstance(file, HashTrieMap) and "/base64" in file:
        return bytes_of(file)[:count]
    return _text(file)[:count].encode("utf-8", "replace")[:count]


def last_bytes(file: Any, count: int) -> bytes:
    """Return at most the last `count` bytes, without looking at the rest of a text."""
    if isinstance(file, HashTrieMap) and "/base64" in file:
        return bytes_of(file)[-count:]
    return _text(file)[-count:].encode("utf-8", "replace")[-count:]


def size_of(node: Any) -> int:
    """Return the size in bytes, as `stat` has it."""
    if kind_of(node) == "directory":
        return DIRECTORY_BYTES
    if isinstance(node, HashTrieMap) and "/base64" in node:
        encoded: str = node["/base64"]
        return len(encoded) * 3 // 4 - encoded[-2:].count("=")
    text = _text(node)
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def mode_of(node: Any) -> str:
    """Return the permission bits as three octal digits."""
    default = "755" if kind_of(node) == "directory" else "644"
    return str(_fact(node, "/mode") or default)[-3:]


def time_of(node: Any, name: Literal["/created", "/modified"], otherwise: datetime) -> datetime:
    """Return one of the node's times, or `otherwise` where it has none."""
    fact = _fact(node, name)
    if fact is None:
        return otherwise
    try:
        time = datetime.fromisoformat(fact)
    except (ValueError, TypeError) as error:
        raise PredictionError(f"A file in the world's state has a `{name}` that is no ISO 8601 time: {fact!r}; mend state.json.") from error
    return time.astimezone(UTC) if time.tzinfo else time


def written(text: str, now: datetime, mode: str) -> dict[str, Any]:
    """Return a text file that is written now. Writing replaces a file, so its creation is now as well."""
    facts = {"/text": text, "/created": now.isoformat(), "/modified": now.isoformat()}
    return facts if mode == "644" else {**facts, "/mode": mode}


def _text(file: Any) -> str:
    text = file["/text"] if isinstance(file, HashTrieMap) else file
    if not isinstance(text, str):
        raise PredictionError(f"A file in the world's state is neither text nor an object: {str(text)[:60]}; mend state.json.")
    return text


def _fact(node: Any, name: str) -> Any:
    return node.get(name) if isinstance(node, HashTrieMap) else None
