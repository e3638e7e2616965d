"""OpenAPI 3.0 to 3.2 and Swagger 2: each operation a tool.

For: reading one document; a part that is wrong costs that part.
Looks at: `mcp_sim.core`.
Touches: nothing; no reference is fetched.
"""
