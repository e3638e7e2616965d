"""The trade of recording: stands between a client and a real server, changes nothing, and keeps what passes.

For: `mcp-sim record`.
Looks at: `mcp_sim.tool_specs`, `mcp_sim.sessions`, `mcp_sim.core`.
Touches: the wire on both sides, the process of the real server, and the folders of the recording.
"""
