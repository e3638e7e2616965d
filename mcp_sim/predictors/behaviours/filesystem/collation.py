"""The order of names in a sorted listing: what `localeCompare` makes of them in an English locale.

For ASCII this is the order of ICU, as Node 20 and 24 give it. Other letters are sorted by their base letter and then by their accents;
scripts follow each other by code point, which is ICU's order but for a few of them.
"""

import unicodedata

_PUNCTUATION = "_-,;:!?.'\"()[]{}@*/\\&#%"
_SYMBOLS = "`^+<=>|~"
_SPREAD = {"\u00df": "ss", "\u00e6": "ae", "\u0153": "oe", "\u00fe": "th", "\u00f8": "o\u0338", "\u0142": "l\u0335"}

Primary = tuple[int, float]
SortKey = tuple[list[Primary], list[str], list[int]]


def sort_key(name: str) -> SortKey:
    """Return what names are compared by: first their letters, then accents, then case (small before capital)."""
    primary: list[Primary] = []
    accents: list[str] = []
    cases: list[int] = []
    for char in unicodedata.normalize("NFC", name):
        plain = unicodedata.normalize("NFKD", char)
        is_variant = plain != unicodedata.normalize("NFD", char)
        for letter in plain:
            small = letter.lower()
            for part in _SPREAD.get(small, small):
                if unicodedata.combining(part):
                    if accents:
                        accents[-1] += part
                elif unicodedata.category(part) not in ("Cc", "Cf") or part in "\t\n\v\f\r":  # others are ignored wherever they stand
                    primary.append(_weight(part))
                    accents.append("")
                    cases.append(2 * is_variant + (letter != small))
    return primary, accents, cases


def _weight(char: str) -> Primary:
    category = unicodedata.category(char)
    if char in "\t\n\v\f\r":
        return (0, ord(char))
    if category.startswith("Z"):
        return (0, 0x20 + ord(char))
    if char in _PUNCTUATION:
        return (1, _PUNCTUATION.index(char))
    if category == "Pd":
        return (1, _PUNCTUATION.index("-") + 0.5)
    if char in _SYMBOLS:
        return (3, _SYMBOLS.index(char))
    if category == "Sc":
        return (5, ord(char))
    if category.startswith("P"):
        return (2, ord(char))
    if category.startswith("S"):
        return (4, ord(char))
    if category == "Nd":
        return (6, unicodedata.decimal(char))
    return (7, ord("i") + 0.5 if char == "\u0131" else ord(char))
