"""Worlds as they lie on disk.

For: reading any shape of tool list, mending each tool by itself, reading and writing world folders, finding bundled ones.
Looks at: `mcp_sim.core`.
Touches: world folders, written atomically.
"""
