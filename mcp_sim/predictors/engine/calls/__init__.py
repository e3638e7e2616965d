"""What a call leads to.

For: reads and writes of all kinds, learning from the answers of others, and checking these.
Looks at: `mcp_sim.core`, `words` to `things`.
Touches: nothing.
"""
