"""The tool that fetches a page.

For: answering as PyPI's `mcp-server-fetch` 2026.10.24 does, over the documents that the world holds.
Looks at: `mcp_sim.core`.
Touches: nothing, never the network. Needs the packages of `mcp-sim[fetch]`, which only this room loads.
"""
