"""The kinds of things.

For: what their ids look like, what they belong to, and which of them a filter or a query means.
Looks at: `mcp_sim.core`, `words`, `kept`, `shown`.
Touches: nothing.
"""
