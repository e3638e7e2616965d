"""Things and answers that are made.

For: imagining values, making things after examples and schemas, and writing answers in the form of the world.
Looks at: `mcp_sim.core`, `words` to `tools`, `mcp_sim.predictors.instances`.
Touches: nothing.
"""
