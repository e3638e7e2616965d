"""The far end of a pipe: a client starts this as if it were a stdio server, and talks to the process that holds the world.

It knows nothing of the protocol and imports nothing but the standard library, so that it is there in no time.
"""

import os
import socket
import sys
import threading

VARIABLE = "MCP_SIM_PIPE"
"""The environment variable that says where to: `host:port:password`."""

_CHUNK_BYTES = 65_536


def main() -> None:
    """Carry bytes both ways until one end is closed."""
    try:
        host, port, password = os.environ[VARIABLE].split(":")
        connection = socket.create_connection((host, int(port)))
    except (KeyError, ValueError, OSError) as error:
        sys.exit(f"mcp-sim: the world that this was for is closed: {error!r}")
    connection.sendall(f"{password}\n".encode())
    threading.Thread(target=_send, args=(connection,), daemon=True).start()
    while data := connection.recv(_CHUNK_BYTES):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _send(connection: socket.socket) -> None:
    while data := os.read(sys.stdin.fileno(), _CHUNK_BYTES):
        connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main()
