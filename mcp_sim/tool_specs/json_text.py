"""JSON as people's files hold it: read strictly, bounded in size and depth."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import NoReturn

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 150
_BYTES_PER_MB = 1024 * 1024
_SHOWN_CHARACTERS = 80


def read_text(path: Path, max_bytes: int = MAX_FILE_BYTES) -> str:
    """Return the file's text: UTF-8, with or without a byte order mark.

    Raises:
        SetupError: the file cannot be read, is too large or is not UTF-8.
    """
    try:
        if not path.is_file():
            raise SetupError(f"{path}: {'is not a regular file' if path.exists() else 'there is no such file'}.")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        raise SetupError(f"{path}: cannot be read: {error}.") from error
    if len(data) > max_bytes:
        raise SetupError(f"{path}: is larger than {max_bytes // _BYTES_PER_MB} MB, the most that is read.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SetupError(f"{path}: is UTF-16; save it as UTF-8.")
    if b"\0" in data:
        raise SetupError(f"{path}: is a binary file, not UTF-8 text.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SetupError(f"{path}:{line}: is not UTF-8 (byte {data[error.start]:#04x}); save it as UTF-8.") from error


def parse(text: str, path: Path, first_line: int = 1) -> JSON:
    """Return the JSON value of the text, which starts at `first_line` of the file.

    Raises:
        SetupError: the text is not JSON by RFC 8259 (NaN, comments), an object has a key twice, or a number is out of range.
    """

    def refuse(reason: str) -> NoReturn:
        raise SetupError(f"{path}:{first_line}: {reason}.")

    def object_of(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
        result = dict(pairs)
        if len(result) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            refuse(f"an object ({shown(result)}) has the key {shown(twice)} twice; keep one")
        return result

    def number_of(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            refuse(f"the number {digits[:_SHOWN_CHARACTERS]} is too large")
        return number

    def constant(name: str) -> NoReturn:
        refuse(f"{name} is not JSON; use null or a number")

    try:
        return json.loads(text, object_pairs_hook=object_of, parse_float=number_of, parse_constant=constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise SetupError(f"{path}: is empty; JSON was expected.") from error
        place = f"{path}:{first_line + error.lineno - 1}"
        raise SetupError(f"{place}: is not JSON: {error.msg} (column {error.colno}).") from error
    except RecursionError as error:
        raise SetupError(f"{path}:{first_line}: is nested deeper than {MAX_DEPTH} levels.") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise SetupError(f"{path}:{first_line}: holds a number that is too long.") from error


def read_json(path: Path, max_bytes: int = MAX_FILE_BYTES) -> JSON:
    """Return the file's JSON value, of any depth that the parser takes; whoever keeps it looks for its `flaw`.

    Raises:
        SetupError: the file cannot be read or is not JSON.
    """
    return parse(read_text(path, max_bytes), path)


def flaw(value: JSON) -> str | None:
    """Say why the value could not be kept or sent as JSON; `None` if it can."""
    stack = [(value, 1)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, str):
            if not node.isascii() and not _is_unicode(node):
                return f"the text {shown(node)} holds half of a surrogate pair"
        elif isinstance(node, dict):
            if depth > MAX_DEPTH:
                return f"it is nested deeper than {MAX_DEPTH} levels"
            for key, item in node.items():
                if not isinstance(key, str):
                    return f"the key {key!r} is no text"
                if not key.isascii() and not _is_unicode(key):
                    return f"the key {shown(key)} holds half of a surrogate pair"
                stack.append((item, depth + 1))
        elif isinstance(node, list):
            if depth > MAX_DEPTH:
                return f"it is nested deeper than {MAX_DEPTH} levels"
            stack.extend((item, depth + 1) for item in node)
        elif isinstance(node, float):
            if not math.isfinite(node):
                return f"{node} is no JSON number"
        elif node is not None and not isinstance(node, int):
            return f"a value of type {type(node).__name__} is no JSON"
    return None


def shown(value: JSON) -> str:
    """Return the value as one short line of printable ASCII, for a message."""
    try:
        text = json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."


def kind(value: JSON) -> str:
    """Name the JSON type of the value with its article, for a message."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
