"""A client in the same process."""

from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from mcp import Client, StdioServerParameters

from mcp_sim.protocol.server import SimulatedServer

InMemoryClient: TypeAlias = Client
"""The SDK's own client."""

StdioCommand: TypeAlias = StdioServerParameters
"""How the SDK's client is told to start a server: `command`, `args` and `env`."""


def connect(simulated: SimulatedServer) -> AbstractAsyncContextManager[Client]:
    """Return a client of the server, to be entered."""
    return Client(simulated.build())
