"""JSON with comments and trailing commas, as editors and clients keep their settings, read so that every value's place is known."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.json_text import parse

_COMMENT = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_TOKEN = re.compile(rf'"(?:[^"\\\n]|\\.)*+"|{_COMMENT}|,(?=(?>\s|{_COMMENT})*+[}}\]])', re.DOTALL)
_SPACE = re.compile(r"\s*")
_DECODER = json.JSONDecoder()


def blank(text: str) -> str:
    """Return plain JSON of the same length: what is only JSONC has become white space, and every place stays what it was."""

    def token(match: re.Match[str]) -> str:
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)

    return _TOKEN.sub(token, text)


def read_jsonc(text: str, path: Path) -> JSON:
    """Return the value of the text.

    Raises:
        SetupError: it is not JSON even without comments and trailing commas.
    """
    return parse(blank(text), path)


def members(plain: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each key of the object that begins at `start` of valid plain JSON, with where its value begins and ends."""
    place = _skip(plain, start + 1)
    while plain[place] != "}":
        key, place = _DECODER.raw_decode(plain, place)
        begin = _skip(plain, _skip(plain, place) + 1)  # after the colon
        _, end = _DECODER.raw_decode(plain, begin)
        yield key, begin, end
        place = _skip(plain, end)
        if plain[place] == ",":
            place = _skip(plain, place + 1)


def find(plain: str, path: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where the value at a path of keys begins and ends in valid plain JSON, `None` if there is none."""
    begin, end = _skip(plain, 0), len(plain)
    for key in path:
        if plain[begin : begin + 1] != "{":
            return None
        places = {name: (first, last) for name, first, last in members(plain, begin)}
        if key not in places:
            return None
        begin, end = places[key]
    return begin, end


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place
