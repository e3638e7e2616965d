"""HAR 1.2 recordings of HTTP traffic: requests as tools, and what was answered as demonstrations of them.

For: what a browser or a proxy has saved, credentials left out.
Looks at: `mcp_sim.core`.
Touches: nothing.
"""
