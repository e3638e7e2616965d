"""What is inside the repositories of a git host: files, branches and commits, where the first state gives them.

For: reading and writing files, the history of branches, searches in both, and what pull requests change.
Looks at: `mcp_sim.core`, `words` to `calls`.
Touches: nothing.
"""
