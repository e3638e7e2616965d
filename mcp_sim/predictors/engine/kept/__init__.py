"""How things are kept in the state.

For: collections, the draft of a call, and tests of things.
Looks at: `mcp_sim.core`.
Touches: nothing.
"""
