"""What answers show.

For: finding things in JSON, in labelled lines and in output schemas.
Looks at: `mcp_sim.core`, `words`, `kept`.
Touches: nothing.
"""
