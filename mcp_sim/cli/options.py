"""Options that several commands share."""

import functools
from collections.abc import Callable
from typing import Any

import click

from mcp_sim.assemble import SessionOptions

_Command = Callable[..., Any]


def session_options(command: _Command) -> _Command:
    """Add `--session`, `--seed` and `--fsync`; the command gets them as `session_options`."""

    @click.option("--session", "keep", metavar="NAME", help="Keep the calls in a session of this name, and go on where it ended.")
    @click.option("--seed", type=click.IntRange(min=0), help="Two runs with the same seed imagine the same things.  [default: 0]")
    @click.option("--fsync", is_flag=True, help="With --session: survive a power cut too; slower.")
    @functools.wraps(command)
    def with_options(*args: Any, keep: str | None, seed: int | None, fsync: bool, **kwargs: Any) -> Any:
        if fsync and keep is None:
            raise click.UsageError("--fsync has a meaning only with --session NAME.")
        return command(*args, session_options=SessionOptions(keep=keep, seed=seed, fsync=fsync), **kwargs)

    return with_options


class Address(click.ParamType[tuple[str, int]]):
    """`HOST:PORT`; port 0 takes a free one."""

    name = "HOST:PORT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """See `click.ParamType.convert`."""
        if isinstance(value, tuple):
            return value
        host, colon, port = str(value).rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            self.fail(f"{value!r} is not HOST:PORT, such as 127.0.0.1:8970", param, ctx)
        return host, int(port)
