"""Indexes of things.

For: finding those asked for where they are many. Derived from the states of sessions: a cache that can be dropped.
Looks at: `mcp_sim.core`, `words`, `kept`, `resources`.
Touches: nothing.
"""
