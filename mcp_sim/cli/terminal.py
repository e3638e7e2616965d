"""What may be printed: texts of tools, agents and models are not trusted with the terminal."""

import errno
import logging
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click
from rich.markup import escape as escape_markup

_KEPT = "\n\t"
_CANNOT_WRITE = frozenset(getattr(errno, name, None) for name in ("EPIPE", "ENOSPC", "EIO", "EFBIG", "EDQUOT", "EBADF")) - {None}
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


@contextmanager
def told_if_output_fails() -> Iterator[None]:
    """End the process with one line where standard output cannot be written, and silently where whoever read it has seen enough."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None and not sys.stdout.closed:
                sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in _CANNOT_WRITE:
            raise
        with suppress(OSError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail again at the exit
        if error.errno == errno.EPIPE:
            sys.exit(0)
        say(f"mcp-sim: the output cannot be written: {error.strerror or error}. Free space, or send it elsewhere.", err=True)
        sys.exit(1)


class VisibleFormatter(logging.Formatter):
    """Formats log records, whose arguments may be texts of others."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        return visible(super().format(record))


def _is_harmless(character: str) -> bool:
    return character in _KEPT or (unicodedata.category(character) not in ("Cc", "Cs") and character not in _REORDERING)
