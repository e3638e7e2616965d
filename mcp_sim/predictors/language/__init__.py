"""The language world model: foretells by prompting a model with tools, history and action.

For: prompts, replies, model servers.
Looks at: `mcp_sim.core`.
Touches: model servers over HTTP, the `prompts/` folder.
"""
