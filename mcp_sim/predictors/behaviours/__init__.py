"""How kinds of tools really behave, one module or package each.

For: answering exactly, from state, the tools that everybody mocks. State in, patch out.
Looks at: `mcp_sim.core`.
Touches: nothing, not even the disk that it pretends to be.
"""
