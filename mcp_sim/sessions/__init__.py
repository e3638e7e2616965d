"""The trade of keeping: sessions in memory or in files, lent to one call at a time.

For: names, locks, the session file format, and the store that the simulator leases from.
Looks at: `mcp_sim.core`.
Touches: the folder that session files are kept in.
"""
