"""A client of real servers that keeps every key of what they send: the SDK's own would drop what its models do not know.

For: capturing what a server offers.
Looks at: `mcp_sim.core`, `mcp_sim.errors`, the `mcp` SDK's names and numbers.
Touches: the wire; starts and ends servers.
"""
