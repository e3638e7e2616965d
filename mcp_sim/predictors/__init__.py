"""The trade of foretelling: everything that can say what an action leads to.

For: the links of the chain memory, frozen answers, behaviours, engine, and what stands at its end (example generator, language model).
Looks at: `mcp_sim.core`.
Touches: nothing; only `predictors.language` speaks to model servers and reads `prompts/`.
"""
