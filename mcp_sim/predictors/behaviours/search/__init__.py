"""The tools of a search engine, a page reader and a notebook.

For: finding and reading the documents that the world holds.
Looks at: `mcp_sim.core`.
Touches: nothing; the index is a SQLite full-text table in memory.
"""
