"""What the words of tools mean.

For: reading names, arguments and background texts, and holding what was understood of each tool.
Looks at: `mcp_sim.core`.
Touches: nothing.
"""
