"""What may be printed: texts of tools, agents and models are not trusted with the terminal."""

import logging
import sys
import unicodedata

import click
from rich.markup import escape as escape_markup

_KEPT = "\n\t"
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Return the text with control characters (escape sequences, NUL, reordering marks, halves of surrogate pairs) spelled out."""
    if text.isprintable():
        return text
    return "".join(character if _is_harmless(character) else character.encode("unicode_escape").decode() for character in text)


def escape(text: str) -> str:
    """Return the text as rich prints it letter by letter: nothing in it is markup or moves the cursor."""
    return escape_markup(visible(text))


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text: as it is into a file or pipe, made visible on a terminal."""
    stream = sys.stderr if err else sys.stdout
    if err or stream.isatty():
        text = visible(text)
    # with colour on, since click takes escape sequences out of what is piped otherwise
    click.echo(text.encode("utf-8", "backslashreplace").decode(), err=err, nl=nl, color=True)


def count_of(number: int, noun: str) -> str:
    """Return the number with its noun, whose plural ends in s."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


class VisibleFormatter(logging.Formatter):
    """Formats log records, whose arguments may be texts of others."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        return visible(super().format(record))


def _is_harmless(character: str) -> bool:
    return character in _KEPT or (unicodedata.category(character) not in ("Cc", "Cs") and character not in _REORDERING)
