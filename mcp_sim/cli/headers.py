"""The option `--header`."""

from collections.abc import Iterable

import click


def read_headers(texts: Iterable[str]) -> dict[str, str]:
    """Return headers by name, of texts like `Authorization: Bearer TOKEN`.

    Raises:
        click.UsageError: one is not of that form; it is not shown, since it may be secret.
    """
    headers: dict[str, str] = {}
    for text in texts:
        key, colon, value = text.partition(":")
        if not colon or not key.strip():
            raise click.UsageError("--header is not 'KEY: VALUE', such as 'Authorization: Bearer TOKEN'.")
        headers[key.strip()] = value.strip()
    return headers
