"""Regular expressions of JSON Schema on an engine that is linear in the text, so that no pattern can hang the process.

JSON Schema means ECMA-262 expressions that match anywhere in the text. `google-re2` reads nearly the same language; what is
spelled differently is translated, and what it cannot read (lookaheads, backreferences, counts above 1,000) has no pattern here.
"""

import re
from collections.abc import Callable

import re2

LONGEST_PATTERN = 10_000

_SPACES = r"\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}"
_NOT_SPACES = (
    r"\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"
    r"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}"
)
_CATEGORIES = {
    "Letter": "L",
    "Lowercase_Letter": "Ll",
    "Uppercase_Letter": "Lu",
    "Number": "N",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Punctuation": "P",
    "Symbol": "S",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Mark": "M",
}
_TOKEN = re.compile(
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u(?P<unit>[0-9a-fA-F]{4})"
    r"|\\u\{(?P<point>[0-9a-fA-F]+)\}"
    r"|\\c(?P<control>[A-Za-z])"
    r"|\\(?P<negated>[pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?(?P<property>\w+)\}"
    r"|\\(?P<escaped>.)"
    r"|(?P<bracket>\[\^\]|\[\]|\[\^?|\])"
    r"|(?P<dot>\.)",
    re.DOTALL,
)
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 2_000_000  # the engine's own 8 MB let one pattern take 0.1 s to compile


class Pattern:
    """A compiled pattern. `cost` grows with the pattern: a search takes about `cost` times the length of the text."""

    __slots__ = ("_search", "cost")

    def __init__(self, text: str) -> None:
        """Compile an ECMA-262 pattern.

        Raises:
            ValueError: the engine cannot read it; the message says what it stumbled over.
        """
        if len(text) > LONGEST_PATTERN:
            raise ValueError(f"it is longer than {LONGEST_PATTERN} characters")
        try:
            compiled = re2.compile(translated(text), _OPTIONS)
        except re2.error as error:
            reason = error.args[0] if error.args else "unreadable"
            raise ValueError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)) from None
        except UnicodeEncodeError:
            raise ValueError("it holds half of a surrogate pair") from None
        self._search: Callable[[str], object] = compiled.search
        self.cost: int = compiled.programsize

    def matches(self, text: str) -> bool:
        """Whether the pattern matches somewhere in the text."""
        try:
            return self._search(text) is not None
        except UnicodeEncodeError:  # half of a surrogate pair is legal in JSON and unknown to UTF-8
            return self._search(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")) is not None


def translated(text: str) -> str:
    """Spell an ECMA-262 pattern the way re2 reads it. What has no translation stays as it is."""
    in_class = False

    def spelled(token: re.Match[str]) -> str:
        nonlocal in_class
        kind, value = token.lastgroup, token.group(token.lastgroup or 0)
        if kind == "bracket":
            if in_class:
                if value != "]":
                    closes = value.endswith("]")  # inside a class "[" is a letter like any other
                    in_class = not closes
                    return r"\[" + value[1:]
                in_class = False
            elif value == "[^]":
                return r"(?s:.)"
            elif value == "[]":
                return r"[^\x{0}-\x{10ffff}]"
            elif value != "]":
                in_class = True
            else:
                return r"\]"
            return value
        if kind == "dot":
            return value if in_class else r"[^\n\r\x{2028}\x{2029}]"
        if kind == "low":
            point = 0x10000 + ((int(token["high"], 16) - 0xD800) << 10) + int(token["low"], 16) - 0xDC00
            return rf"\x{{{point:x}}}"
        if kind in ("unit", "point"):
            return rf"\x{{{value}}}"
        if kind == "control":
            return rf"\x{{{ord(value.upper()) - 64:x}}}"
        if kind == "property":
            return rf"\{token['negated']}{{{_CATEGORIES.get(value, value)}}}"
        return _escape(value, in_class)

    return _TOKEN.sub(spelled, text)


def _escape(letter: str, in_class: bool) -> str:
    if letter == "s":
        return _SPACES if in_class else f"[{_SPACES}]"
    if letter == "S":
        return _NOT_SPACES if in_class else f"[{_NOT_SPACES}]"
    if letter == "0":
        return r"\x{0}"
    if letter == "b" and in_class:
        return r"\x{8}"
    if letter == "Z" and not in_class:
        return r"\z"  # not ECMA-262, but what Python servers write for the end of the text
    if not letter.isascii():
        return letter
    return f"\\{letter}"
