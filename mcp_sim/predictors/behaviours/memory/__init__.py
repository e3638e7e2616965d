"""The tools of a knowledge graph: entities, their observations, and relations between them.

For: answering as `@modelcontextprotocol/server-memory` 2026.8.31 does.
Looks at: `mcp_sim.core`.
Touches: nothing.
"""
