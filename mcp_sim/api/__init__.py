"""The Python door: a world to use from code, and what it was used for.

For: programs and tests that open a world themselves.
Looks at: `mcp_sim.assemble` and below.
Touches: a local port where somebody asks for one.
"""
