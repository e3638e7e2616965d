"""The tools of a SQLite database.

For: answering as PyPI's `mcp-server-sqlite` 2025.4.25 does, on a real database in memory.
Looks at: `mcp_sim.core`.
Touches: nothing. What SQL could reach outside (files, clock, chance) is refused or comes from the world.
"""
