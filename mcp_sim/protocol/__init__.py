"""The face that speaks MCP.

For: putting a simulator on the wire in both protocol eras, over stdio and streamable HTTP, and being a client of real servers.
Looks at: `mcp_sim.simulator` and below, the `mcp` SDK.
Touches: the wire.
"""
