"""What each tool does.

For: reading the tools of a world, each alone and then in the light of the others.
Looks at: `mcp_sim.core`, `words`, `kept`, `shown`, `resources`.
Touches: nothing.
"""
