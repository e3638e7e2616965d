"""A process that must not reach beyond its machine, and asks no model and no real server.

Every command and every process that opens a world is one where the environment variable `MCP_SIM_OFFLINE` says so.
"""

import ipaddress
import os
import sys
from typing import Any

from mcp_sim.errors import SetupError

VARIABLE = "MCP_SIM_OFFLINE"
"""The environment variable: set to anything but `0`, it holds for this process and all that it starts."""

_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"})
_closed = [False]
_hooked: list[bool] = []


def is_offline() -> bool:
    """Whether this process was told to be offline by its environment."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def refuse(what: str) -> None:
    """Refuse something that asks beyond this machine, where that must not be.

    Raises:
        SetupError: this process must be offline.
    """
    if is_offline():
        raise SetupError(f"{VARIABLE} (or pytest's --mcp-sim-offline) refuses {what}. Leave it away, or unset {VARIABLE}.")


def refuse_network() -> None:
    """Make every connection that leaves this machine an error, whichever library asks for it through Python's sockets.

    An audit hook sees them all, also those of code that imported the socket module before; it cannot be taken out again, only told to rest.
    """
    _closed[0] = True
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_look)


def allow_network() -> None:
    """Undo `refuse_network`."""
    _closed[0] = False


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if _closed[0] and event in _EVENTS:
        target = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0]
        host = target[0] if isinstance(target, tuple) and target else target
        if not _is_here(host, is_address=isinstance(target, tuple) or event not in ("socket.connect", "socket.sendto")):
            raise SetupError(f"--mcp-sim-offline or {VARIABLE} refuses a connection to {host!r}. What needs it cannot run offline.")


def _is_here(host: Any, *, is_address: bool) -> bool:
    if not is_address or host is None:  # a Unix socket's path, or any address of this machine
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
