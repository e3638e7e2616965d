"""The things of a world and of a session.

For: what is known before anything happens, what was there all the time, lists of things, and refusals.
Looks at: `mcp_sim.core`, `words` to `making`.
Touches: nothing.
"""
