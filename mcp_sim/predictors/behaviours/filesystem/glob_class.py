"""Character classes of globs: `[a-z]`, `[!x]`, `[[:alpha:]]`, with the habits of the npm package `minimatch`."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

# POSIX name -> (Unicode categories by prefix, further characters, whether it means everything but those)
_POSIX: dict[str, tuple[tuple[str, ...], str, bool]] = {
    "[:alnum:]": (("L", "Nl", "Nd"), "", False),
    "[:alpha:]": (("L", "Nl"), "", False),
    "[:ascii:]": ((), "".join(map(chr, range(128))), False),
    "[:blank:]": (("Zs",), "\t", False),
    "[:cntrl:]": (("Cc",), "", False),
    "[:digit:]": (("Nd",), "", False),
    "[:graph:]": (("Z", "C"), "", True),
    "[:lower:]": (("Ll",), "", False),
    "[:print:]": (("C",), "", True),
    "[:punct:]": (("P",), "", False),
    "[:space:]": (("Z",), "\t\r\n\v\f", False),
    "[:upper:]": (("Lu",), "", False),
    "[:word:]": (("L", "Nl", "Nd", "Pc"), "", False),
    "[:xdigit:]": ((), "ABCDEFabcdef0123456789", False),
}
_NOT_UNICODE = frozenset({"[:ascii:]", "[:xdigit:]"})

Test = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """A class as it was read: how long it is in the pattern, and what it accepts.

    `literal` is set where it is only another way to write one character. `by_code_point` tells that it looks at whole characters and
    not at UTF-16 units. A class that accepts nothing spoils the rest of its pattern: `length` then reaches to the end.
    """

    length: int
    test: Test
    literal: str | None = None
    by_code_point: bool = False


def _nothing(char: str) -> bool:
    return False


def read_class(glob: str, start: int) -> CharacterClass | None:
    """Read the class that opens at `start`, or return `None` where it never closes."""
    spoilt = CharacterClass(len(glob) - start, _nothing)
    ranges: list[tuple[str, str]] = []
    posix: list[str] = []
    negated = glob.startswith(("!", "^"), start + 1)
    at = start + 2 if negated else start + 1
    first = at
    from_char: str | None = None
    while at < len(glob):
        char = glob[at]
        if char == "]" and at > first:
            break
        name = next((name for name in _POSIX if glob.startswith(name, at)), None) if char == "[" else None
        if name is not None:
            if from_char is not None:
                return spoilt
            posix.append(name)
            at += len(name)
            continue
        if char == "\\":
            at += 1
            if at >= len(glob):
                break
            char = glob[at]
        at += 1
        if from_char is not None:
            if char >= from_char:
                ranges.append((from_char, char))
            from_char = None
        elif glob.startswith("-]", at):
            ranges += [(char, char), ("-", "-")]
            at += 1
        elif glob.startswith("-", at):
            from_char = char
            at += 1
        else:
            ranges.append((char, char))
    if at >= len(glob):
        return None
    if not ranges and not posix:
        return spoilt
    length = at + 1 - start
    if not negated and not posix and len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return CharacterClass(length, _nothing, literal=ranges[0][0])
    return CharacterClass(length, _test(ranges, posix, negated), by_code_point=any(name not in _NOT_UNICODE for name in posix))


def _test(ranges: list[tuple[str, str]], posix: list[str], negated: bool) -> Test:
    positive = [_POSIX[name] for name in posix if not _POSIX[name][2]]
    negative = [_POSIX[name] for name in posix if _POSIX[name][2]]

    def accepts(char: str) -> bool:
        category = unicodedata.category(char)
        listed = any(low <= char <= high for low, high in ranges) or any(_is_in(kind, category, char) for kind in positive)
        excluded = any(_is_in(kind, category, char) for kind in negative)
        by_list = bool(ranges or positive) and listed != negated
        by_exclusion = bool(negative) and excluded == negated
        return by_list or by_exclusion

    return accepts


def _is_in(kind: tuple[tuple[str, ...], str, bool], category: str, char: str) -> bool:
    return char in kind[1] or category.startswith(kind[0])
