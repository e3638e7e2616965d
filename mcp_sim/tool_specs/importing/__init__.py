"""What people have, read as tools: OpenAPI documents, function lists, Python functions, recordings of HTTP traffic.

For: one reader for each of these dialects, all of which give an `Imported`.
Looks at: `mcp_sim.core`, and of its own storey `json_text` and `listing`.
Touches: the file that it is told to read; `python_module` imports the module that it is told to.
"""
